/** A person as a principal: a live session, and the membership with which they stand on a side of the project. */
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

/** The membership was found before the transaction, which reads it once more under its root. */
export const byPerson = (human: Human, membershipId: string): Principal => ({
  roots: [...humanRoots(human), shared("membership", membershipId)],
  read: (reader) =>
    Effect.map(readMembership(reader, membershipId), (membership) => ({
      personId: human.personId,
      organizationId: membership?.organizationId ?? "",
      reaches: membership !== undefined,
      outside: "FORBIDDEN",
      requireLive: (now) => requireHuman(reader, human, now),
      enter: (stored, now) => {
        const side = membership === undefined ? undefined : standingOf(stored.row, membership, now)
        return membership === undefined || side === undefined
          ? refuse("FORBIDDEN")
          : Effect.succeed(enteredAs(human, { ...membership, side }, stored, reader, now))
      }
    }))
})

/**
 * A person who looks at a project, with every membership that they stand there with: of several, which a named supplier
 * can have before the first answer, each gives what it carries.
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

const enteredAs = (human: Human, member: Member, stored: Stored, reader: Reader, now: Instant): Entered => {
  const { personId } = human
  const { side, organizationId, membershipId } = member
  const onlooker = lookAsPerson(human, [member], now)(stored)
  return {
    by: onlooker.by,
    organizationId,
    actor: personActor({ id: personId, organizationId, role: side }),
    notBefore: now,
    mayAct: (act) => act !== "HANDOFF" && onlooker.mayAct(act),
    requirePresence: (command) =>
      isSignedHere(command) ? requireSignInWithin(reader, human, now, limits.signingSignIn) : Effect.void,
    wishOwner: { personId, membershipId, grantId: null, generation: null }
  }
}

/** What the membership carries, whoever's move it is. */
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

/** Who signs here proved lately who they are. */
const isSignedHere = (command: Command): boolean =>
  (command.kind === "SIGN" || command.kind === "REVIEW") && command.input.signature?.method === "NATIVE"
