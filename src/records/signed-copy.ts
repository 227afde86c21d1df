/** Signs an exported payload; refuses if this installation has no key for it. */
import { Effect } from "effect"
import { Signer, type KeyPurpose, type SignedPayload } from "../ports/signer.ts"
import type { StoredProject } from "../projects/history.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"

export const signOrRefuse = (purpose: KeyPurpose, payload: SignedPayload, text?: string) =>
  Effect.flatMap(Signer, (signer) => signer.sign(purpose, payload, text)).pipe(
    Effect.catchTag("IssuerNotConfigured", () => refuse("ISSUER_NOT_CONFIGURED"))
  )

/** A copy is not dated before its last event, which a process with a faster clock may have written. */
export const copyDate = ({ row }: StoredProject, now: Instant): Instant => later(now, row.lastEventAt)
