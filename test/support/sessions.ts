/** Signed-in people. */
import { Effect } from "effect"
import { membershipsOf } from "../../src/people/acting-person.ts"
import { signIn } from "../../src/people/sessions.ts"
import { Storage } from "../../src/ports/storage.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { uuid } from "./parties.ts"

/** A new person whose first sign-in created a workspace, with every authority. */
export const signInNewPerson = Effect.fnUntraced(function* (name: string) {
  const identity = yield* identityOf(name)
  const session = yield* signIn(identity, { isInvited: false })
  const storage = yield* Storage
  const [membership] = yield* storage.view((reader) => membershipsOf(reader, session.personId))
  const { membershipId, organizationId } = membership!
  return { ...session, name, identity, membershipId, organizationId }
})

export type SignedInPerson = Effect.Success<ReturnType<typeof signInNewPerson>>

/** The claims of a provider about a new person. */
export const identityOf = (name: string) =>
  Effect.map(now, (authenticatedAt) => ({
    issuer: "https://people.test",
    subject: `${name}-${uuid()}`,
    name,
    email: null,
    authenticatedAt
  }))
