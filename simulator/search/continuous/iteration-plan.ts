/** Chooses the next script and search mode, weighted by findings and recent new states. */
import { deriveSeed, type SeededRandom } from "../../kernel/seeded-random.ts"
import { type Progress, type Tally, initialTally } from "./progress.ts"
import { type SearchMode, searchModes } from "./search-modes.ts"

export interface IterationPlan {
  readonly script: ScriptChoice
  readonly mode: SearchMode
}

export type ScriptChoice = { readonly file: string } | { readonly generated: number; readonly isNew: boolean }

export interface ScriptSources {
  readonly files: ReadonlyArray<string>
  readonly isGenerating: boolean
}

export const planIteration = (progress: Progress, among: ScriptSources, random: SeededRandom): IterationPlan => ({
  script: chosenScript(progress, among, random),
  mode: random.weighted(searchModes.map((mode) => [worthOf(progress.modes[mode.name]), mode] as const))
})

export const scriptName = (script: ScriptChoice): string =>
  "file" in script ? script.file : `${generatedPrefix}${script.generated}`

/** The scripts without the least productive generated ones. */
export const productiveScripts = (scripts: Progress["scripts"]): Progress["scripts"] => {
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

const chosenScript = (
  progress: Progress,
  { files, isGenerating }: ScriptSources,
  random: SeededRandom
): ScriptChoice => {
  const { seed, scripts, generated } = progress
  const fresh: ScriptChoice = { generated: deriveSeed(seed, `generated ${generated}`), isNew: true }
  if (isGenerating && (files.length === 0 || random.below(freshRarity) === 0)) return fresh
  const kept = Object.keys(scripts).flatMap((name): ReadonlyArray<ScriptChoice> =>
    isGenerating && name.startsWith(generatedPrefix)
      ? [{ generated: Number(name.slice(generatedPrefix.length)), isNew: false }]
      : []
  )
  const choices = [...files.map((file): ScriptChoice => ({ file })), ...kept]
  return random.weighted(choices.map((choice) => [worthOf(scripts[scriptName(choice)]), choice] as const))
}

/** The weight is never zero. */
const worthOf = ({ recently, found }: Tally = initialTally): number => 0.03 + recently + (found > 0 ? 0.3 : 0)
