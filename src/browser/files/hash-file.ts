/** The SHA-256 of a file, read in pieces: the memory does not grow with the file, and the page stays usable. */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"

export interface HashOptions {
  /** Ends the reading; the promise is rejected with the reason of the signal. */
  readonly signal: AbortSignal
  /** Called after each piece with the bytes read so far. */
  readonly onProgress: (bytes: number) => void
}

/** 64 lower-case hexadecimal digits. Rejects where the file cannot be read, or changed since it was chosen. */
export const sha256OfFile = async (file: Blob, { signal, onProgress }: HashOptions): Promise<string> => {
  const digest = sha256.create()
  for (let from = 0; from < file.size; from += pieceBytes) {
    const piece = await file.slice(from, from + pieceBytes).arrayBuffer()
    signal.throwIfAborted()
    digest.update(new Uint8Array(piece))
    onProgress(Math.min(from + pieceBytes, file.size))
  }
  // An empty file, or a folder that was chosen as one, is read too: only a file can be.
  if (file.size === 0) await file.arrayBuffer()
  return bytesToHex(digest.digest())
}

const pieceBytes = 1_048_576
