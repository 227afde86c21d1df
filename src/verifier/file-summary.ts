/** Identifies the bytes that a report is about. */
import { sha256Hex } from "../canonical/digest.ts"
import type { Finding } from "./ledger.ts"

/** Null where the input is not bytes at all. */
export interface FileSummary {
  readonly sha256: string | null
  readonly bytes: number | null
}

export const summarize = (file: Finding<Uint8Array>): FileSummary =>
  file.ok ? { sha256: sha256Hex(file.value), bytes: file.value.length } : { sha256: null, bytes: null }
