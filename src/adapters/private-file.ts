/** Files that only their owner may read, written atomically: keys and the directory of people. */
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { makeDirectories } from "./directories.ts"

/** Of two processes that write a file at once, the first link wins, and both read that one. True where it is this one. */
export const writeOnce = (file: string, text: string): boolean => {
  const unfinished = `${file}.${randomBytes(8).toString("hex")}`
  writeUnfinished(unfinished, text)
  try {
    fs.linkSync(unfinished, file)
    return true
  } catch (cause) {
    if (!fs.existsSync(file)) throw cause
    return false
  } finally {
    fs.rmSync(unfinished)
    syncDirectory(path.dirname(file))
  }
}

/** A reader sees the old file or the new one, never a part. The caller holds a lock on the file. */
export const replaceFile = (file: string, text: string): void => {
  const unfinished = `${file}.new`
  // The remains of a process that was killed here.
  fs.rmSync(unfinished, { force: true })
  writeUnfinished(unfinished, text)
  try {
    fs.renameSync(unfinished, file)
  } catch (cause) {
    fs.rmSync(unfinished)
    throw cause
  }
  syncDirectory(path.dirname(file))
}

const writeUnfinished = (unfinished: string, text: string): void => {
  makeDirectories(path.dirname(unfinished), 0o700)
  const handle = fs.openSync(unfinished, "wx", 0o600)
  fs.writeFileSync(handle, text)
  fs.fsyncSync(handle)
  fs.closeSync(handle)
}

/** Syncs the entries of a directory to disk. */
export const syncDirectory = (directory: string): void => {
  const folder = fs.openSync(directory, "r")
  fs.fsyncSync(folder)
  fs.closeSync(folder)
}
