/** The searchable scripts: those with an explore step without a fixed schedule. */
import { Result } from "effect"
import * as path from "node:path"
import { isSearched } from "../explore/search-point.ts"
import { findFiles, readScript, readText } from "../files.ts"

/** Sorted by name; a failure names a missing file. */
export const markedScripts = (folder: string): Result.Result<ReadonlyArray<string>, string> =>
  Result.map(findFiles([folder]), (files) => files.filter(isMarked))

export const nameOfScript = (file: string): string => path.basename(file, ".yaml")

/** True for an unreadable script, so that its error is reported. */
const isMarked = (file: string): boolean =>
  /^ *- explore:/m.test(Result.getOrElse(readText(file), () => "")) &&
  Result.match(readScript(file), { onFailure: () => true, onSuccess: isSearched })
