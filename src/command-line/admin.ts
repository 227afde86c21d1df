/** `countersign admin`: what people will do on pages, for an operator. Every command prints one JSON object. */
import { text } from "node:stream/consumers"
import { Console, Effect, Layer, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { actions, isGuarded, roles } from "../access/actions.ts"
import { createGrant, revokeGrant } from "../access/grants.ts"
import { SubjectRequirement } from "../access/wire.ts"
import { Configuration } from "../adapters/configuration.ts"
import * as InstallationKeys from "../adapters/installation-keys.ts"
import { directoryIssuer, setAddress, setPassword } from "../adapters/sign-in/directory.ts"
import { publishSpecification } from "../discovery/publish.ts"
import { pathOfVersion } from "../discovery/specification.ts"
import { authorities } from "../people/membership.ts"
import { onBehalfOf } from "../people/human.ts"
import { createMembership, endMembership } from "../people/memberships.ts"
import { createOrganization, createPerson } from "../people/operations.ts"
import { endSessionsOf } from "../people/sessions.ts"
import { Installation } from "../ports/installation.ts"
import { Signer } from "../ports/signer.ts"
import { pauseProject, resumeProject } from "../projects/automation.ts"
import { grantCredits } from "../records/credits.ts"
import { jwkSet } from "../records/jwk-set.ts"
import { unrepeated } from "../replay/replay.ts"
import { Supplies } from "../service.ts"
import { addMilliseconds, Instant, now } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { mailAddressFrom } from "../vocabulary/mail-address.ts"
import { errorBody, refuse, Refused, requireText } from "../vocabulary/refusals.ts"
import { afterRestoreCommand } from "./after-restore.ts"
import { besideServer, reported, Stopped } from "./production.ts"
import { readSpecificationFile } from "./specification-file.ts"

const operator = Supplies.pipe(Layer.provideMerge(besideServer))

/** Runs an operation against this installation. */
const run = <A, R>(operation: Effect.Effect<A, Refused | Stopped, R>) =>
  printed(operation).pipe(Effect.provide(operator), reported)

/** Prints an operation's answer, or its refusal on standard error. */
const printed = <A, E, R>(operation: Effect.Effect<A, Refused | E, R>) =>
  Effect.catch(Effect.flatMap(operation, printJson), (error): Effect.Effect<never, E | Stopped> => {
    if (!(error instanceof Refused)) return Effect.fail(error)
    const told = Console.error(JSON.stringify(errorBody(error), null, 2))
    return Effect.andThen(told, new Stopped({ message: error.code }))
  })

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
      Flag.withDefault(directoryIssuer)
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
  ({ membership }) => run(endMembership("OPERATOR", { membershipId: membership }))
).pipe(Command.withDescription("End a membership and everything delegated under it"))

const endSessionsCommand = Command.make("end-sessions", { person }, ({ person }) => run(endSessionsOf(person))).pipe(
  Command.withDescription("Sign a person out everywhere; agents go on")
)

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
    proposal: id("proposal", "A proposal it reaches; repeat for several").pipe(Flag.atLeast(0)),
    until
  },
  ({ person, organization, role, agent, action, project, proposal, requirements, until }) =>
    run(
      Effect.flatMap(unrepeated(person), (request) =>
        createGrant(onBehalfOf(person), request, {
          organizationId: organization,
          role,
          agentName: agent,
          actions: action,
          consents: action.filter(isGuarded),
          projectIds: project,
          proposalIds: proposal,
          subjectRequirements: Option.getOrElse(requirements, () => []),
          ...(Option.isSome(until) ? { expiresAt: until.value } : {})
        })
      )
    )
).pipe(Command.withDescription("Give an agent a grant; its token is printed once, here"))

const revokeCommand = Command.make("revoke-grant", { grant: id("grant", "The grant's id") }, ({ grant }) =>
  run(revokeGrant("OPERATOR", { grantId: grant }))
).pipe(Command.withDescription("End a grant at once"))

const pauseCommand = Command.make("pause-project", { person, project, reason }, ({ person, project, reason }) =>
  run(
    Effect.flatMap(unrepeated(person), (request) =>
      pauseProject(onBehalfOf(person), request, { projectId: project, reason })
    )
  )
).pipe(Command.withDescription("Stop the agents of a project, for the person's side"))

