/** What the TypeScript client does with webhooks: verification, duplicates, the secret, and the delivery history. */
import { createHmac } from "node:crypto"
import { assert, describe, it } from "vitest"
import { readHistory, subscribe, verifyWebhook, WebhookInbox } from "../../../clients/typescript/webhooks.ts"
import { refusalOf, type ScriptedAnswer, scriptedClient } from "./scripted-service.ts"

const secret = "ddw_0123456789abcdef"
const rawBody = new TextEncoder().encode(`{"type":"delivery.submitted","note":"ü"}`)
const timestamp = "1763741400"
const now = 1_763_741_400_000

// printf '1763741400.{"type":"delivery.submitted","note":"ü"}' | openssl dgst -sha256 -hmac ddw_0123456789abcdef
const signature = "v1=d948dbe3e3581395e85621b28e199949be77087cf2f957664d99479884c628ee"

describe("verifyWebhook", () => {
  it.each([
    ["GENUINE", "at its time", {}, now],
    ["GENUINE", "five minutes late", {}, now + 300_000],
    ["GENUINE", "five minutes early", {}, now - 300_000],
    ["STALE", "more than five minutes late", {}, now + 300_001],
    ["STALE", "more than five minutes early", {}, now - 300_001],
    ["STALE", "with a time in milliseconds", { timestamp: `${timestamp}000` }, now],
    ["STALE", "with a zero before its time", { timestamp: `0${timestamp}` }, now],
    ["STALE", "without a time", { timestamp: "" }, now],
    ["INVALID", "with another body", { rawBody: new Uint8Array([...rawBody, 32]) }, now],
    ["INVALID", "with another time", { timestamp: "1763741401" }, now],
    ["INVALID", "without a version", { signature: signature.slice(3) }, now],
    ["INVALID", "with another version", { signature: signature.replace("v1", "v2") }, now],
    ["INVALID", "without a signature", { signature: "" }, now]
  ] as const)("answers %s for a webhook %s", (expected, _, changes, at) => {
    assert.strictEqual(verifyWebhook(secret, { rawBody, timestamp, signature, ...changes }, at), expected)
  })
})

const eventOf = (number: number) => ({ id: `event_${number}`, type: "record.changed", sequence: number })

const signed = (event: object, at: number) => {
  const body = Buffer.from(JSON.stringify(event))
  const seconds = String(Math.floor(at / 1000))
  const digest = createHmac("sha256", secret).update(`${seconds}.`).update(body).digest("hex")
  return { headers: { "service-timestamp": seconds, "service-signature": `v1=${digest}` }, body }
}

describe("The inbox", () => {
  it("acknowledges a duplicate, also of the next run, and reports its event once", async () => {
    const { client, clock, store } = scriptedClient(() => "LOST")
    await store.write("webhook-secret", secret)
    const ids: Array<string> = []
    const { headers, body } = signed(eventOf(1), clock.milliseconds)
    const inbox = () => new WebhookInbox(client, ({ id }) => void ids.push(id))
    const first = inbox()
    assert.deepStrictEqual(await Promise.all([first.receive(headers, body), first.receive(headers, body)]), [204, 204])
    assert.strictEqual(await inbox().receive(headers, body), 204)
    assert.deepStrictEqual(ids, ["event_1"])
  })

  it("saves every event that arrives while others are saved", async () => {
    const { client, clock, store } = scriptedClient(() => "LOST")
    await store.write("webhook-secret", secret)
    const [one, other] = [new WebhookInbox(client, () => {}), new WebhookInbox(client, () => {})]
    const webhooks = [1, 2, 3, 4].map((number) => signed(eventOf(number), clock.milliseconds))
    await Promise.all(webhooks.map(({ headers, body }, at) => [one, other][at % 2]!.receive(headers, body)))
    assert.lengthOf((await store.read("webhook-events"))!.match(/^event_\d$/gm)!, 4)
  })

  it("does not acknowledge a forged webhook, an old one, or any before it has a secret", async () => {
    const { client, clock, store } = scriptedClient(() => "LOST")
    const ids: Array<string> = []
    const inbox = new WebhookInbox(client, ({ id }) => void ids.push(id))
    const { headers, body } = signed(eventOf(1), clock.milliseconds)
    assert.strictEqual(await inbox.receive(headers, body), 401)
    await store.write("webhook-secret", secret)
    assert.strictEqual(await inbox.receive({ ...headers, "service-signature": `v1=${"0".repeat(64)}` }, body), 401)
    assert.strictEqual(await inbox.receive({}, body), 401)
    const old = signed(eventOf(1), clock.milliseconds - 301_000)
    assert.strictEqual(await inbox.receive(old.headers, old.body), 401)
    assert.deepStrictEqual(ids, [])
  })
})

