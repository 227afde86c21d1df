/** `countersign admin`: what people will do on pages, for an operator. Every command prints one JSON object. */
import { Console, Effect, Layer, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { actions, roles } from "../access/actions.ts"
import { createGrant, revokeGrant } from "../access/operations.ts"
import { SubjectRequirement } from "../access/wire.ts"
import { Configuration } from "../adapters/configuration.ts"
import * as IssuerKeys from "../adapters/issuer-keys.ts"
import { authorities } from "../people/membership.ts"
import { createMembership, createOrganization, createPerson, endMembership } from "../people/operations.ts"
import { Signer } from "../ports/signer.ts"
import { pauseProject, resumeProject } from "../projects/automation.ts"
import { grantCredits } from "../records/credits.ts"
import { Supplies } from "../service.ts"
import { addMilliseconds, Instant, now } from "../vocabulary/instant.ts"
import { errorBody, type Refused } from "../vocabulary/refusals.ts"
import { besideServer, reported, Stopped } from "./production.ts"

const operator = Supplies.pipe(Layer.provideMerge(besideServer))

/** Runs an operation against this installation and prints its answer, or its refusal on standard error. */
const run = <A, R>(operation: Effect.Effect<A, Refused, R>) =>
  operation.pipe(
    Effect.flatMap(printJson),
    Effect.catchTag("Refused", (refused) =>
      Effect.andThen(Console.error(JSON.stringify(errorBody(refused), null, 2)), new Stopped({ message: refused.code }))
    ),
    Effect.provide(operator),
    reported
  )

const printJson = (value: unknown) => Console.log(JSON.stringify(value, null, 2))

const id = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description))
const name = Flag.String("name").pipe(Flag.withDescription("How people read it"))
const person = id("person", "The person's id")
const organization = id("organization", "The organization's id")
const project = id("project", "The project's id")
const reason = Flag.String("reason").pipe(Flag.withDescription("Why, for the record"))
const until = Flag.String("until").pipe(
  Flag.withSchema(Instant),
  Flag.withDescription("The instant from which it is over, like 2027-11-21T00:00:00.000Z"),
  Flag.optional
)
const year = 365 * 86_400_000

const organizationCommand = Command.make("create-organization", { name }, (input) =>
  run(createOrganization(input))
).pipe(Command.withDescription("Create an organization in a workspace of its own"))

const personCommand = Command.make(
  "create-person",
  {
    name,
    issuer: Flag.String("issuer").pipe(
      Flag.withDescription("Who vouches for the sign-in"),
      Flag.withDefault("https://directory.localhost")
    ),
    subject: Flag.String("subject").pipe(Flag.withDescription("The person's name at that issuer"))
  },
  (input) => run(createPerson(input))
).pipe(Command.withDescription("Create a person"))

const membershipCommand = Command.make(
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
  ({ person, organization, authority, until }) =>
    run(
      Effect.flatMap(now, (current) =>
        createMembership({
          personId: person,
          organizationId: organization,
          authorities: authority,
          validUntil: Option.getOrElse(until, () => addMilliseconds(current, year))
        })
      )
    )
).pipe(Command.withDescription("Join a person to an organization; for a year where --until is absent"))

const endMembershipCommand = Command.make(
  "end-membership",
  { membership: id("membership", "The membership's id") },
  ({ membership }) => run(endMembership({ membershipId: membership }))
).pipe(Command.withDescription("End a membership and everything delegated under it"))

const grantCommand = Command.make(
  "create-grant",
  {
    person,
    organization,
    role: Flag.Literals("role", roles).pipe(Flag.withDescription("The side the agent acts for")),
    agent: Flag.String("agent").pipe(Flag.withDescription("The agent's name")),
    action: Flag.Literals("action", actions).pipe(
      Flag.atLeast(0),
      Flag.withDescription("An action of the grant; repeat for several, none for read only")
    ),
    requirements: Flag.FileSchema("requirements", Schema.Array(SubjectRequirement), { format: "json" }).pipe(
      Flag.withDescription("A JSON file of subject requirements that bind what the agent creates"),
      Flag.optional
    ),
    project: project.pipe(Flag.atLeast(0), Flag.withDescription("A project it reaches; repeat for several")),
    until
  },
  ({ person, organization, role, agent, action, project, requirements, until }) =>
    run(
      createGrant({
        personId: person,
        organizationId: organization,
        role,
        agentName: agent,
        actions: action,
        projectIds: project,
        subjectRequirements: Option.getOrElse(requirements, () => []),
        ...(Option.isSome(until) ? { expiresAt: until.value } : {})
      })
    )
).pipe(Command.withDescription("Give an agent a grant; its token is printed once, here"))

const revokeCommand = Command.make("revoke-grant", { grant: id("grant", "The grant's id") }, ({ grant }) =>
  run(revokeGrant({ grantId: grant }))
).pipe(Command.withDescription("End a grant at once"))

const pauseCommand = Command.make("pause-project", { person, project, reason }, ({ person, project, reason }) =>
  run(pauseProject({ personId: person, projectId: project, reason }))
).pipe(Command.withDescription("Stop the agents of a project, for the person's side"))

const resumeCommand = Command.make("resume-project", { person, project, reason }, ({ person, project, reason }) =>
  run(resumeProject({ personId: person, projectId: project, reason }))
).pipe(Command.withDescription("Lift the pause of the person's side"))

const creditsCommand = Command.make(
  "grant-credits",
  {
    organization,
    credits: Flag.Int("credits").pipe(Flag.withDescription("How many result records it may issue")),
    reference: Flag.String("reference").pipe(Flag.withDescription("What they were granted for"))
  },
  ({ organization, ...input }) => run(grantCredits({ organizationId: organization, ...input }))
).pipe(Command.withDescription("Grant result credits to an organization"))

const keysCommand = Command.make("issuer-keys", {}, () =>
  Signer.pipe(
    Effect.flatMap(({ keys }) => printJson(keys)),
    Effect.provide(IssuerKeys.layer.pipe(Layer.provide(Configuration.layer))),
    reported
  )
).pipe(Command.withDescription("Print the trust file of this installation, for whoever verifies its records"))

export const admin = Command.make("admin").pipe(
  Command.withDescription("Administer this installation"),
  Command.withSubcommands([
    organizationCommand,
    personCommand,
    membershipCommand,
    endMembershipCommand,
    grantCommand,
    revokeCommand,
    pauseCommand,
    resumeCommand,
    creditsCommand,
    keysCommand
  ])
)
