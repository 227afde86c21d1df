/** Webhooks: subscribing, verifying what arrives, and reading the delivery history from a checkpoint. */
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto"
import { api, type Countersign } from "./client.ts"
import { EventIds } from "./event-ids.ts"
import type { components } from "./openapi.ts"
import { Refused } from "./outcome.ts"

export type WebhookEvent = components["schemas"]["WebhookEvent"]
type SubscriptionRequest = components["schemas"]["WebhookCreate"]
type SubscriptionResult = components["schemas"]["WebhookResult"]
type Page = components["schemas"]["WebhookDeliveries"]

const secondsOffMax = 300

export interface SignedWebhook {
  /** The body as it arrived, before any parsing. */
  readonly rawBody: Uint8Array
  /** The header `service-timestamp`. */
  readonly timestamp: string
  /** The header `service-signature`. */
  readonly signature: string
}

export type Verification = "GENUINE" | "STALE" | "INVALID"

/**
 * Whether these bytes were signed with the secret at most five minutes before or after `now` (milliseconds since 1970).
 * A genuine webhook can arrive twice, also as a replay by another sender: recognize its event by the `id` in the body,
 * which is signed.
 */
export const verifyWebhook = (secret: string, webhook: SignedWebhook, now: number): Verification => {
  const { rawBody, timestamp, signature } = webhook
  if (!/^[1-9]\d{0,11}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > secondsOffMax) return "STALE"
  const digest = createHmac("sha256", secret).update(`${timestamp}.`).update(rawBody).digest("hex")
  const [expected, given] = [Buffer.from(`v1=${digest}`), Buffer.from(signature)]
  return expected.length === given.length && timingSafeEqual(expected, given) ? "GENUINE" : "INVALID"
}

/** The headers of a request, in lower case. */
export type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/**
 * Receives the webhooks of one subscription: verifies, saves the id of the event, reports it, and answers. A duplicate is
 * acknowledged, and not reported again. An agent that stops in between reads the project when it starts again.
 */
export class WebhookInbox {
  readonly #client: Countersign
  readonly #onEvent: (event: WebhookEvent) => void

  /** `onEvent` may read the project; before a command the project is read in any case. */
  constructor(client: Countersign, onEvent: (event: WebhookEvent) => void) {
    this.#client = client
    this.#onEvent = onEvent
  }

  /** The status to answer with: 204 for a genuine one, 401 for any other request. */
  async receive(headers: Headers, rawBody: Uint8Array): Promise<number> {
    const { clock, store } = this.#client.options
    const secret = await store.read("webhook-secret")
    const textOf = (name: string) => String(headers[name] ?? "")
    const webhook = { rawBody, timestamp: textOf("service-timestamp"), signature: textOf("service-signature") }
    if (secret === undefined || verifyWebhook(secret, webhook, await clock.now()) !== "GENUINE") return 401
    const event = JSON.parse(new TextDecoder().decode(rawBody)) as WebhookEvent
    if (!(await EventIds.of(store).add(event.id))) return 204
    this.#onEvent(event)
    clock.notify()
    return 204
  }
}

/** What to subscribe to: a public HTTPS address, and the projects and event types to send there. */
export type Subscription = Pick<SubscriptionRequest, "target" | "projectIds" | "eventTypes">

/**
 * Subscribes for 29 days, once, also over restarts, and saves the secret for the inbox. If the answer with the secret was
 * lost, it rotates the secret: a replay is answered without it. Returns the refusal, such as that of a limit or a target, that
 * a person has to help with; that request is not sent again, and the agent reads the project from time to time instead.
 */
export const subscribe = async (client: Countersign, subscription: Subscription): Promise<Refused | undefined> => {
  const { store } = client.options
  const isDone = async (name: string) => (await store.read(name)) !== undefined
  if ((await isDone("webhook-secret")) || (await isDone("subscription-refused"))) return undefined
  const saved = await store.read("subscription")
  const request =
    saved === undefined ? await requestOf(client, subscription) : (JSON.parse(saved) as SubscriptionRequest)
  await store.write("subscription", JSON.stringify(request))
  try {
    const created = await client.act<SubscriptionResult>(`${api}/webhooks`, request, request.requestId)
    const rotation = `${api}/webhooks/${created.subscription.id}/rotate-secret`
    const { secret } = created.secret === undefined ? await client.post<SubscriptionResult>(rotation, {}) : created
    await store.write("webhook-secret", secret!)
    return undefined
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 401) throw error
    await store.write("subscription-refused", error.code)
    return error
  }
}

const subscriptionMilliseconds = 29 * 86_400_000

const requestOf = async (client: Countersign, subscription: Subscription): Promise<SubscriptionRequest> => {
  const expiresAt = new Date((await client.options.clock.now()) + subscriptionMilliseconds).toISOString()
  return { requestId: randomUUID(), ...subscription, expiresAt, confirmed: true }
}

/**
 * Reads the delivery history of a subscription to its end, from the saved checkpoint, or from `checkpoint` the first time.
 * `handle` gets each event that it has not handled before; the checkpoint is saved after each page.
 */
export const readHistory = async (
  client: Countersign,
  subscriptionId: string,
  handle: (event: WebhookEvent) => Promise<void>,
  checkpoint?: string
): Promise<void> => {
  const { store } = client.options
  const name = `history-${subscriptionId}`
  const path = `${api}/webhooks/${encodeURIComponent(subscriptionId)}/deliveries`
  const known = EventIds.of(store)
  let after = (await store.read(name)) ?? checkpoint
  for (;;) {
    const page = await readPage(client, path, after)
    for (const { event } of page.deliveries) {
      if (await known.has(event.id)) continue
      await handle(event)
      await known.add(event.id)
    }
    await store.write(name, page.checkpoint)
    if (page.next === null) return
    after = page.next
  }
}

/** A checkpoint of an earlier format is no longer readable: then once from the start, where events are known by id. */
const readPage = async (client: Countersign, path: string, after: string | undefined): Promise<Page> => {
  if (after === undefined) return client.get<Page>(path)
  try {
    return await client.get<Page>(`${path}?after=${encodeURIComponent(after)}`)
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "WEBHOOK_CURSOR_RESET_REQUIRED") throw error
    return client.get<Page>(path)
  }
}
