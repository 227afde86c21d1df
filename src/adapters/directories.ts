/** Creation of directories. */
import * as fs from "node:fs"
import * as path from "node:path"

/**
 * Makes a directory and its missing parents one by one: `mkdirSync` with `recursive` never returns where the parent
 * exists and takes no entry, as `/proc`.
 */
export const makeDirectories = (directory: string, mode: number): void => {
  const missing: Array<string> = []
  for (let current = path.resolve(directory); !fs.existsSync(current); current = path.dirname(current))
    missing.unshift(current)
  for (const entry of missing) makeDirectory(entry, mode)
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
  let current = path.resolve(place)
  while (!fs.existsSync(current)) current = path.dirname(current)
  return current
}

/** Throws where no file can be made in a directory; leaves nothing there. */
export const tryWriting = (directory: string): void => {
  fs.rmdirSync(fs.mkdtempSync(path.join(directory, ".countersign-")))
}

/** The system's error code, like `ENOENT`, for a message. */
export const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
