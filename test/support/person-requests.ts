/** One valid request of every operation of people, with the data it needs. */
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { enterUserCode } from "../../src/access/approval.ts"
import { startConnection } from "../../src/access/connections.ts"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { signIn } from "../../src/people/sessions.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { WorkspaceApi } from "../../src/api/people.ts"
import { commandRequests } from "./person-command-requests.ts"
import { draftRequests } from "./drafts.ts"
import { recordRequests } from "./issued-records.ts"
import { webhookRequestsOfPeople } from "./person-webhooks.ts"
import { confirmAgreement, creationInput, makeAgent, uuid } from "./parties.ts"
import { lineageRequests } from "./lineage.ts"
import { commerceRequests } from "./orders.ts"
import { publicationRequests } from "./publications.ts"
import { proposalRequestsOfPeople } from "./proposal-requests.ts"
import { send, type SendOptions } from "./service.ts"
import { identityOf, signInNewPerson, type SignedInPerson } from "./sessions.ts"
import { agentChoice, grantInput, createdBody, options, post } from "./workspace.ts"

export interface PersonOperation {
  readonly operation: string
  readonly method: "GET" | "POST"
  /** The path with `:name` for each id. */
  readonly path: string
}

/** Every operation of people, from the routes. */
export const personOperations = ((): ReadonlyArray<PersonOperation> => {
  const found: Array<PersonOperation> = []
  HttpApi.reflect(WorkspaceApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const method = endpoint.method === "GET" ? "GET" : "POST"
      if (method !== endpoint.method) throw new Error(`${endpoint.identifier} is neither GET nor POST`)
      found.push({ operation: endpoint.identifier, method, path: endpoint.path })
    }
  })
  return found
})()

export interface PersonRequest extends PersonOperation {
  /** The path with ids. */
  readonly address: string
  readonly by: Pick<SignedInPerson, "token" | "personId" | "sessionId">
  readonly body?: object
  readonly status: number
}

export const sendAs = ({ method, address, by, body }: PersonRequest, more: SendOptions = {}) =>
  send(method, address, options(by, { ...(body === undefined ? {} : { body }), ...more }))

/** The same person in another session. */
export const inAnotherSession = <P extends SignedInPerson>(person: P) =>
  Effect.map(signIn(person.identity, { isInvited: false }), (session) => ({ ...person, ...session }))

/** An agreement in a person's workspace without a supplier. */
export const makeUnnamedProject = Effect.fnUntraced(function* (buyer: SignedInPerson) {
  const { token } = yield* makeAgent(buyer, "BUYER", ["CREATE_PROJECT"])
  const body = creationInput(buyer, yield* confirmAgreement, yield* now, { supplierActorId: undefined })
  const view = createdBody(yield* send("POST", "/api/agents/v1/projects", { token, body }))
  return view.project.taskId as string
})

/** The operation, its caller, its ids and its body. */
type RequestDescription = readonly [
  operation: string,
  by: PersonRequest["by"],
  more?:
    | {
        readonly ids?: Readonly<Record<string, string>>
        readonly body?: object
        readonly status?: number
        readonly query?: string
      }
    | undefined
]

const requestFrom = ([
  operation,
  by,
  { ids = {}, body, status = 200, query = "" } = {}
]: RequestDescription): PersonRequest => {
  const known = personOperations.find((one) => one.operation === operation)
  if (known === undefined) throw new Error(`${operation} is not an operation of people`)
  const address = known.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? "")
  return { ...known, address: `${address}${query}`, by, status, ...(body === undefined ? {} : { body }) }
}

/** Each request is accepted once, in any order: each has its own session and its own data to end. */
export const personRequests = Effect.gen(function* () {
  const dana = yield* signInNewPerson("Dana")
  const sam = yield* signInNewPerson("Sam")
  const descriptions: ReadonlyArray<RequestDescription> = [
    ...(yield* requestsAboutPeople(dana, sam)),
    ...(yield* requestsAboutAgents(dana)),
    ...(yield* requestsAboutProjects(dana, sam)),
    ...(yield* commandRequests(dana, sam)),
    ...(yield* requestsAboutItems(dana, sam)),
    ...(yield* recordRequests(dana, sam)),
    ...(yield* publicationRequests(dana, sam)),
    ...(yield* commerceRequests(dana, sam)),
    ...(yield* lineageRequests(dana, sam)),
    ...(yield* draftRequests(dana, sam)),
    ...(yield* webhookRequestsOfPeople(dana, sam)),
    ...(yield* proposalRequestsOfPeople(dana, sam))
  ]
  return yield* Effect.forEach(descriptions, ([operation, by, more]) => {
    const person = [dana, sam].find((one) => one === by)
    const sender = person === undefined ? Effect.succeed(by) : inAnotherSession(person)
    return Effect.map(sender, (sender) => requestFrom([operation, sender, more]))
  })
})

const invite = (by: SignedInPerson) =>
  Effect.map(
    post(by, `/organizations/${by.organizationId}/invitations`, { requestId: uuid(), authorities: ["DELEGATE"] }),
    (answer) => createdBody(answer) as { readonly invitationId: string; readonly code: string }
  )

