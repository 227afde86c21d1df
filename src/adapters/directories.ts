/** Directories that are made on the way to a file of ours. */
import * as fs from "node:fs"
import * as path from "node:path"

/**
 * Makes a directory and what is missing above it, one after another: `mkdirSync` with `recursive` never returns where
 * the parent exists and takes no entry, as `/proc`.
 */
export const makeDirectories = (directory: string, mode: number): void => {
  const missing: Array<string> = []
  for (let at = path.resolve(directory); !fs.existsSync(at); at = path.dirname(at)) missing.unshift(at)
  for (const one of missing) makeDirectory(one, mode)
}

/** Another process may make it at the same moment. */
const makeDirectory = (directory: string, mode: number): void => {
  try {
    fs.mkdirSync(directory, { mode })
  } catch (cause) {
    if (!fs.existsSync(directory)) throw cause
  }
}

/** The path itself, or the nearest one above it that exists. */
export const nearestExisting = (place: string): string => {
  let at = path.resolve(place)
  while (!fs.existsSync(at)) at = path.dirname(at)
  return at
}

/** Throws where no file can be made in a directory; nothing is left there. */
export const tryWriting = (directory: string): void => {
  fs.rmdirSync(fs.mkdtempSync(path.join(directory, ".countersign-")))
}

/** What the system says, like `ENOENT`, for a message. */
export const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
