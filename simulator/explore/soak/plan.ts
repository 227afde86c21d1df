/** Chooses the next script and search mode, weighted by findings and recent new states. */
import type { Dice } from "../../generate/dice.ts"
import { seedFor } from "./chance.ts"
import { type Progress, type Tally, untried } from "./progress.ts"
import { type Way, ways } from "./ways.ts"

export interface Plan {
  readonly script: Choice
  readonly way: Way
}

export type Choice = { readonly file: string } | { readonly generated: number; readonly isNew: boolean }

export interface Among {
  readonly files: ReadonlyArray<string>
  readonly isGenerating: boolean
}

export const planned = (progress: Progress, among: Among, dice: Dice): Plan => ({
  script: chosenScript(progress, among, dice),
  way: dice.weighted(ways.map((way) => [worthOf(progress.ways[way.name]), way] as const))
})

export const nameOf = (script: Choice): string =>
  "file" in script ? script.file : `${generatedPrefix}${script.generated}`

/** The scripts without the least productive generated ones. */
export const keptOf = (scripts: Progress["scripts"]): Progress["scripts"] => {
  const generated = Object.keys(scripts).filter((name) => name.startsWith(generatedPrefix))
  const best = generated.toSorted((one, other) => worthOf(scripts[other]) - worthOf(scripts[one])).slice(0, keptMax)
  return Object.fromEntries(
    Object.entries(scripts).filter(([name]) => !name.startsWith(generatedPrefix) || best.includes(name))
  )
}

const generatedPrefix = "generated-"
const keptMax = 24
/** One of so many iterations uses a new generated script. */
const freshRarity = 4

const chosenScript = (progress: Progress, { files, isGenerating }: Among, dice: Dice): Choice => {
  const { seed, scripts, generated } = progress
  const fresh: Choice = { generated: seedFor(seed, `generated ${generated}`), isNew: true }
  if (isGenerating && (files.length === 0 || dice.below(freshRarity) === 0)) return fresh
  const kept = Object.keys(scripts).flatMap((name): ReadonlyArray<Choice> =>
    isGenerating && name.startsWith(generatedPrefix)
      ? [{ generated: Number(name.slice(generatedPrefix.length)), isNew: false }]
      : []
  )
  const choices = [...files.map((file): Choice => ({ file })), ...kept]
  return dice.weighted(choices.map((choice) => [worthOf(scripts[nameOf(choice)]), choice] as const))
}

/** The weight is never zero. */
const worthOf = ({ recently, found }: Tally = untried): number => 0.03 + recently + (found > 0 ? 0.3 : 0)
