/** The searchable scripts: those with an explore step without a fixed schedule. */
import { Result } from "effect"
import * as path from "node:path"
import { isSearched } from "../scenario/explore-step.ts"
import { findFiles, readScript, readText } from "../scenario/files.ts"

/** Sorted by name; a failure names a missing file. */
export const searchableScripts = (folder: string): Result.Result<ReadonlyArray<string>, string> =>
  Result.map(findFiles([folder]), (files) => files.filter(isMarked))

/** The chapter and name of a scenario in a folder of its own, as in `races/two-renewals`; the name of any other file. */
export const nameOfScript = (file: string): string => {
  if (path.basename(file) !== "scenario.yaml") return path.basename(file, ".yaml")
  const folder = path.dirname(path.resolve(file))
  return `${path.basename(path.dirname(folder))}/${path.basename(folder)}`
}

/** True for an unreadable script, so that its error is reported. */
const isMarked = (file: string): boolean =>
  /^ *- explore:/m.test(Result.getOrElse(readText(file), () => "")) &&
  Result.match(readScript(file), { onFailure: () => true, onSuccess: isSearched })
