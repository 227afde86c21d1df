/** A person carries one version of a public specification into a new draft, once. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { checkPin } from "../discovery/pin.ts"
import { readSpecification } from "../discovery/read.ts"
import { requireMembershipIn, type Human } from "../people/human.ts"
import { Storage } from "../ports/storage.ts"
import { fingerprint, readRequest, rememberRequest, type Request } from "../replay/replay.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import type { DraftContent } from "./content.ts"
import { handlingRoots, requireHandler } from "./handling.ts"
import { insertDraft } from "./new-draft.ts"
import { prepared } from "./view.ts"

/** What the page of a specification sealed; whoever opens it has not chosen it by that. */
export interface Handoff {
  readonly handoffId: string
  readonly endsAt: Instant
  readonly specification: { readonly id: string; readonly version: number; readonly digest: string }
}

/** For which of their organizations, and on which side of what comes of it. */
export interface HandoffChoice {
  readonly organizationId: string
  readonly role: Role
}

/** The same person with the same choice again gets the same draft; nobody else gets anything. */
export const createDraftFromHandoff = Effect.fn("drafts.createFromHandoff")(function* (
  by: Human,
  { handoffId, endsAt, specification }: Handoff,
  { organizationId, role }: HandoffChoice
) {
  const storage = yield* Storage
  const ids = yield* idSeed
  const draftId = ids("plan").next("draft")
  const start = yield* currentTime
  const request: Request = {
    // An owner of its own: whoever comes first uses it up for everybody.
    owner: "specification-handoff",
    requestId: handoffId,
    fingerprint: fingerprint("createDraftFromHandoff", [by.personId], { organizationId, role, specification })
  }
  const { membershipId } = yield* storage.view((reader) =>
    Effect.andThen(checkPin(reader, specification), requireMembershipIn(reader, by.personId, organizationId, start))
  )
  const content = yield* contentFrom(specification)
  const roots = handlingRoots(by, membershipId, draftId)
  const target = yield* storage.transaction({ roots }, (transaction) =>
    Effect.gen(function* () {
      const earlier = yield* readRequest(transaction, request)
      const now = yield* transaction.now
      const { tenantId } = yield* requireHandler(transaction, by, { role }, membershipId, now)
      if (endsAt <= now) return yield* refuse("HANDOFF_ENDED")
      if (earlier?.fingerprint === request.fingerprint) return earlier.target
      if (earlier !== undefined) return yield* refuse("HANDOFF_ENDED")
      const preparation = { draftId, tenantId, organizationId, role, preparedBy: by.personId, agent: null }
      yield* insertDraft(transaction, preparation, content, now)
      yield* rememberRequest(transaction, request, draftId, now)
      return draftId
    })
  )
  return yield* prepared(target, role)
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
