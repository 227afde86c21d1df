/** Copies files with their digests and syncs them to disk. */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { open, type FileHandle } from "node:fs/promises"
import * as path from "node:path"
import { Effect } from "effect"
import { syncDirectory } from "../private-file.ts"

export interface CopyResult {
  readonly bytes: number
  readonly sha256: string
}

const chunkBytes = 1 << 20

/**
 * Copies a file, readable by its owner only. Can be interrupted after each chunk; of a file that grows during the copy,
 * the bytes read so far are copied.
 */
export const copyWithDigest = (from: string, to: string): Effect.Effect<CopyResult, NodeJS.ErrnoException> =>
  withFile(from, "r", (source) => withFile(to, "wx", (target) => copyChunks(source, target)))

const withFile = <A>(
  file: string,
  flags: string,
  use: (handle: FileHandle) => Effect.Effect<A, NodeJS.ErrnoException>
): Effect.Effect<A, NodeJS.ErrnoException> =>
  // Closing a handle waits for pending operations on it.
  Effect.acquireUseRelease(
    tryCall(() => open(file, flags, 0o600)),
    use,
    (handle) => tryCall(() => handle.close())
  )

const copyChunks = Effect.fnUntraced(function* (source: FileHandle, target: FileHandle) {
  const digest = createHash("sha256")
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (let bytes = 0; ;) {
    const { bytesRead } = yield* tryCall(() => source.read(chunk, 0, chunkBytes, null))
    if (bytesRead === 0) {
      yield* tryCall(() => target.sync())
      return { bytes, sha256: digest.digest("hex") }
    }
    const read = chunk.subarray(0, bytesRead)
    digest.update(read)
    yield* tryCall(() => target.writeFile(read))
    bytes += bytesRead
  }
})

const tryCall = <A>(call: () => Promise<A>): Effect.Effect<A, NodeJS.ErrnoException> =>
  Effect.tryPromise({ try: call, catch: (cause) => cause as NodeJS.ErrnoException })

export const digestOfFile = (file: string): string => createHash("sha256").update(fs.readFileSync(file)).digest("hex")

/** Syncs a directory and all directories below it; the files are synced already. */
export const syncTree = (directory: string): void => {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) syncTree(path.join(directory, entry.name))
  }
  syncDirectory(directory)
}

export const isEmptyOrAbsent = (directory: string): boolean =>
  !fs.existsSync(directory) || (fs.statSync(directory).isDirectory() && fs.readdirSync(directory).length === 0)
