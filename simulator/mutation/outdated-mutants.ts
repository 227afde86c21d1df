/** Outdated mutants: their text no longer occurs exactly once in the source. */
import * as path from "node:path"
import { Result } from "effect"
import { readText } from "../scenario/files.ts"
import { type Mutant, applyMutant } from "./mutant.ts"

/** One sentence for each outdated mutant. */
export const outdatedMutants = (mutants: ReadonlyArray<Mutant>): ReadonlyArray<string> =>
  mutants.flatMap((mutant) => {
    const source = readText(path.join(project, mutant.file))
    if (Result.isFailure(source)) return [`${mutant.name} is outdated: ${source.failure}`]
    return applyMutant(mutant, source.success) === undefined
      ? [`${mutant.name} is outdated: its text does not occur exactly once in ${mutant.file}`]
      : []
  })

const project = path.resolve(import.meta.dirname, "../..")
