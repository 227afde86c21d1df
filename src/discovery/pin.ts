/** A pin on one exact version of a public specification: its digest is what was read, and never moves. */
import { Effect } from "effect"
import type { Reader } from "../ports/storage.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { SpecificationVersions } from "./store.ts"

export interface Pin {
  readonly id: string
  readonly version: number
  /** Absent in a draft that has not been checked against what was read. */
  readonly digest?: string
}

/** The version exists and has this digest; answers with its digest. Versions never change, so no root is needed. */
export const checkPin = Effect.fnUntraced(function* (reader: Reader, { id, version, digest }: Pin) {
  const found = yield* reader.get(SpecificationVersions, [id, version])
  if (found === undefined) return yield* refuse("UNKNOWN_SPECIFICATION")
  if (digest !== undefined && digest !== found.digest) return yield* refuse("SPECIFICATION_DIGEST_MISMATCH")
  return found.digest
})
