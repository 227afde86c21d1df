/** Organizations, persons, memberships and sessions. */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { directoryIssuer } from "../../adapters/sign-in/directory.ts"
import { authorities } from "../../people/membership.ts"
import { createMembership, endMembership } from "../../people/memberships.ts"
import { createOrganization, createPerson } from "../../people/operations.ts"
import { endSessionsOf } from "../../people/sessions.ts"
import { addMilliseconds, now } from "../../vocabulary/instant.ts"
import { act } from "./act.ts"
import { id, name, organization, person, until } from "./flags.ts"

const createOrganizationCommand = act(
  "create-organization",
  { name },
  { description: "Create an organization in a workspace of its own", changes: "DATABASE", run: createOrganization }
)

const createPersonCommand = act(
  "create-person",
  {
    name,
    issuer: Flag.String("issuer").pipe(
      Flag.withDescription("The issuer of the person's sign-in"),
      Flag.withDefault(directoryIssuer)
    ),
    subject: Flag.String("subject").pipe(Flag.withDescription("The person's name at that issuer"))
  },
  { description: "Create a person", changes: "DATABASE", run: createPerson }
)

const year = 365 * 86_400_000

const createMembershipCommand = act(
  "create-membership",
  {
    person,
    organization,
    authority: Flag.Literals("authority", authorities).pipe(
      Flag.atLeast(1),
      Flag.withDescription("An authority of the membership; repeat for several")
    ),
    until
  },
  {
    description: "Join a person to an organization; for a year where --until is absent",
    changes: "DATABASE",
    run: ({ person, organization, authority, until }) =>
      Effect.flatMap(now, (current) =>
        createMembership({
          personId: person,
          organizationId: organization,
          authorities: authority,
          validUntil: Option.getOrElse(until, () => addMilliseconds(current, year))
        })
      )
  }
)

const endMembershipCommand = act(
  "end-membership",
  { membership: id("membership", "The membership's id") },
  {
    description: "End a membership and everything delegated under it",
    changes: "DATABASE",
    run: ({ membership }) => endMembership("OPERATOR", { membershipId: membership })
  }
)

const endSessionsCommand = act(
  "end-sessions",
  { person },
  {
    description: "Sign a person out everywhere; agents keep working",
    changes: "DATABASE",
    run: ({ person }) => endSessionsOf(person)
  }
)

export const organizationActs = [
  createOrganizationCommand,
  createPersonCommand,
  createMembershipCommand,
  endMembershipCommand,
  endSessionsCommand
] as const
