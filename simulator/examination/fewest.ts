/** The fewest faults and acts of a failed run: each is left out in turn, by runs of the agent, while the run fails alike. */
import { firstDifference } from "../observation/trace.ts"
import type { Worlds } from "../serve/worlds.ts"
import { type InjectedFault, planOf } from "./agent-faults.ts"
import { examine, type LessonResult, type RunOptions } from "./examine.ts"
import { firstBroken } from "./judge.ts"
import type { Lesson } from "./lesson.ts"
import { reduce } from "./reduce.ts"

/** A fault, an act of the lesson by its number, or the year after the lesson. */
export type Part = InjectedFault | { readonly kind: "act"; readonly act: number } | { readonly kind: "year" }

export type Fewest =
  | {
      readonly kind: "FEWEST"
      readonly parts: ReadonlyArray<Part>
      /** False if the limit of runs was reached before. */
      readonly isComplete: boolean
      /** False where what is missing is progress, which the acts are there to make possible. */
      readonly leavesOutActs: boolean
    }
  /** Two equal runs differ, so that nothing can be left out. */
  | { readonly kind: "RUNS_DIFFER"; readonly difference: string }

/** A run of a lesson; where it fails, with the fewest faults and acts that it takes. */
export const examineToFewest = async (lesson: Lesson, worlds: Worlds, options: RunOptions): Promise<LessonResult> => {
  const result = await examine(lesson, worlds, options)
  return result.verdict === "FAIL" ? { ...result, fewest: await fewestOf(result, worlds, options) } : result
}

/** `failed` is a run with these options and the verdict FAIL. */
const fewestOf = async (failed: LessonResult, worlds: Worlds, options: RunOptions): Promise<Fewest> => {
  const { lesson, judgement } = failed
  const leavesOutActs = judgement.safety.length > 0
  const acts = (lesson.form.acts ?? []).map((_, index): Part => ({ kind: "act", act: index + 1 }))
  const year: ReadonlyArray<Part> = options.hasYear === true ? [{ kind: "year" }] : []
  const all = [...failed.injected, ...year, ...(leavesOutActs ? acts : [])]
  const run = (parts: ReadonlyArray<Part>): Promise<LessonResult> => {
    const hasYear = parts.some(({ kind }) => kind === "year")
    const faults = planOf(parts.filter((one) => one.kind !== "act" && one.kind !== "year"))
    return examine(leavesOutActs ? withActs(lesson, parts) : lesson, worlds, { ...options, faults, hasYear })
  }
  const difference = differenceOf(failed, await run(all))
  if (difference !== undefined) return { kind: "RUNS_DIFFER", difference }
  const failsAlike = async (parts: ReadonlyArray<Part>): Promise<boolean> => {
    const { verdict, judgement: now } = await run(parts)
    return verdict === "FAIL" && firstBroken(now)?.label === firstBroken(judgement)?.label
  }
  const { parts, isComplete } = await reduce(all, { without, failsAlike, runsMax })
  return { kind: "FEWEST", parts, isComplete, leavesOutActs }
}

/** Runs of a failed lesson, beside the first. */
const runsMax = 30

/** When a run is ended depends on real time, so only what both runs have is compared. */
const differenceOf = (one: LessonResult, other: LessonResult): string | undefined => {
  const [lines, otherLines] = [one, other].map(({ session }) => session.trace.split("\n"))
  const length = Math.min(lines!.length, otherLines!.length) - 1
  const [start, otherStart] = [lines!, otherLines!].map((all) => `${all.slice(0, length).join("\n")}\n`)
  return firstDifference(start!, otherStart!, ["first run", "second run"])
}

/** An agent whose request is not hit sends it once less, so later ones come earlier. */
const without = (parts: ReadonlyArray<Part>, index: number): ReadonlyArray<Part> => {
  const left = parts[index]
  const resent = left === undefined || !("request" in left) ? 0 : left.kind === "agent-ended" ? 2 : 1
  return parts
    .toSpliced(index, 1)
    .map((part, position) =>
      "request" in part && position >= index ? { ...part, request: part.request - resent } : part
    )
}

const withActs = (lesson: Lesson, parts: ReadonlyArray<Part>): Lesson => {
  const kept = new Set(parts.flatMap((part) => (part.kind === "act" ? [part.act] : [])))
  const { acts = [], ...form } = lesson.form
  return { ...lesson, form: { ...form, acts: acts.filter((_, index) => kept.has(index + 1)) } }
}

/** In one line. */
export const fewestInWords = (fewest: Fewest): string => {
  if (fewest.kind === "RUNS_DIFFER") {
    return `The fewest faults and acts are unknown: two equal runs of this agent differ: ${oneLine(fewest.difference)}`
  }
  const { parts, isComplete, leavesOutActs } = fewest
  const limit = isComplete ? "" : ` Limit reached: ${runsMax} runs; fewer may be enough.`
  if (parts.length > 0) {
    return `It takes: ${parts.map(partInWords).join("; ")}.${limit}`
  }
  return leavesOutActs
    ? "It takes nothing: it fails without any fault or act."
    : "It takes no fault: it fails with the acts of the lesson alone."
}

const oneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, "; ")

const partInWords = (part: Part): string => {
  if (part.kind === "act") return `act ${part.act}`
  if (part.kind === "year") return "the year after the lesson"
  if (!("request" in part)) return webhookWords[part.kind]
  return requestWords[part.kind](`request ${part.request} (${part.operation})`)
}

const webhookWords = {
  "webhook-twice": "the first webhook delivered twice",
  "webhook-forged": "a forged webhook after the first genuine one"
} as const

const requestWords = {
  "request-lost": (request: string) => `${request} lost`,
  "answer-lost": (request: string) => `the answer to ${request} lost`,
  "answered-503": (request: string) => `${request} answered with 503`,
  "html-page": (request: string) => `the answer to ${request} replaced by an HTML page`,
  "agent-ended": (request: string) => `the agent ended after ${request}`
} as const
