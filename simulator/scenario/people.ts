/**
 * The acts of an operator, also for people without a session, through the operations of the command line; and the
 * sign-in of a person, since there is no provider. This is the only file of the simulator that calls operations
 * directly; agents and signed-in people use HTTP.
 */
import { Effect, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { isGuarded } from "../../src/access/actions.ts"
import { createGrant, revokeGrant } from "../../src/access/grants.ts"
import { sweepConnections } from "../../src/access/sweep.ts"
import { paymentPass } from "../../src/commerce/worker.ts"
import { SpecificationContent } from "../../src/discovery/input.ts"
import { publishSpecification } from "../../src/discovery/publish.ts"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { createOrganization, createPerson } from "../../src/people/operations.ts"
import { signInWithProof } from "../../src/people/sessions.ts"
import { pauseProject, resumeProject } from "../../src/projects/automation.ts"
import { projectParties } from "../../src/projects/parties.ts"
import { proposalParties } from "../../src/proposals/parties.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { issueDueRecords } from "../../src/records/issuance.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { addMilliseconds, now, type Instant } from "../../src/vocabulary/instant.ts"
import { committedEvents } from "../../src/webhooks/committed-events-layer.ts"
import { refuse, type Refusal } from "../../src/vocabulary/refusals.ts"
import { introduceImportedParties } from "./imported-project.ts"
import { providerActs, type ImpossibleAct } from "./provider-acts.ts"
import { webhookActs } from "./receiver-acts.ts"
import { targetAt } from "../environment/webhook-receivers/receiver.ts"
import type { NameRegistry } from "../clients/name-registry.ts"
import type { ScenarioContext } from "./scenario-context.ts"
import {
  ChangeLegalDocuments,
  EndMembership,
  GrantAgent,
  GrantCredits,
  Pause,
  RevokeGrant,
  SetAnswers,
  SetClock,
  SetKeys,
  SetMailServer,
  SetProvider
} from "./operations/operation-forms.ts"
import type { Ports } from "../environment/ports.ts"
import { roles } from "../environment/processes/process.ts"
import { offsetInMilliseconds } from "../vocabulary/duration.ts"
import { asJson, type JsonObject } from "../vocabulary/json.ts"
import type { WorldDefinition } from "./format/scenario.ts"

/** One act with resolved references. */
export interface Act {
  readonly actor: string
  readonly on: string | undefined
  readonly input: JsonObject
}

/** The parts of the scenario context that acts use. */
type ActContext = Pick<ScenarioContext, "directory" | "recorder" | "world">

type ActResult<A, E = Refusal> = Effect.Effect<A, E, Ports | SecureRandom.SecureRandom>

/** Creates the initial world of the scenario. */
export const createInitialWorld = Effect.fnUntraced(function* (
  { given, start }: WorldDefinition,
  context: ScenarioContext
) {
  const { directory, recorder, world } = context
  const recordGiven = (name: string, is: string, answer: JsonObject) =>
    recorder.observe({ kind: "given", name, is, answer })
  for (const [name, title] of Object.entries(given.organizations ?? {})) {
    const answer = yield* createOrganization({ name: title })
    directory.addOrganization(name, answer.organizationId)
    recordGiven(name, "organization", answer)
  }
  const validUntil = addMilliseconds(start, membershipLifetime)
  for (const [name, person] of Object.entries(given.people ?? {})) {
    const issuer = given.providers?.[person.provider ?? ""]?.issuer ?? directoryIssuer
    const identity = { issuer, subject: name, name: person.name, email: person.email ?? null }
    const answer = yield* createPerson({ issuer, subject: name, name: person.name })
    directory.addPerson(name, answer.personId, identity, person.provider)
    recordGiven(name, "person", answer)
    for (const [organization, authorities] of Object.entries(person.member ?? {})) {
      const organizationId = directory.organizations.get(organization) ?? ""
      const member = yield* createMembership({ personId: answer.personId, organizationId, authorities, validUntil })
      directory.people.get(name)?.memberships.set(organization, member.membershipId)
      recordGiven(name, `member of ${organization}`, member)
    }
  }
  for (const [name, { host, addresses = [] }] of Object.entries(given.receivers ?? {})) {
    directory.names.set(name, { host, target: targetAt(host) })
    recordGiven(name, "receiver", { host, addresses })
  }
  for (const [name, credits] of Object.entries(given.credits ?? {})) {
    const organizationId = directory.organizations.get(name) ?? ""
    recordGiven(name, "credits", yield* grantCredits({ organizationId, credits, reference: "given" }))
  }
  for (const [name, { for: actor, ...granted }] of Object.entries(given.agents ?? {})) {
    recordGiven(
      name,
      `agent of ${actor}`,
      yield* grantDirectly({ actor, on: undefined, input: { agent: name, ...granted } }, context)
    )
  }
  if (given.imported !== undefined) yield* introduceImportedParties(given.imported, context)
  for (const role of roles) world.clocks.set(role, offsetInMilliseconds(given.clocks?.[role] ?? "0s"))
})

const directoryIssuer = "https://people.countersign.test"
const membershipLifetime = 365 * 86_400_000

/** A person without a session grants authority to an agent. */
const grantDirectly = (act: Act, { directory, recorder }: ActContext): ActResult<JsonObject> =>
  Effect.gen(function* () {
    const input = Schema.decodeUnknownSync(GrantAgent)(act.input)
    const person = directory.people.get(act.actor)
    const organization = input.organization ?? [...(person?.memberships.keys() ?? [])][0] ?? ""
    const personId = person?.id ?? ""
    const granted = yield* createGrant(onBehalfOf(personId), yield* nonIdempotentRequest(personId), {
      organizationId: directory.organizations.get(organization) ?? "",
      role: input.role,
      agentName: input.agent,
      actions: input.actions,
      consents: input.actions.filter(isGuarded),
      projectIds: input.projects ?? [],
      proposalIds: input.proposals ?? [],
      subjectRequirements: input.subjectRequirements ?? [],
      ...(input.expiresAt === undefined ? {} : { expiresAt: input.expiresAt as Instant })
    })
    recorder.hide(granted.token, `token of ${input.agent}`)
    directory.addAgent(input.agent, {
      id: granted.agentId,
      grantId: granted.grantId,
      token: granted.token,
      role: input.role,
      personId: person?.id ?? ""
    })
    return { ...granted }
  }).pipe(Effect.provide([projectParties, proposalParties]))

export const acts: {
  readonly [name: string]: (act: Act, context: ActContext) => ActResult<JsonObject, Refusal | ImpossibleAct>
} = {
  tell: () => Effect.succeed({}),
  signIn: ({ actor }, { directory, recorder, world }) =>
    Effect.gen(function* () {
      const person = directory.people.get(actor)
      if (person === undefined) return yield* refuse("UNKNOWN_PARTY")
      const proof = Effect.gen(function* () {
        const state = world.environment.providers.get(person.provider ?? "")
        if (state === "DOWN") return yield* refuse("TEMPORARILY_UNAVAILABLE")
        if (state === "DENYING") return yield* refuse("SIGN_IN_FAILED")
        return { ...person.identity, authenticatedAt: yield* now }
      })
      const current = person.session === undefined ? {} : { current: person.session }
      const { options: _, ...started } = yield* signInWithProof(proof, () =>
        Effect.succeed({ ...current, isInvited: false })
      )
      recorder.hide(started.token, `session of ${actor}`)
      person.session = started.token
      return started
    }),
  grantAgent: grantDirectly,
  revokeGrant: ({ input }, { directory }) => {
    const { agent } = Schema.decodeUnknownSync(RevokeGrant)(input)
    return revokeGrant("OPERATOR", { grantId: directory.agents.get(agent)?.grantId ?? "" })
  },
  endMembership: ({ input }, { directory }) => {
    const { person, organization } = Schema.decodeUnknownSync(EndMembership)(input)
    return endMembership("OPERATOR", {
      membershipId: directory.people.get(person)?.memberships.get(organization) ?? ""
    })
  },
  sweepConnections: () => Effect.as(sweepConnections(), {}),
  issueDueRecords: () => Effect.as(issueDueRecords(), {}).pipe(Effect.provide(committedEvents)),
  changeLegalDocuments: ({ input }, { world }) =>
    Effect.sync(() => {
      world.environment.changeLegalDocuments(Schema.decodeUnknownSync(ChangeLegalDocuments)(input).documents)
      return {}
    }),
  setMailServer: ({ input }, { world }) =>
    Effect.sync(() => {
      world.environment.mailServer = Schema.decodeUnknownSync(SetMailServer)(input).state
      return {}
    }),
  setProvider: ({ input }, { world }) =>
    Effect.sync(() => {
      const { provider, state } = Schema.decodeUnknownSync(SetProvider)(input)
      world.environment.providers.set(provider, state)
      return {}
    }),
  setClock: ({ input }, { world }) =>
    Effect.sync(() => {
      const { process, offset } = Schema.decodeUnknownSync(SetClock)(input)
      world.clocks.set(process, offsetInMilliseconds(offset))
      return {}
    }),
  setAnswers: ({ input }, { world }) =>
    Effect.sync(() => {
      const { to, members } = Schema.decodeUnknownSync(SetAnswers)(input)
      world.environment.answerChanges.set(to, members)
      return {}
    }),
  setKeys: ({ input }, { world }) =>
    Effect.sync(() => {
      world.environment.keyPurposes = Schema.decodeUnknownSync(SetKeys)(input).purposes
      return {}
    }),
  publishSpecification: ({ input }) => publishSpecification(Schema.decodeUnknownSync(SpecificationContent)(input)),
  grantCredits: ({ input }, { directory }) => {
    const { organization, credits, reference } = Schema.decodeUnknownSync(GrantCredits)(input)
    return grantCredits({ organizationId: directory.organizations.get(organization) ?? "", credits, reference })
  },
  readBackPayments: () => Effect.as(paymentPass, {}),
  ...webhookActs,
  ...providerActs,
  pauseProject: (act, { directory }) => changeAutomation(pauseProject, act, directory),
  resumeProject: (act, { directory }) => changeAutomation(resumeProject, act, directory)
}

const changeAutomation = (change: typeof pauseProject, { actor, on, input }: Act, directory: NameRegistry) =>
  Effect.gen(function* () {
    const personId = directory.people.get(actor)?.id ?? ""
    const { reason } = Schema.decodeUnknownSync(Pause)(input)
    const answer = yield* change(onBehalfOf(personId), yield* nonIdempotentRequest(personId), {
      projectId: on ?? "",
      reason
    })
    return asJson(answer) as JsonObject
  })