const resumeCommand = Command.make("resume-project", { person, project, reason }, ({ person, project, reason }) =>
  run(
    Effect.flatMap(unrepeated(person), (request) =>
      resumeProject(onBehalfOf(person), request, { projectId: project, reason })
    )
  )
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

const specificationCommand = Command.make(
  "publish-specification",
  {
    file: Argument.Path("file").pipe(
      Argument.withDescription("A JSON file: id, title, summary, scope, criteria, baselineStatement?, references?")
    )
  },
  ({ file }) =>
    run(
      Effect.gen(function* () {
        const { siteUrl } = yield* Installation
        const { id, version, digest } = yield* publishSpecification(yield* readSpecificationFile(file))
        return { id, version, digest, address: siteUrl + pathOfVersion(id, version) }
      })
    )
).pipe(
  Command.withDescription("Publish a specification: the next version of its id, or the one that says this already")
)

const keysCommand = Command.make(
  "issuer-keys",
  {
    jwks: Flag.Boolean("jwks").pipe(
      Flag.withDescription("Print a JWK Set (RFC 7517) in place of the trust file; verify-result does not read one"),
      Flag.withDefault(false)
    )
  },
  ({ jwks }) =>
    Signer.pipe(
      Effect.flatMap(({ keys }) => printJson(jwks ? jwkSet(keys) : keys)),
      Effect.provide(InstallationKeys.issuerKeysAlone.pipe(Layer.provide(Configuration.layer))),
      reported
    )
).pipe(Command.withDescription("Print the trust file of this installation, for whoever verifies its records"))

const passwordCommand = Command.make(
  "set-password",
  {
    subject: Flag.String("subject").pipe(Flag.withDescription("Whose, as in create-person; what they sign in with")),
    name: name.pipe(Flag.optional)
  },
  ({ subject, name }) => printed(setPasswordHere(subject, name)).pipe(Effect.provide(Configuration.layer), reported)
).pipe(Command.withDescription("Set a person's password in the directory of the embedded default, from standard input"))

/** Where the directory is; other installations have none. */
const directoryHere = Effect.flatMap(Configuration, ({ databaseUrl, oidcIssuer, dataDirectory }) =>
  Option.isSome(databaseUrl) || Option.isSome(oidcIssuer)
    ? Effect.fail(new Stopped({ message: "the directory is for the embedded default without OIDC_ISSUER only" }))
    : Effect.succeed(dataDirectory)
)

const setPasswordHere = Effect.fnUntraced(function* (subject: string, name: Option.Option<string>) {
  const dataDirectory = yield* directoryHere
  yield* requireText("The subject", subject, limits.titleCharacters)
  if (Option.isSome(name)) yield* requireText("The name", name.value, limits.titleCharacters)
  const password = (yield* Effect.promise(() => text(process.stdin))).replace(/\r?\n$/, "")
  const { passwordCharactersLeast: least, passwordCharactersMost: most } = limits
  if (password.length < least || password.length > most) {
    return yield* refuse("INVALID_REQUEST", { detail: `The password has ${least} to ${most} characters.` })
  }
  return yield* setPassword(dataDirectory, subject, name, password)
})

const addressCommand = Command.make(
  "set-address",
  {
    subject: Flag.String("subject").pipe(Flag.withDescription("Whose, as in set-password")),
    email: Flag.String("email").pipe(
      Flag.withDescription("Where they get their mail; nowhere, where absent"),
      Flag.optional
    )
  },
  ({ subject, email }) => printed(setAddressHere(subject, email)).pipe(Effect.provide(Configuration.layer), reported)
).pipe(
  Command.withDescription("Set a person's e-mail address in the directory of the embedded default, for notifications")
)

const setAddressHere = Effect.fnUntraced(function* (subject: string, email: Option.Option<string>) {
  const dataDirectory = yield* directoryHere
  const address = Option.match(email, { onNone: () => null, onSome: mailAddressFrom })
  if (Option.isSome(email) && address === null) {
    return yield* refuse("INVALID_REQUEST", { detail: "An e-mail address looks like anna@example.org." })
  }
  return yield* setAddress(dataDirectory, subject, address)
})

export const admin = Command.make("admin").pipe(
  Command.withDescription("Administer this installation"),
  Command.withSubcommands([
    organizationCommand,
    personCommand,
    membershipCommand,
    endMembershipCommand,
    endSessionsCommand,
    grantCommand,
    revokeCommand,
    pauseCommand,
    resumeCommand,
    creditsCommand,
    specificationCommand,
    keysCommand,
    passwordCommand,
    addressCommand,
    afterRestoreCommand
  ])
)
