/** The named supplier representative: invited by the buyer, bound to the agreement by accepting. */
import { Effect } from "effect"
import {
  memberLocks,
  membershipIn,
  requireAuthority,
  requireSession,
  requireMembershipIn,
  type ActingPerson
} from "../people/acting-person.ts"
import {
  acceptanceLocks,
  authorityToInvite,
  concludeInvitation,
  findInvitation,
  insertInvitation,
  requireOpenInvitation,
  recoverInvitation
} from "../people/invitation.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive } from "../ports/storage.ts"
import { isReplay, readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { personActor } from "./event.ts"
import { appendEvent, readStoredProject, type StoredProject } from "./history.ts"
import { stateGuard, historyLimitGuard } from "./guards.ts"
import { noRelatedFacts, type GuardContext } from "./guard-context.ts"
import { recordSide } from "./side-exclusivity.ts"
import { Projects } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** Invites a person to become the supplier of an agreement that names none; only the response contains the code. */
export const inviteRepresentative = traced("projects.inviteRepresentative")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  { projectId }: { readonly projectId: string }
) {
  const ids = yield* idSeed
  const invitationId = ids("plan").next("invitation")
  const start = yield* currentTime
  const { membershipId, organizationId } = yield* inView(function* (reader) {
    const row = yield* reader.get(Projects, [projectId])
    // Another party's project and an unknown one are indistinguishable.
    const membership =
      row === undefined ? undefined : yield* membershipIn(reader, by.personId, row.buyerOrganizationId, start)
    return membership ?? (yield* refuse("FORBIDDEN"))
  })
  const locks = [
    ...memberLocks(by, membershipId),
    exclusive("invitation", invitationId),
    exclusive("project", projectId)
  ]
  const result = yield* inTransaction({ locks }, function* (transaction) {
    const [stored, earlier] = yield* readTogether([
      readStoredProject(transaction, projectId),
      readStoredRequest(transaction, request)
    ])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    yield* requireAuthority(transaction, membershipId, [authorityToInvite.REPRESENTATIVE], now)
    if (stored === undefined) return yield* refuse("FORBIDDEN")
    if (yield* isReplay(earlier, request)) return { again: earlier!.target }
    yield* requireNoSupplier(stored, now)
    yield* recordSide(transaction, { projectId, personId: by.personId, side: "BUYER" })
    const { agreementDigest, agreement } = stored.project
    const terms = { kind: "REPRESENTATIVE" as const, title: agreement.terms.title, agreementDigest }
    const invitation = { invitationId, organizationId, projectId, terms, invitedBy: by.personId, membershipId }
    yield* recordRequest(transaction, request, invitationId, now)
    return yield* insertInvitation(transaction, invitation, request, now)
  })
  if (!("again" in result)) return result
  return yield* inView((reader) => recoverInvitation(reader, result.again, request, start))
})

/** Binds the person to the agreement as its supplier, for one of their organizations. */
export const acceptRepresentation = traced("projects.acceptRepresentation")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  { code, organizationId }: { readonly code: string; readonly organizationId: string }
) {
  const start = yield* currentTime
  const { invitation, membershipId } = yield* inView(function* (reader) {
    const invitation = yield* findInvitation(reader, code, by, start)
    const { membershipId } = yield* requireMembershipIn(reader, by.personId, organizationId, start)
    return { invitation, membershipId }
  })
  const { invitationId, terms, projectId } = invitation
  if (terms.kind !== "REPRESENTATIVE" || projectId === null) return yield* refuse("INVITATION_UNKNOWN")
  const locks = [...memberLocks(by, membershipId), ...acceptanceLocks(invitation), exclusive("project", projectId)]
  return yield* inTransaction({ locks }, function* (transaction) {
    const [stored, earlier] = yield* readTogether([
      readStoredProject(transaction, projectId),
      readStoredRequest(transaction, request)
    ])
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    if (yield* isReplay(earlier, request)) return { projectId }
    yield* requireOpenInvitation(transaction, invitation, now)
    yield* requireAuthority(transaction, membershipId, ["TERMS_RESPOND"], now)
    if (stored === undefined) return yield* refuse("INVITATION_UNKNOWN")
    yield* requireNoSupplier(stored, now)
    if (stored.project.agreement.buyer.actorId === by.personId) return yield* refuse("SAME_PARTY")
    yield* recordSide(transaction, { projectId, personId: by.personId, side: "SUPPLIER" })
    const actor = personActor({ id: by.personId, organizationId, role: "SUPPLIER" })
    const payload = { agreementDigest: terms.agreementDigest, invitationId, supplierActorId: by.personId }
    const content = { kind: "INVITATION_ACCEPTED" as const, payload }
    yield* appendEvent(transaction, stored, { content, requestId: request.requestId, actor, now })
    const conclusion = { state: "ACCEPTED", acceptedBy: by.personId, madeId: projectId } as const
    yield* concludeInvitation(transaction, invitationId, conclusion, now)
    yield* recordRequest(transaction, request, projectId, now)
    return { projectId }
  })
})

/** The agreement names no supplier yet, as creating and accepting an invitation require. */
const requireNoSupplier = ({ project }: StoredProject, now: Instant) => {
  const by = { personId: "", side: "SUPPLIER", isPerson: true } as const
  const moment: GuardContext = { by, now, isIssuanceRequested: false, relatedFacts: noRelatedFacts }
  const refused = historyLimitGuard(project, "ACCEPT_INVITATION") ?? stateGuard(project, "ACCEPT_INVITATION", moment)
  return refused === undefined ? Effect.void : Effect.fail(refused)
}
