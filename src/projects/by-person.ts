/** A person as caller: a live session and the membership that represents a side of the project. */
import { Effect } from "effect"
import { humanRoots, readMembership, requireHuman, requireSignInWithin, type Human } from "../people/human.ts"
import { holds, type Validity } from "../people/membership.ts"
import { shared, type Reader } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { authorityForAct, type Act } from "./acts.ts"
import type { Command } from "./decide.ts"
import { personActor } from "./event.ts"
import type { Stored } from "./history.ts"
import type { Acting } from "./obstacles.ts"
import type { Entered, Principal } from "./principal.ts"
import type { Project } from "./project.ts"
import type { Onlooker } from "./seen.ts"
import { signerFor } from "./signing.ts"
import { standingOf } from "./speaker.ts"

/** The membership was found before the transaction, which reads it again under its lock. */
export const byPerson = (human: Human, membershipId: string): Principal => ({
  roots: [...humanRoots(human), shared("membership", membershipId)],
  read: (reader) =>
    Effect.map(readMembership(reader, membershipId), (membership) => ({
      personId: human.personId,
      organizationId: membership?.organizationId ?? "",
      isInScope: membership !== undefined,
      outOfScopeCode: "FORBIDDEN",
      requireLive: (now) => requireHuman(reader, human, now),
      requireActor: (stored, now) => {
        const side = membership === undefined ? undefined : standingOf(stored.row, membership, now)
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
export const lookAsPerson =
  (human: Human, memberships: readonly [Member, ...ReadonlyArray<Member>], now: Instant) =>
  ({ project }: Stored): Onlooker => {
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
  readonly side: Acting["side"]
}

const personOnProject = (human: Human, member: Member, stored: Stored, reader: Reader, now: Instant): Entered => {
  const { personId } = human
  const { side, organizationId, membershipId } = member
  const viewer = lookAsPerson(human, [member], now)(stored)
  return {
    by: viewer.by,
    organizationId,
    actor: personActor({ id: personId, organizationId, role: side }),
    notBefore: now,
    mayAct: (act) => act !== "HANDOFF" && viewer.mayAct(act),
    requireRecentSignIn: (command) =>
      isSignedHere(command) ? requireSignInWithin(reader, human, now, limits.signingSignIn) : Effect.void,
    issuanceRequester: { personId, membershipId, grantId: null, generation: null }
  }
}

/** The membership holds the authority of the act, regardless of the state. */
const mayPersonAct = (
  project: Project,
  member: Validity & { readonly side: Acting["side"]; readonly personId: string },
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
