/** Test fixtures: a project of two signed-in people, a person with a task on it, and that person's assistant. */
import { Effect } from "effect"
import { addMilliseconds, now, type Instant } from "../../src/vocabulary/instant.ts"
import type { Refusal } from "../../src/vocabulary/refusals.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { createAssistant } from "../../src/participation/items.ts"
import { acceptParticipation, inviteParticipant } from "../../src/participation/invitations.ts"
import {
  buyerActions,
  sendCommand,
  confirmAgreement,
  creationInput,
  makeAgent,
  readProject,
  respondTo,
  supplierActions,
  uuid
} from "../support/parties.ts"
import { send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"

export const noon = "2026-11-21T12:00:00.000Z" as Instant
export const minute = 60_000
export const hour = 60 * minute
export const millisecondsAfterNoon = (milliseconds: number) => addMilliseconds(noon, milliseconds)

export const task = { title: "Photos", instructions: "Take ten photos of the shop.", dueAt: null }

/** A buyer, a supplier and their project, created at noon; an open project names no supplier. */
export const makeProject = Effect.fnUntraced(function* (isOpen: boolean) {
  const dana = yield* signInNewPerson("Dana")
  const sam = yield* signInNewPerson("Sam")
  const agent = yield* makeAgent(dana, "BUYER", buyerActions)
  const changes = isOpen ? { supplierActorId: undefined } : {}
  const body = creationInput(sam, yield* confirmAgreement, yield* now, changes)
  const created = yield* send("POST", "/api/agents/v1/projects", { token: agent.token, body })
  const projectId: string = created.body.project.taskId
  return { dana, sam, agent, projectId }
}, at(noon))

export const project = makeProject(false)

/** The same project after the supplier's agent accepted the terms for Sam's organization. */
export const respondedProject = Effect.gen(function* () {
  const fixture = yield* project
  const { sam, projectId } = fixture
  const { token } = yield* makeAgent(sam, "SUPPLIER", supplierActions, [projectId])
  const view = yield* readProject(token, projectId)
  const { status } = yield* sendCommand(token, projectId, "respond", respondTo(view, { supplier: sam }))
  if (status !== 200) throw new Error(`the agreement was not answered: ${status}`)
  return fixture
}).pipe(at(noon))

export const invite = Effect.fnUntraced(function* (by: SignedInPerson, projectId: string, changes: object = {}) {
  const request = yield* nonIdempotentRequest(by.personId)
  const made = yield* inviteParticipant(by, request, { projectId, ...task, ...changes })
  return { ...made, request }
})

/** Kim accepted a task of the buyer at noon. */
export const acceptedItem = Effect.gen(function* () {
  const fixture = yield* project
  const kim = yield* signInNewPerson("Kim")
  const { code, invitationId } = yield* invite(fixture.dana, fixture.projectId)
  const { itemId } = yield* acceptParticipation(kim, code)
  return { ...fixture, kim, code, invitationId, itemId }
}).pipe(at(noon))

export type ItemFixture = Effect.Success<typeof acceptedItem>

/** Kim's assistant also has a credential since noon. */
export const itemWithAssistant = Effect.gen(function* () {
  const fixture = yield* acceptedItem
  const request = yield* nonIdempotentRequest(fixture.kim.personId)
  const { token } = yield* createAssistant(fixture.kim, request, fixture.itemId)
  return { ...fixture, request, token }
}).pipe(at(noon))

export const readItem = (token: string) => send("GET", "/api/participation/item", { token })

export const sendNote = (token: string, text = "Nine of ten are taken.", requestId = uuid()) =>
  send("POST", "/api/participation/item/notes", { token, body: { requestId, text } })

export const refusalCodeOf = <A, R>(operation: Effect.Effect<A, Refusal, R>) =>
  Effect.match(operation, { onFailure: ({ code }) => code as string, onSuccess: () => "DONE" })
