/** Creation of an agreement by a buyer's agent, which gets it into its scope, or by a person. */
import { mayAct, readAuthority, requireLive, type Credential } from "../access/authorize.ts"
import { linkProject, saveScope } from "../access/grant.ts"
import { readDelegator } from "../access/operations.ts"
import {
  memberLocks,
  requireAuthority,
  requireSession,
  requireMembershipIn,
  type ActingPerson
} from "../people/acting-person.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, shared } from "../ports/storage.ts"
import type { TransactionHook } from "../replay/transaction-hook.ts"
import { isReplay, readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import { neverRefused, refuse } from "../vocabulary/refusals.ts"
import { agentOnProject } from "./agent-caller.ts"
import { personViewer } from "./person-caller.ts"
import { agentActor, personActor } from "./event.ts"
import { currentDocuments } from "./legal.ts"
import { areSignersKnown, checkInput, insertProject, type Buyer, type CreateInput } from "./new-project.ts"
import { traced } from "../vocabulary/traced.ts"

export const commitCreation = traced("projects.create")(function* (
  by: Credential,
  request: IdempotentRequest,
  input: CreateInput
) {
  const ids = yield* idSeed
  const documents = yield* currentDocuments
  const areKnown =
    input.signing === undefined || (yield* areSignersKnown(input, (yield* readDelegator(by)).organizationId))
  const projectId = ids("plan").next("delivery")
  const locks = [shared("membership", by.membershipId), exclusive("grant", by.grantId), exclusive("project", projectId)]
  return yield* inTransaction({ locks }, function* (transaction) {
    const [authority, earlier] = yield* readTogether([
      readAuthority(transaction, by),
      readStoredRequest(transaction, request)
    ])
    const now = yield* transaction.now
    const live = yield* requireLive(authority, now)
    if (!mayAct(live, "CREATE_PROJECT", now)) return yield* refuse("FORBIDDEN_AGENT_ACTION")
    if (yield* isReplay(earlier, request))
      return { projectId: earlier!.target, replayed: true as const, actorOnProject: agentOnProject(live, by, now) }
    const { grant } = live
    const { subjectRequirements } = grant
    yield* checkInput(transaction, input, grant, { documents, areSignersKnown: areKnown, subjectRequirements, now })
    // The project is linked first: its first event names the authority head that includes it.
    const scope = yield* linkProject(transaction, grant, projectId, ids("attempt").secret(), now)
    yield* saveScope(transaction, grant.grantId, scope)
    const actor = agentActor({ ...grant, ...scope })
    const project = { projectId, input, buyer: grant, actor, revised: null, now: scope.authorityAt }
    // Terms within the limit of a request body leave room for the first event.
    const stored = yield* insertProject(transaction, project).pipe(neverRefused("DELIVERY_HISTORY_LIMIT_REACHED"))
    yield* recordRequest(transaction, request, projectId, now)
    return { projectId, replayed: false as const, stored, actorOnProject: agentOnProject(live, by, now) }
  })
})

/** Creation by a person for one of their organizations; the hook commits in the same transaction. */
export const commitCreationAsPerson = traced("projects.createAsPerson")(function* <
  HookCode extends RefusalCode = never
>(
  by: ActingPerson,
  request: IdempotentRequest,
  { organizationId, ...input }: CreateInput & { readonly organizationId: string },
  companion?: TransactionHook<HookCode>
) {
  const ids = yield* idSeed
  const documents = yield* currentDocuments
  const areKnown = yield* areSignersKnown(input, organizationId)
  const start = yield* currentTime
  const { membershipId } = yield* inView((reader) => requireMembershipIn(reader, by.personId, organizationId, start))
  const projectId = ids("plan").next("delivery")
  const ownLocks = [...memberLocks(by, membershipId), exclusive("project", projectId)]
  const locks = [...ownLocks, ...(companion?.locks ?? [])]
  return yield* inTransaction({ locks }, function* (transaction) {
    const earlier = yield* readStoredRequest(transaction, request)
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    const membership = yield* requireAuthority(transaction, membershipId, ["AGREEMENT_CREATE"], now)
    const viewerOf = personViewer(by, [{ ...membership, side: "BUYER" }], now)
    if (yield* isReplay(earlier, request)) return { projectId: earlier!.target, replayed: true as const, viewerOf }
    const buyer: Buyer = { personId: by.personId, organizationId, tenantId: membership.tenantId }
    yield* checkInput(transaction, input, buyer, { documents, areSignersKnown: areKnown, now })
    const actor = personActor({ id: by.personId, organizationId, role: "BUYER" })
    const project = { projectId, input, buyer, actor, revised: null, now }
    const stored = yield* insertProject(transaction, project)
    if (companion !== undefined) yield* companion.commit(transaction, projectId, now)
    yield* recordRequest(transaction, request, projectId, now)
    return { projectId, replayed: false as const, stored, viewerOf }
  })
})
