/** Invitations to items: a side of a project invites, and a signed-in person with the code accepts. */
import { Effect } from "effect"
import {
  memberLocks,
  requireAuthority,
  requireSession,
  sessionLocks,
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
import { inTransaction, inView } from "../ports/storage/run.ts"
import { exclusive } from "../ports/storage.ts"
import {
  organizationsOf,
  requireKnownOrganization,
  requireNoOtherSide,
  recordSide
} from "../projects/side-exclusivity.ts"
import { findRepresentation, readRepresentation } from "../projects/representation.ts"
import { isReplay, readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse, requireText } from "../vocabulary/refusals.ts"
import { ParticipationItems, type ItemRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

export interface ParticipationTerms {
  readonly title: string
  readonly instructions: string
  readonly dueAt: Instant | null
}

/** Invites a person to a task on the project; only the response contains the code. */
export const inviteParticipant = traced("participation.invite")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  { projectId, title, instructions, dueAt }: ParticipationTerms & { readonly projectId: string }
) {
  yield* requireText("The title", title, limits.titleCharacters)
  yield* requireText("The instructions", instructions, limits.instructionsCharacters)
  const ids = yield* idSeed
  const invitationId = ids("plan").next("invitation")
  const start = yield* currentTime
  const representation = yield* inView((reader) => findRepresentation(reader, by.personId, projectId, start))
  if (representation === undefined) return yield* refuse("FORBIDDEN")
  const { membershipId, organizationId, side } = representation
  const locks = [
    ...memberLocks(by, membershipId),
    exclusive("invitation", invitationId),
    exclusive("project", projectId)
  ]
  const result = yield* inTransaction({ locks }, function* (transaction) {
    const earlier = yield* readStoredRequest(transaction, request)
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    yield* requireAuthority(transaction, membershipId, [authorityToInvite.PARTICIPATION], now)
    if ((yield* readRepresentation(transaction, membershipId, projectId, now))?.side !== side)
      return yield* refuse("FORBIDDEN")
    if (yield* isReplay(earlier, request)) return { again: earlier!.target }
    yield* recordSide(transaction, { projectId, personId: by.personId, side })
    yield* requireKnownOrganization(transaction, projectId, side)
    if (dueAt !== null && dueAt <= now) {
      return yield* refuse("INVALID_REQUEST", { detail: "dueAt must lie in the future." })
    }
    const terms = { kind: "PARTICIPATION" as const, title, instructions, dueAt }
    const invitation = { invitationId, organizationId, projectId, terms, invitedBy: by.personId, membershipId }
    yield* recordRequest(transaction, request, invitationId, now)
    return yield* insertInvitation(transaction, invitation, request, now)
  })
  if (!("again" in result)) return result
  return yield* inView((reader) => recoverInvitation(reader, result.again, request, start))
})

/** Creates the person's item from an invitation; idempotent for the person who accepted it. */
export const acceptParticipation = traced("participation.accept")(function* (by: ActingPerson, code: string) {
  const earlier = yield* findAccepted(by, code)
  if (earlier !== undefined) return earlier
  return yield* acceptOpen(by, code).pipe(
    Effect.catchTag("Refusal", (refused) =>
      Effect.gen(function* () {
        // Of two concurrent acceptances by one person, the second returns the item of the first.
        const item = refused.code === "INVITATION_UNKNOWN" ? yield* findAccepted(by, code) : undefined
        return item ?? (yield* Effect.fail(refused))
      })
    )
  )
})

const findAccepted = Effect.fnUntraced(function* (by: ActingPerson, code: string) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const { kind, madeId } = yield* findInvitation(reader, code, by, now)
    if (kind !== "PARTICIPATION" || madeId === null) return undefined
    return yield* reader.get(ParticipationItems, [madeId])
  })
})

const acceptOpen = Effect.fnUntraced(function* (by: ActingPerson, code: string) {
  const ids = yield* idSeed
  const itemId = ids("plan").next("item")
  const start = yield* currentTime
  const { personId } = by
  const { invitation, organizations } = yield* inView((reader) =>
    Effect.all({
      invitation: findInvitation(reader, code, by, start),
      organizations: organizationsOf(reader, personId, start)
    })
  )
  const { invitationId, membershipId, terms, projectId, invitedBy } = invitation
  if (terms.kind !== "PARTICIPATION" || projectId === null) return yield* refuse("INVITATION_UNKNOWN")
  const locks = [
    ...sessionLocks(by),
    ...acceptanceLocks(invitation),
    exclusive("item", itemId),
    exclusive("project", projectId)
  ]
  return yield* inTransaction({ locks }, function* (transaction) {
    const now = yield* transaction.now
    yield* requireSession(transaction, by, now)
    yield* requireOpenInvitation(transaction, invitation, now)
    const representation = yield* readRepresentation(transaction, membershipId, projectId, now)
    // The inviter no longer represents a side, which ends the invitation.
    if (representation === undefined) return yield* refuse("INVITATION_UNKNOWN")
    const { side } = representation
    yield* requireNoOtherSide(transaction, { projectId, personId, side }, organizations)
    yield* recordSide(transaction, { projectId, personId, side })
    const { title, instructions, dueAt } = terms
    const item: ItemRow = {
      itemId,
      projectId,
      side,
      invitedBy,
      personId,
      title,
      instructions,
      dueAt,
      state: "OPEN",
      acceptedAt: now,
      endedAt: null,
      noteCount: 0,
      credentialHash: null
    }
    yield* transaction.insert(ParticipationItems, item)
    const conclusion = { state: "ACCEPTED", acceptedBy: personId, madeId: itemId } as const
    yield* concludeInvitation(transaction, invitationId, conclusion, now)
    return item
  })
})
