/**
 * What people and operators do in a world, through the same operations as their pages and commands will call. This is
 * the only file of the simulator that calls operations directly; agents speak HTTP.
 */
import { Effect, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { createGrant, revokeGrant } from "../src/access/operations.ts"
import { createMembership, createOrganization, createPerson, endMembership } from "../src/people/operations.ts"
import { pauseProject, resumeProject } from "../src/projects/automation.ts"
import { projectParties } from "../src/projects/parties.ts"
import { grantCredits } from "../src/records/credits.ts"
import { addMilliseconds, type Instant } from "../src/vocabulary/instant.ts"
import type { Refused } from "../src/vocabulary/refusals.ts"
import type { Directory } from "./directory.ts"
import { EndMembership, GrantAgent, GrantCredits, Pause, RevokeGrant } from "./operations/forms.ts"
import type { Ports } from "./ports.ts"
import type { Recorder } from "./recorder.ts"
import { asJson, type JsonObject } from "./script/json.ts"
import type { Scenario } from "./script/scenario.ts"

/** One act: who, on what, with which words. References are resolved. */
export interface Act {
  readonly actor: string
  readonly on: string | undefined
  readonly input: JsonObject
}

type Doing<A> = Effect.Effect<A, Refused, Ports | SecureRandom.SecureRandom>

/** Makes the world that the scenario starts from. */
export const arrange = Effect.fnUntraced(function* (
  { given, start }: Scenario,
  directory: Directory,
  recorder: Recorder
) {
  const made = (name: string, is: string, answer: JsonObject) => recorder.observe({ kind: "given", name, is, answer })
  for (const [name, title] of Object.entries(given.organizations ?? {})) {
    const answer = yield* createOrganization({ name: title })
    directory.addOrganization(name, answer.organizationId)
    made(name, "organization", answer)
  }
  const validUntil = addMilliseconds(start, membershipLifetime)
  for (const [name, person] of Object.entries(given.people ?? {})) {
    const answer = yield* createPerson({ name: person.name, issuer: directoryIssuer, subject: name })
    directory.addPerson(name, answer.personId)
    made(name, "person", answer)
    for (const [organization, authorities] of Object.entries(person.member ?? {})) {
      const organizationId = directory.organizations.get(organization) ?? ""
      const member = yield* createMembership({ personId: answer.personId, organizationId, authorities, validUntil })
      directory.people.get(name)?.memberships.set(organization, member.membershipId)
      made(name, `member of ${organization}`, member)
    }
  }
  for (const [name, credits] of Object.entries(given.credits ?? {})) {
    const organizationId = directory.organizations.get(name) ?? ""
    made(name, "credits", yield* grantCredits({ organizationId, credits, reference: "given" }))
  }
})

const directoryIssuer = "https://people.countersign.test"
const membershipLifetime = 365 * 86_400_000

export const personActs: {
  readonly [name: string]: (act: Act, directory: Directory, recorder: Recorder) => Doing<JsonObject>
} = {
  grantAgent: (act, directory, recorder) =>
    Effect.gen(function* () {
      const input = Schema.decodeUnknownSync(GrantAgent)(act.input)
      const person = directory.people.get(act.actor)
      const organization = input.organization ?? [...(person?.memberships.keys() ?? [])][0] ?? ""
      const granted = yield* createGrant({
        personId: person?.id ?? "",
        organizationId: directory.organizations.get(organization) ?? "",
        role: input.role,
        agentName: input.agent,
        actions: input.actions,
        projectIds: input.projects ?? [],
        subjectRequirements: input.subjectRequirements ?? [],
        ...(input.expiresAt === undefined ? {} : { expiresAt: input.expiresAt as Instant })
      })
      recorder.hide(granted.token, `{token of ${input.agent}}`)
      directory.addAgent(input.agent, {
        id: granted.agentId,
        grantId: granted.grantId,
        token: granted.token,
        role: input.role,
        personId: person?.id ?? ""
      })
      return { ...granted }
    }).pipe(Effect.provide(projectParties)),
  revokeGrant: ({ input }, directory) => {
    const { agent } = Schema.decodeUnknownSync(RevokeGrant)(input)
    return revokeGrant({ grantId: directory.agents.get(agent)?.grantId ?? "" })
  },
  endMembership: ({ input }, directory) => {
    const { person, organization } = Schema.decodeUnknownSync(EndMembership)(input)
    return endMembership({ membershipId: directory.people.get(person)?.memberships.get(organization) ?? "" })
  },
  grantCredits: ({ input }, directory) => {
    const { organization, credits, reference } = Schema.decodeUnknownSync(GrantCredits)(input)
    return grantCredits({ organizationId: directory.organizations.get(organization) ?? "", credits, reference })
  },
  pauseProject: (act, directory) => Effect.map(pauseProject(pauseInput(act, directory)), asJson),
  resumeProject: (act, directory) => Effect.map(resumeProject(pauseInput(act, directory)), asJson)
}

const pauseInput = ({ actor, on, input }: Act, directory: Directory) => ({
  personId: directory.people.get(actor)?.id ?? "",
  projectId: on ?? "",
  reason: Schema.decodeUnknownSync(Pause)(input).reason
})