const wanted = { target: "https://hooks.test/", projectIds: ["delivery_1"], eventTypes: ["record.changed" as const] }
const created = (more: object): ScriptedAnswer => ({ status: 201, body: { subscription: { id: "whs_1" }, ...more } })

describe("subscribe", () => {
  it("sends the same request after a lost answer, and rotates the secret that it has missed", async () => {
    const { client, sent, store } = scriptedClient(({ path }, before) => {
      if (path.endsWith("rotate-secret")) return created({ secret: "second" })
      return before.length === 0 ? "LOST" : created({ replayed: true })
    })
    assert.isUndefined(await subscribe(client, wanted))
    assert.strictEqual(sent[0]!.body, sent[1]!.body)
    assert.strictEqual(await store.read("webhook-secret"), "second")
    await subscribe(client, wanted)
    assert.lengthOf(sent, 3)
  })

  it("returns the refusal of a limit once, and never sends that request again", async () => {
    const { client, sent } = scriptedClient(() => refusalOf(429, "SUBSCRIPTION_LIMIT", "ASK_OWNER"))
    assert.strictEqual((await subscribe(client, wanted))?.code, "SUBSCRIPTION_LIMIT")
    assert.isUndefined(await subscribe(client, wanted))
    assert.lengthOf(sent, 1)
  })
})

describe("readHistory", () => {
  const pageOf = (numbers: ReadonlyArray<number>, next: string | null, checkpoint: string): ScriptedAnswer => ({
    status: 200,
    body: { deliveries: numbers.map((number) => ({ event: eventOf(number) })), next, checkpoint }
  })

  it("follows next to the end, and resumes from the checkpoint of the last page", async () => {
    const pages: Record<string, ScriptedAnswer> = {
      "": pageOf([1, 2], "c2", "c2"),
      "?after=c2": pageOf([2, 3], null, "c3"),
      "?after=c3": pageOf([], null, "c3")
    }
    const { client, sent } = scriptedClient(({ path }) => pages[path.replace(/^[^?]*/, "")]!)
    const handled: Array<string> = []
    const read = () => readHistory(client, "whs_1", async ({ id }) => void handled.push(id))
    await read()
    await read()
    assert.deepStrictEqual(handled, ["event_1", "event_2", "event_3"])
    assert.deepStrictEqual(
      sent.map(({ path }) => path.replace(/^[^?]*/, "")),
      ["", "?after=c2", "?after=c3"]
    )
  })

  it("begins once from the start after WEBHOOK_CURSOR_RESET_REQUIRED", async () => {
    const reset = refusalOf(409, "WEBHOOK_CURSOR_RESET_REQUIRED", "RESTART_DELIVERY_HISTORY")
    const { client, sent } = scriptedClient(({ path }) => (path.includes("whd_old") ? reset : pageOf([1], null, "c1")))
    for (let times = 0; times < 2; times++) await readHistory(client, "whs_1", async () => {}, "whd_old")
    assert.deepStrictEqual(
      sent.map(({ path }) => path.replace(/^[^?]*/, "")),
      ["?after=whd_old", "", "?after=c1"]
    )
  })

  it("handles an event again whose handling failed", async () => {
    const { client } = scriptedClient(() => pageOf([1], null, "c1"))
    let calls = 0
    const handle = async () => {
      if (++calls === 1) throw new Error("the disk is full")
    }
    await readHistory(client, "whs_1", handle).catch(() => undefined)
    await readHistory(client, "whs_1", handle)
    assert.strictEqual(calls, 2)
  })
})
