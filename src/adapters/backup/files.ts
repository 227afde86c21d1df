/** Files that are copied with their digest and are on the disk before anything depends on them. */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { syncDirectory } from "../private-file.ts"

export interface CopyResult {
  readonly bytes: number
  readonly sha256: string
}

const chunkBytes = 1 << 20

/** Copies a file for its owner alone; a file that grows meanwhile is copied as far as it is read. */
export const copyWithDigest = (from: string, to: string): CopyResult => {
  const source = fs.openSync(from, "r")
  try {
    const target = fs.openSync(to, "wx", 0o600)
    try {
      const digest = createHash("sha256")
      const chunk = Buffer.allocUnsafe(chunkBytes)
      let bytes = 0
      for (let read = fs.readSync(source, chunk); read > 0; read = fs.readSync(source, chunk)) {
        digest.update(chunk.subarray(0, read))
        fs.writeFileSync(target, chunk.subarray(0, read))
        bytes += read
      }
      fs.fsyncSync(target)
      return { bytes, sha256: digest.digest("hex") }
    } finally {
      fs.closeSync(target)
    }
  } finally {
    fs.closeSync(source)
  }
}

export const writeDurably = (file: string, text: string): void => {
  const handle = fs.openSync(file, "wx", 0o600)
  fs.writeFileSync(handle, text)
  fs.fsyncSync(handle)
  fs.closeSync(handle)
}

export const digestOfFile = (file: string): string => createHash("sha256").update(fs.readFileSync(file)).digest("hex")

/** A directory and everything below it, whose files are on the disk already. */
export const syncTree = (directory: string): void => {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) syncTree(path.join(directory, entry.name))
  }
  syncDirectory(directory)
}

export const isEmptyOrAbsent = (directory: string): boolean =>
  !fs.existsSync(directory) || (fs.statSync(directory).isDirectory() && fs.readdirSync(directory).length === 0)
