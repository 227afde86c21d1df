/** What the service signed, as stored rows hold it: read without a look at the signature, which is judged elsewhere. */
import { fromBase64url } from "../../../src/canonical/base64url.ts"
import type { SignedEvent } from "../../../src/projects/event.ts"
import type { ProposalEvent } from "../../../src/proposals/event.ts"
import type { JsonObject } from "../../script/json.ts"

interface SignedRow {
  readonly jws: string
}

/** An event of a project or a proposal; one of a grant has its dates, too. */
export const signedIn = (row: SignedRow): SignedEvent | ProposalEvent => {
  const known = events.get(row)
  if (known !== undefined) return known
  const bytes = fromBase64url(row.jws.split(".")[1] ?? "") ?? new Uint8Array()
  const event: SignedEvent | ProposalEvent = JSON.parse(new TextDecoder().decode(bytes))
  events.set(row, event)
  return event
}

/** Rows never change: each is read once, in however many worlds it stands. */
const events = new WeakMap<SignedRow, SignedEvent | ProposalEvent>()

/** What an event of its kind carries. */
export const payloadIn = (row: SignedRow): JsonObject => {
  const { payload }: { readonly payload?: object } = signedIn(row)
  return (payload ?? {}) as JsonObject
}
