/** Creates one draft from one version of a public specification, at most once a hand-off. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { checkPin } from "../discovery/pin.ts"
import { readSpecification } from "../discovery/read.ts"
import { requireMembershipIn, type ActingPerson } from "../people/acting-person.ts"
import { inTransaction, inView } from "../ports/storage/run.ts"
import { fingerprint, readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import type { DraftContent } from "./content.ts"
import { draftLocks, requireDraftAuthority } from "./draft-authorization.ts"
import { insertDraft } from "./new-draft.ts"
import { viewPreparedDraft } from "./view.ts"
import { traced } from "../vocabulary/traced.ts"

/** The sealed hand-off of a specification's page. Opening it chooses nothing yet. */
export interface Handoff {
  readonly handoffId: string
  readonly endsAt: Instant
  readonly specification: { readonly id: string; readonly version: number; readonly digest: string }
}

/** The person's choice of organization and side. */
export interface HandoffChoice {
  readonly organizationId: string
  readonly role: Role
}

/** Idempotent for the same person and choice; any other use of the hand-off is refused. */
export const createDraftFromHandoff = traced("drafts.createFromHandoff")(function* (
  by: ActingPerson,
  { handoffId, endsAt, specification }: Handoff,
  { organizationId, role }: HandoffChoice
) {
  const ids = yield* idSeed
  const draftId = ids("plan").next("draft")
  const start = yield* currentTime
  const request: IdempotentRequest = {
    // One shared owner: the first use consumes the hand-off for all persons.
    owner: "specification-handoff",
    requestId: handoffId,
    fingerprint: fingerprint("createDraftFromHandoff", [by.personId], { organizationId, role, specification })
  }
  const { membershipId } = yield* inView((reader) =>
    Effect.andThen(checkPin(reader, specification), requireMembershipIn(reader, by.personId, organizationId, start))
  )
  const content = yield* contentFrom(specification)
  const locks = draftLocks(by, membershipId, draftId)
  const createdDraftId = yield* inTransaction({ locks }, function* (transaction) {
    const earlier = yield* readStoredRequest(transaction, request)
    const now = yield* transaction.now
    const { tenantId } = yield* requireDraftAuthority(transaction, by, { role }, membershipId, now)
    if (endsAt <= now) return yield* refuse("HANDOFF_ENDED")
    if (earlier?.fingerprint === request.fingerprint) return earlier.target
    if (earlier !== undefined) return yield* refuse("HANDOFF_ENDED")
    const preparation = { draftId, tenantId, organizationId, role, preparedBy: by.personId, agent: null }
    yield* insertDraft(transaction, preparation, content, now)
    yield* recordRequest(transaction, request, draftId, now)
    return draftId
  })
  return yield* viewPreparedDraft(createdDraftId, role)
})

const contentFrom = Effect.fnUntraced(function* (specification: Handoff["specification"]) {
  const { document } = yield* readSpecification(specification.id, specification.version)
  const { title, scope, criteria, baselineStatement } = document
  return {
    title,
    scope,
    criteria,
    ...(baselineStatement === undefined ? {} : { baselineStatement }),
    specification
  } satisfies DraftContent
})
