/** Decodes signed events in stored rows, without verifying the signature. */
import { fromBase64url } from "../../../src/canonical/base64url.ts"
import type { SignedEvent } from "../../../src/projects/event.ts"
import type { ProposalEvent } from "../../../src/proposals/event.ts"
import type { JsonObject } from "../../vocabulary/json.ts"

interface SignedRow {
  readonly jws: string
}

/** An event of a project or a proposal; an event of a grant has the same timestamps. */
export const signedEventOf = (row: SignedRow): SignedEvent | ProposalEvent => {
  const cached = events.get(row)
  if (cached !== undefined) return cached
  const bytes = fromBase64url(row.jws.split(".")[1] ?? "") ?? new Uint8Array()
  const event: SignedEvent | ProposalEvent = JSON.parse(new TextDecoder().decode(bytes))
  events.set(row, event)
  return event
}

/** Rows are immutable, so each is decoded once for all worlds. */
const events = new WeakMap<SignedRow, SignedEvent | ProposalEvent>()

/** The payload of the event. */
export const payloadOf = (row: SignedRow): JsonObject => {
  const { payload }: { readonly payload?: object } = signedEventOf(row)
  return (payload ?? {}) as JsonObject
}
