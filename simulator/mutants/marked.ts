/** The scripts that are searched: those with a step from which orders are tried. */
import { Result } from "effect"
import * as path from "node:path"
import { isSearched } from "../explore/search-point.ts"
import { findFiles, readScript, readText } from "../files.ts"

/** By their names, in that order; a failure says what is not there. */
export const markedScripts = (folder: string): Result.Result<ReadonlyArray<string>, string> =>
  Result.map(findFiles([folder]), (files) => files.filter(isMarked))

export const nameOfScript = (file: string): string => path.basename(file, ".yaml")

/** What cannot be read is, so that it is told. */
const isMarked = (file: string): boolean =>
  /^ *- explore:/m.test(Result.getOrElse(readText(file), () => "")) &&
  Result.match(readScript(file), { onFailure: () => true, onSuccess: isSearched })
