/** Mutants whose text does not stand in the source any more: what they would prove is not known. */
import * as path from "node:path"
import { Result } from "effect"
import { readText } from "../files.ts"
import { type Mutant, planted } from "./mutant.ts"

/** One sentence for each that is. */
export const staleAmong = (mutants: ReadonlyArray<Mutant>): ReadonlyArray<string> =>
  mutants.flatMap((mutant) => {
    const source = readText(path.join(project, mutant.file))
    if (Result.isFailure(source)) return [`${mutant.name} is stale: ${source.failure}`]
    return planted(mutant, source.success) === undefined
      ? [`${mutant.name} is stale: its text does not stand in ${mutant.file} exactly once`]
      : []
  })

const project = path.resolve(import.meta.dirname, "../..")
