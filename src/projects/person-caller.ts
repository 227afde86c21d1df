/** A person as caller: a live session and the membership that represents a side of the project. */
import { Effect } from "effect"
import {
  sessionLocks,
  readMembership,
  requireSession,
  requireSignInWithin,
  type ActingPerson
} from "../people/acting-person.ts"
import { holds, type Validity } from "../people/membership.ts"
import { shared, type Reader } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { authorityForAct } from "./acts.ts"
import type { Act } from "./moves.ts"
import type { Command, CommandKind } from "./decide.ts"
import { personActor } from "./event.ts"
import type { StoredProject } from "./history.ts"
import type { PartyActor } from "./guard-context.ts"
import type { ActorOnProject, ProjectCaller, SignInRefusal } from "./caller.ts"
import type { Project } from "./project.ts"
import type { ProjectViewer } from "./read-model.ts"
import { signerFor } from "./signing.ts"
import { sideOfMembership } from "./representation.ts"

/** The membership was found before the transaction, which reads it again under its lock. */
export const personAsCaller = (human: ActingPerson, membershipId: string): ProjectCaller => ({
  locks: [...sessionLocks(human), shared("membership", membershipId)],
  read: (reader) =>
    Effect.map(readMembership(reader, membershipId), (membership) => ({
      personId: human.personId,
      organizationId: membership?.organizationId ?? "",
      isInScope: membership !== undefined,
      outOfScopeCode: "FORBIDDEN",
      requireLive: (now) => requireSession(reader, human, now),
      requireActor: (stored, now) => {
        const side = membership === undefined ? undefined : sideOfMembership(stored.row, membership, now)
        return membership === undefined || side === undefined
          ? refuse("FORBIDDEN")
          : Effect.succeed(personOnProject(human, { ...membership, side }, stored, reader, now))
      }
    }))
})

/**
 * A person as viewer of a project, with the union of the authorities of their memberships there. Only a named supplier
 * before the first response has several.
 */
export const personViewer =
  (human: ActingPerson, memberships: readonly [Member, ...ReadonlyArray<Member>], now: Instant) =>
  ({ project }: StoredProject): ProjectViewer => {
    const [{ side, organizationId }] = memberships
    return {
      by: { personId: human.personId, side, isPerson: true },
      organizationId,
      mayAct: (act) =>
        memberships.some((member) => mayPersonAct(project, { ...member, personId: human.personId }, act, now))
    }
  }

interface Member extends Validity {
  readonly membershipId: string
  readonly organizationId: string
  readonly side: PartyActor["side"]
}

const personOnProject = (
  human: ActingPerson,
  member: Member,
  stored: StoredProject,
  reader: Reader,
  now: Instant
): ActorOnProject => {
  const { personId } = human
  const { side, organizationId, membershipId } = member
  const viewer = personViewer(human, [member], now)(stored)
  return {
    by: viewer.by,
    organizationId,
    actor: personActor({ id: personId, organizationId, role: side }),
    notBefore: now,
    mayAct: (act) => act !== "HANDOFF" && viewer.mayAct(act),
    requireRecentSignIn: <K extends CommandKind>(command: Command<K>) =>
      (isSignedHere(command as Command)
        ? requireSignInWithin(reader, human, now, limits.signingSignIn)
        : Effect.void) as Effect.Effect<void, SignInRefusal<K>>,
    issuanceRequester: { personId, membershipId, grantId: null, generation: null }
  }
}

/** The membership holds the authority of the act, regardless of the state. */
const mayPersonAct = (
  project: Project,
  member: Validity & { readonly side: PartyActor["side"]; readonly personId: string },
  act: Act,
  now: Instant
): boolean => {
  const isNamedSigner =
    project.agreement.terms.signing?.method === "NATIVE" && signerFor(project, member.side) === member.personId
  const authority = authorityForAct(act, member.side, isNamedSigner)
  return authority === null || holds(member, authority, now)
}

/** A native signature requires a recent sign-in. */
const isSignedHere = (command: Command): boolean =>
  (command.kind === "SIGN" || command.kind === "REVIEW") && command.input.signature?.method === "NATIVE"
