/**
 * The trials of a lesson: later ones have other names, ids and terms and another order of criteria, so that an agent cannot pass by
 * values that it has from an earlier one.
 */
import { Result } from "effect"
import { RandomStreams } from "../kernel/prng.ts"
import type { Lesson } from "./lesson.ts"
import { reread } from "./with-persona.ts"

/** A trial of a lesson; the first one is the lesson as it is written. */
export interface Trial {
  /** 1 for the first. */
  readonly number: number
  /** From which the later trials are drawn. */
  readonly seed: number
}

/** The lesson of a trial; its name ends with the number of a later one. */
export const lessonOfTrial = (lesson: Lesson, { number, seed }: Trial): Result.Result<Lesson, string> => {
  if (number === 1) return Result.succeed(lesson)
  const drawn = new RandomStreams(seed * trialsMax + number)
  return Result.map(reread(lesson, variation(drawn)), (varied) => ({
    ...varied,
    name: `${lesson.name}-${number}`,
    scenario: { ...varied.scenario, seed: varied.scenario.seed + seedStep * (seed * trialsMax + number) }
  }))
}

/** The results of each lesson, with each persona apart, in the order of its trials. */
export const trialsByLesson = <R extends { readonly lesson: Lesson }>(
  results: ReadonlyArray<R>
): ReadonlyArray<ReadonlyArray<R>> => [
  ...Map.groupBy(results, ({ lesson: { folder, persona } }) => `${folder}+${persona?.folder ?? ""}`).values()
]

export const trialsMax = 100

/** Larger than the distance of the seeds of two lessons. */
const seedStep = 1000

/** By word of the shipped lessons: what may stand in its place, as a name and in every text. */
const alternatives: { readonly [word: string]: ReadonlyArray<string> } = {
  courier: ["carrier", "porter", "runner"],
  scout: ["envoy", "warden", "ranger"],
  dana: ["mara", "nils", "tove"],
  Dana: ["Mara", "Nils", "Tove"],
  sam: ["kim", "liv", "ove"],
  Sam: ["Kim", "Liv", "Ove"],
  harbor: ["quarry", "orchard", "foundry"],
  Harbor: ["Quarry", "Orchard", "Foundry"],
  lumen: ["vellum", "folio", "argent"],
  Lumen: ["Vellum", "Folio", "Argent"],
  chart: ["survey", "atlas", "plat"],
  sources: ["proofs", "citations", "footnotes"]
}

/** The same change of every file of a lesson. */
const variation = (drawn: RandomStreams): ((text: string) => string) => {
  const below = (limit: number): number => (drawn.bytes("trial", 1)[0] ?? 0) % limit
  const chosen = new Map(
    Object.entries(alternatives).map(([word, others]) => [word, others[below(others.length)] ?? word])
  )
  const isReversed = below(2) === 1
  const words = new RegExp(String.raw`\b(?:${[...chosen.keys()].join("|")})\b`, "g")
  return (text) => {
    const renamed = text.replace(words, (word) => chosen.get(word) ?? word)
    return isReversed
      ? renamed.replace(criteria, (lines) =>
          lines
            .split(/(?<=\n)/)
            .toReversed()
            .join("")
        )
      : renamed
  }
}

/** The lines of an agreement's criteria. */
const criteria = /(?:^ +- \{ id: .*\n){2,}/gm
