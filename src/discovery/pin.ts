/** A pin to one exact version of a public specification, by its digest. */
import { Effect } from "effect"
import type { Reader } from "../ports/storage.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { SpecificationVersions } from "./store.ts"

export interface Pin {
  readonly id: string
  readonly version: number
  /** Absent in a draft that was not checked yet. */
  readonly digest?: string
}

/** Checks that the version exists and has this digest; returns it. Versions are immutable, so no lock is needed. */
export const checkPin = Effect.fnUntraced(function* (reader: Reader, { id, version, digest }: Pin) {
  const found = yield* reader.get(SpecificationVersions, [id, version])
  if (found === undefined) return yield* refuse("UNKNOWN_SPECIFICATION")
  if (digest !== undefined && digest !== found.digest) return yield* refuse("SPECIFICATION_DIGEST_MISMATCH")
  return found.digest
})