const requestsAboutPeople = Effect.fnUntraced(function* (dana: SignedInPerson, sam: SignedInPerson) {
  const { organizationId } = dana
  const mia = yield* signInNewPerson("Mia")
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  const member = yield* createMembership({ personId: mia.personId, organizationId, authorities, validUntil })
  const waiting = yield* identityOf("Max")
  const max = yield* signIn(waiting, { isInvited: true })
  const contact = { reference: "mia", name: "Mia", personId: mia.personId }
  yield* post(dana, `/organizations/${organizationId}/contacts`, contact)
  const ids = { organizationId }
  return [
    ["readSession", dana],
    ["makeAccount", max, { status: 201 }],
    ["listMembers", dana, { ids }],
    ["endMembership", dana, { ids: { membershipId: member.membershipId } }],
    ["listInvitations", dana, { ids }],
    ["inviteMember", dana, { ids, body: { requestId: uuid(), authorities: ["DELEGATE"] }, status: 201 }],
    ["revokeInvitation", dana, { ids: { invitationId: (yield* invite(dana)).invitationId } }],
    ["readInvitation", sam, { body: { code: (yield* invite(dana)).code } }],
    ["acceptMembership", sam, { body: { code: (yield* invite(dana)).code } }],
    ["listContacts", dana, { ids }],
    ["addContact", dana, { ids, body: { ...contact, reference: "another" }, status: 201 }],
    ["removeContact", dana, { ids, body: { reference: "mia" } }],
    ["endOtherSessions", yield* signInNewPerson("Oona")],
    ["signOut", yield* signInNewPerson("Oscar"), { status: 204 }],
    ["removeAccount", yield* signInNewPerson("Rae"), { body: { confirmed: true } }]
  ] satisfies ReadonlyArray<RequestDescription>
})

const requestsAboutAgents = Effect.fnUntraced(function* (dana: SignedInPerson) {
  const start = startConnection({ agentName: "Scout", client: "scout 1.0" }, undefined)
  const entered = Effect.gen(function* () {
    const by = yield* inAnotherSession(dana)
    const { connectionId } = yield* enterUserCode(by, (yield* start).userCode, undefined)
    return { by, ids: { connectionId } }
  })
  const [asking, approving, denying] = [yield* entered, yield* entered, yield* entered]
  const renewed = createdBody(yield* post(dana, "/grants", grantInput(dana)))
  const revoked = createdBody(yield* post(dana, "/grants", grantInput(dana)))
  return [
    ["enterUserCode", dana, { body: { userCode: (yield* start).userCode } }],
    ["readConnection", asking.by, { ids: asking.ids }],
    ["approveConnection", approving.by, { ids: approving.ids, body: { codeMatches: true, ...agentChoice(dana) } }],
    ["denyConnection", denying.by, { ids: denying.ids }],
    ["listGrants", dana],
    ["readGrant", dana, { ids: { grantId: renewed.grantId } }],
    ["createGrant", dana, { body: grantInput(dana), status: 201 }],
    ["renewGrant", dana, { ids: { grantId: renewed.grantId }, body: { requestId: uuid(), expectedGeneration: 1 } }],
    ["revokeGrant", dana, { ids: { grantId: revoked.grantId } }],
    ["readPresets", dana]
  ] satisfies ReadonlyArray<RequestDescription>
})

const requestsAboutProjects = Effect.fnUntraced(function* (dana: SignedInPerson, sam: SignedInPerson) {
  const running = { id: yield* makeUnnamedProject(dana) }
  const paused = { id: yield* makeUnnamedProject(dana) }
  const offered = { id: yield* makeUnnamedProject(dana) }
  const withReason = () => ({ requestId: uuid(), reason: "To look at it." })
  createdBody(yield* post(dana, `/projects/${paused.id}/pause`, withReason()))
  const asked = createdBody(
    yield* post(dana, `/projects/${offered.id}/representative-invitations`, { requestId: uuid() })
  )
  const { organizationId } = sam
  return [
    ["listProjects", dana],
    ["readOwnProject", dana, { ids: running }],
    ["pauseProject", dana, { ids: running, body: withReason() }],
    ["resumeProject", dana, { ids: paused, body: withReason() }],
    ["inviteRepresentative", dana, { ids: running, body: { requestId: uuid() }, status: 201 }],
    ["acceptRepresentation", sam, { body: { requestId: uuid(), code: asked.code, organizationId } }]
  ] satisfies ReadonlyArray<RequestDescription>
})

/** A live token of an assistant, with a task of its own. */
export const makeAssistant = Effect.gen(function* () {
  const requests = yield* personRequests
  const request = requests.find(({ operation }) => operation === "createAssistant")!
  return createdBody(yield* sendAs(request)).token as string
})

const requestsAboutItems = Effect.fnUntraced(function* (dana: SignedInPerson, sam: SignedInPerson) {
  const ids = { id: yield* makeUnnamedProject(dana) }
  const task = () => ({ requestId: uuid(), title: "Look", instructions: "Look at the draft.", dueAt: null })
  const offered = Effect.gen(function* () {
    const answer = yield* post(dana, `/projects/${ids.id}/participation-invitations`, task())
    return { code: createdBody(answer).code as string }
  })
  const accepted = Effect.gen(function* () {
    const answer = yield* post(sam, "/invitations/accept-participation", yield* offered)
    return { ids: { itemId: createdBody(answer).id as string } }
  })
  const assisted = yield* accepted
  yield* post(sam, `/items/${assisted.ids.itemId}/credentials`, { requestId: uuid() })
  return [
    ["inviteParticipant", dana, { ids, body: task(), status: 201 }],
    ["listProjectItems", dana, { ids }],
    ["acceptParticipation", sam, { body: yield* offered, status: 201 }],
    ["listItems", sam],
    ["readItemWithNotes", sam, yield* accepted],
    ["finishItem", sam, yield* accepted],
    ["withdrawItem", dana, yield* accepted],
    ["createAssistant", sam, { ...(yield* accepted), body: { requestId: uuid() }, status: 201 }],
    ["endAssistant", sam, assisted]
  ] satisfies ReadonlyArray<RequestDescription>
})
