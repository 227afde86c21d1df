/** Subscriptions of people, created and changed by the operations of the site. */
import { Effect } from "effect"
import { authorities } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { createOrganization } from "../../src/people/operations.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { runWorkerPass, subscriptionTo, TestReceiver } from "./webhooks.ts"
import { commandAsPerson, createAgreementAsPerson, answerOf, readProjectAsPerson } from "./person-commands.ts"
import { send, type SendOptions } from "./service.ts"
import { signInNewPerson, type SignedInPerson } from "./sessions.ts"
import { createdBody, options } from "./workspace.ts"

export const ownWebhooksPath = "/api/acceptance/project-webhooks"

type Sender = Pick<SignedInPerson, "token">

export const readOwnWebhooks = (by: Sender, path = "") => send("GET", `${ownWebhooksPath}${path}`, options(by, {}))

export const postOwnWebhooks = (by: Sender, path: string, body: unknown = {}, more: SendOptions = {}) =>
  send("POST", `${ownWebhooksPath}${path}`, options(by, { body, ...more }))

/** A person's subscription to all events of these projects for a day; `changes` replaces members. */
export const subscribeAsPerson = Effect.fnUntraced(function* (
  by: Sender,
  projectIds: ReadonlyArray<string>,
  changes: object = {}
) {
  const body = { ...(yield* subscriptionTo(...projectIds)), ...changes }
  const { subscription, secret } = createdBody(yield* postOwnWebhooks(by, "", body))
  return { body, id: subscription.id as string, secret: secret as string, subscription }
})

/** The deliveries of the history, from its start. */
export const historyOf = (by: Sender, id: string) =>
  Effect.map(readOwnWebhooks(by, `/${id}/deliveries`), (answer) => createdBody(answer).deliveries as ReadonlyArray<any>)

/** Dana and Sam with an agreement that Sam has not responded to. */
export const pairWithTerms = Effect.gen(function* () {
  const buyer = yield* signInNewPerson("Dana")
  const supplier = yield* signInNewPerson("Sam")
  return { buyer, supplier, projectId: yield* createAgreementAsPerson(buyer, supplier) }
})

/** Accepts the terms, which is an event for every listener. */
export const acceptTerms = (by: SignedInPerson, projectId: string, changes: object = {}) =>
  Effect.gen(function* () {
    const body = answerOf(yield* readProjectAsPerson(by, projectId), by)
    createdBody(yield* commandAsPerson(by, projectId, "respond", { ...body, ...changes }))
  })

/** Another membership of a person, in a new organization. */
export const joinNewOrganization = Effect.fnUntraced(function* ({ personId }: SignedInPerson) {
  const { organizationId } = yield* createOrganization({ name: "Another" })
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  return { organizationId, ...(yield* createMembership({ personId, organizationId, authorities, validUntil })) }
})

/** One pass of a worker that sends to this receiver. */
export const runWorkerPassTo = (receiver: TestReceiver) => runWorkerPass.pipe(Effect.provide(receiver.layer))

/** One valid request of every webhook operation of people. */
export const webhookRequestsOfPeople = Effect.fnUntraced(function* (dana: SignedInPerson, sam: SignedInPerson) {
  const projectId = yield* createAgreementAsPerson(dana, sam)
  const fresh = Effect.map(subscribeAsPerson(dana, [projectId]), ({ id }) => ({
    ids: { subscriptionId: id },
    body: {}
  }))
  const { id: subscriptionId } = yield* subscribeAsPerson(dana, [projectId])
  yield* acceptTerms(sam, projectId)
  const receiver = new TestReceiver()
  yield* runWorkerPassTo(receiver)
  const [{ deliveryId }] = (yield* historyOf(dana, subscriptionId)) as [any]
  const { body: rawBody, headers } = receiver.received.find((one) => one.headers["service-delivery-id"] === deliveryId)!
  const callback = { rawBody, timestamp: headers["service-timestamp"], signature: headers["service-signature"] }
  const ids = { subscriptionId, deliveryId }
  return [
    ["listOwnWebhooks", dana],
    ["createOwnWebhook", dana, { body: yield* subscriptionTo(projectId), status: 201 }],
    ["pauseOwnWebhook", dana, yield* fresh],
    ["resumeOwnWebhook", dana, yield* fresh],
    ["revokeOwnWebhook", dana, yield* fresh],
    ["rotateOwnWebhookSecret", dana, yield* fresh],
    ["listOwnWebhookDeliveries", dana, { ids }],
    ["redeliverOwnWebhook", dana, { ids, body: {} }],
    ["verifyOwnWebhook", dana, { ids, body: callback }]
  ] as const
})
