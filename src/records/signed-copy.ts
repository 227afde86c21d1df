/** Signs what leaves with an export, or says that this installation has no key for it. */
import { Effect } from "effect"
import { Signer, type KeyPurpose, type SignedPayload } from "../ports/signer.ts"
import type { Stored } from "../projects/history.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"

export const sign = (purpose: KeyPurpose, payload: SignedPayload) =>
  Effect.flatMap(Signer, (signer) => signer.sign(purpose, payload)).pipe(
    Effect.catchTag("IssuerNotConfigured", () => refuse("ISSUER_NOT_CONFIGURED"))
  )

/** No copy is dated before the last event that it holds: another process may have written that one by a faster clock. */
export const dateOfCopy = ({ row }: Stored, now: Instant): Instant => later(now, row.lastEventAt)
