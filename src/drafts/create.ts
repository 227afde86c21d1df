/** An agent prepares a draft for a person of its own side. A draft sends, agrees and signs nothing. */
import { Effect } from "effect"
import type { Role, SubjectRequirement } from "../access/actions.ts"
import { mayAct, readAuthority, requireLive, type Credential } from "../access/authorize.ts"
import { countDraft } from "../access/grant-counters.ts"
import { digestOf } from "../canonical/digest.ts"
import { inTransaction, readTogether } from "../ports/storage/run.ts"
import { exclusive, shared } from "../ports/storage.ts"
import { isReplay, readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { refuse } from "../vocabulary/refusals.ts"
import type { DraftContent } from "./content.ts"
import { insertDraft } from "./new-draft.ts"
import { traced } from "../vocabulary/traced.ts"

export interface PrepareInput {
  readonly role: Role
  readonly content: DraftContent
}

/** The draft does not enter the scope of the grant: the agent cannot read it. */
export const prepareDraft = traced("drafts.prepare")(function* (
  by: Credential,
  request: IdempotentRequest,
  { role, content }: PrepareInput
) {
  const ids = yield* idSeed
  const draftId = ids("plan").next("draft")
  // The grant counts its drafts.
  const locks = [shared("membership", by.membershipId), exclusive("grant", by.grantId), exclusive("draft", draftId)]
  return yield* inTransaction({ locks }, function* (transaction) {
    const [authority, earlier] = yield* readTogether([
      readAuthority(transaction, by),
      readStoredRequest(transaction, request)
    ])
    const now = yield* transaction.now
    const live = yield* requireLive(authority, now)
    const { grant } = live
    if (!mayAct(live, "CREATE_DRAFT", now) || grant.role !== role) return yield* refuse("FORBIDDEN_AGENT_ACTION")
    if (yield* isReplay(earlier, request)) return { draftId: earlier!.target, role, replayed: true }
    const boundContent = yield* withRequirements(content, grant.subjectRequirements)
    const { tenantId, organizationId, personId, grantId, agentName } = grant
    const agent = { grantId, agentName }
    const preparation = { draftId, tenantId, organizationId, role, preparedBy: personId, agent }
    yield* countDraft(transaction, grantId)
    yield* insertDraft(transaction, preparation, boundContent, now)
    yield* recordRequest(transaction, request, draftId, now)
    return { draftId, role, replayed: false }
  })
})

/** The draft has exactly the requirements of the grant. */
const withRequirements = (content: DraftContent, required: ReadonlyArray<SubjectRequirement>) => {
  if (required.length === 0) return Effect.succeed(content)
  const { subjectRequirements = required } = content
  return digestOf(subjectRequirements) === digestOf(required)
    ? Effect.succeed({ ...content, subjectRequirements })
    : refuse("SUBJECT_REQUIREMENTS_NOT_PRESERVED")
}
