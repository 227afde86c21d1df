/** A buyer's agent commits an agreement: the project, its first event and its place in the grant's scope, at once. */
import { Effect } from "effect"
import type { SubjectRequirement } from "../access/actions.ts"
import { mayAct, readAuthority, requireLive, type Authority, type Credential } from "../access/authorize.ts"
import { linkProject, saveScope } from "../access/grant.ts"
import { digestOf } from "../canonical/digest.ts"
import { canonicalText } from "../canonical/jcs.ts"
import { readPerson } from "../people/operations.ts"
import { exclusive, shared, Storage, type Transaction } from "../ports/storage.ts"
import { isReplay, readRequest, rememberRequest, type Request } from "../replay/replay.ts"
import { idSeed, type IdStream } from "../vocabulary/ids.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { agreementDigest, type Agreement, type LegalDocument, type Terms } from "./agreement.ts"
import { agentActor } from "./event.ts"
import { refuseFull, rowOf, sealEvent } from "./history.ts"
import { checkCreation, currentDocuments } from "./legal.ts"
import { projectFrom } from "./project.ts"
import { ProjectEvents, Projects, ProjectSides } from "./store.ts"

/** The creation input; documents and confirmation may be missing, which is refused with its own code. */
export interface CreateInput extends Omit<Terms, "legalContext"> {
  readonly requestId: string
  readonly legalContext?: Terms["legalContext"]
  readonly confirmationDigest?: string
}

export const createProject = Effect.fn("projects.create")(function* (
  by: Credential,
  request: Request,
  input: CreateInput
) {
  const storage = yield* Storage
  const ids = yield* idSeed
  const documents = yield* currentDocuments
  const projectId = ids("plan").next("delivery")
  const roots = [shared("membership", by.membershipId), exclusive("grant", by.grantId), exclusive("project", projectId)]
  return yield* storage.transaction({ roots }, (transaction) =>
    Effect.gen(function* () {
      const [authority, earlier, supplier] = yield* Effect.all(
        [readAuthority(transaction, by), readRequest(transaction, request), readSupplier(transaction, input)],
        { concurrency: "unbounded" }
      )
      const now = yield* transaction.now
      const live = yield* requireLive(authority, now)
      if (!mayAct(live, "CREATE_PROJECT", now)) return yield* refuse("FORBIDDEN_AGENT_ACTION")
      if (yield* isReplay(earlier, request)) return { projectId: earlier!.target, replayed: true }
      yield* checkInput(live, input, documents, supplier !== undefined, now)
      yield* insertProject(transaction, live, projectId, input, ids("attempt"), now)
      yield* rememberRequest(transaction, request, projectId, now)
      return { projectId, replayed: false }
    })
  )
})

const readSupplier = (transaction: Transaction, { supplierActorId }: CreateInput) =>
  supplierActorId === undefined ? Effect.undefined : readPerson(transaction, supplierActorId)

const checkInput = Effect.fnUntraced(function* (
  { grant }: Authority,
  input: CreateInput,
  documents: ReadonlyArray<LegalDocument>,
  isSupplierKnown: boolean,
  now: Instant
) {
  if (input.deadline <= now) return yield* refuse("DEADLINE_NOT_FUTURE")
  if (input.supplierActorId !== undefined) {
    if (input.supplierActorId === grant.personId) return yield* refuse("SAME_PARTY")
    if (!isSupplierKnown) return yield* refuse("UNKNOWN_SUPPLIER")
  }
  if (!areSame(input.subjectRequirements, grant.subjectRequirements)) {
    return yield* refuse("SUBJECT_REQUIREMENTS_NOT_PRESERVED")
  }
  const missing = checkCreation(input, documents)
  return missing === undefined ? undefined : yield* Effect.fail(missing)
})

const areSame = (a: ReadonlyArray<SubjectRequirement>, b: ReadonlyArray<SubjectRequirement>): boolean =>
  digestOf(a) === digestOf(b)

const insertProject = Effect.fnUntraced(function* (
  transaction: Transaction,
  { grant }: Authority,
  projectId: string,
  input: CreateInput,
  ids: IdStream,
  now: Instant
) {
  const { requestId, confirmationDigest, ...terms } = input
  const agreement: Agreement = {
    schema: "service.agreement/v1",
    projectId,
    version: 1,
    previous: null,
    // Both were checked to be there.
    terms: terms as Terms,
    buyer: { organizationId: grant.organizationId, actorId: grant.personId },
    supplier: { actorId: input.supplierActorId ?? null }
  }
  const digest = agreementDigest(agreement)
  // The link comes first: the first event names the authority head that already reaches this project.
  const scope = yield* linkProject(transaction, grant, projectId, ids.secret(), now)
  yield* saveScope(transaction, grant.grantId, scope)
  const actor = agentActor({ ...grant, ...scope })
  const payload = { agreementDigest: digest, confirmationDigest: confirmationDigest! }
  const occurrence = { happening: { kind: "CREATE", payload } as const, requestId, actor, now: scope.authorityAt }
  const empty = projectFrom(agreement, digest, [])
  const { event, jws, bytes } = yield* sealEvent(empty, now, occurrence)
  const text = canonicalText(agreement)
  const historyBytes = Buffer.byteLength(text) + bytes
  if (historyBytes > limits.historyBytes - limits.historyBytesReserved) return yield* refuseFull
  yield* transaction.insert(Projects, {
    projectId,
    tenantId: grant.tenantId,
    buyerOrganizationId: grant.organizationId,
    buyerActorId: grant.personId,
    supplierActorId: agreement.supplier.actorId,
    supplierOrganizationId: null,
    state: empty.state,
    agreement: text,
    agreementDigest: digest,
    headEventHash: event.hash,
    eventCount: 1,
    historyBytes,
    lastEventAt: event.occurredAt,
    automationRevision: 0,
    pauses: [],
    createdAt: now
  })
  yield* transaction.insert(ProjectEvents, rowOf(event, jws))
  yield* transaction.insert(ProjectSides, { party: grant.organizationId, projectId, role: "BUYER" })
  const { actorId } = agreement.supplier
  if (actorId !== null) yield* transaction.insert(ProjectSides, { party: actorId, projectId, role: "SUPPLIER" })
})
