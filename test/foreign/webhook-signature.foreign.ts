/** Webhooks as received over TLS, verified by a shell script with only openssl. */
import { spawnSync } from "node:child_process"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { WebhookSender } from "../../src/ports/webhook-sender.ts"
import { signatureOf } from "../../src/webhooks/signature.ts"
import { respondWith, senderTo, startReceiver, target, type Receiver } from "../support/webhook-receiver.ts"
import { changeWebhook, runWorkerPass, subscribeAsAgent } from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { sendCommand, readProject, reviewOf, startProject, submissionFor, runToSubmitted } from "../support/parties.ts"

const script = path.join(import.meta.dirname, "webhook-signature.sh")

interface ReceivedWebhook {
  readonly secret: string
  readonly timestamp: string
  readonly signature: string
  readonly body: string
}

const verifies = ({ secret, timestamp, signature, body }: ReceivedWebhook): boolean => {
  const { status, stderr, error } = spawnSync(script, [secret, timestamp, signature], { input: body, encoding: "utf8" })
  // The script may refuse by the headers without reading the body: only its exit status counts.
  if (status === null) throw error
  assert.strictEqual(stderr, "")
  return status === 0
}

/** The newest request, as the receiver read it from its socket. */
const newest = ({ requests }: Receiver, secret: string): ReceivedWebhook => {
  const { head, body } = requests.at(-1)!
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(head)![1]!.trim()
  return { secret, timestamp: header("service-timestamp"), signature: header("service-signature"), body }
}

/** A submission of the supplier, delivered to its agent before and after the rotation of the secret. */
const sendBeforeAndAfterRotation = Effect.gen(function* () {
  const receiver = yield* startReceiver(respondWith(204))
  const worker = runWorkerPass.pipe(Effect.provide(Layer.effect(WebhookSender, senderTo(receiver))))
  const started = yield* startProject()
  const { supplierAgent, buyerAgent, projectId } = started
  const made = yield* subscribeAsAgent(buyerAgent.token, [projectId], { target })
  const view = yield* runToSubmitted(started)
  yield* worker
  const first = newest(receiver, made.secret)
  const rotated = yield* changeWebhook(buyerAgent.token, made.subscription.id, "rotate-secret")
  yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(view, "REQUEST_CHANGES"))
  yield* sendCommand(
    supplierAgent.token,
    projectId,
    "submit",
    submissionFor(yield* readProject(supplierAgent.token, projectId))
  )
  yield* worker
  return { first, second: newest(receiver, rotated.body.secret), sent: receiver.requests.length }
})

const other = (text: string): string => (text === "0" ? "1" : "0")

layer(memoryTestService, { excludeTestServices: true })("a webhook, verified by openssl", (it) => {
  it.effect("A webhook verifies exactly as received, and not with any change.", () =>
    Effect.gen(function* () {
      const { first, second, sent } = yield* sendBeforeAndAfterRotation
      assert.isAtLeast(sent, 4)
      assert.isTrue(verifies(first))
      assert.isTrue(verifies(second))

      const { secret, timestamp, signature, body } = first
      const middle = body.length >> 1
      const refused: Record<string, ReceivedWebhook> = {
        "another byte in the middle": {
          ...first,
          body: body.slice(0, middle) + other(body[middle]!) + body.slice(middle + 1)
        },
        "a byte less": { ...first, body: body.slice(0, -1) },
        "a line end more": { ...first, body: `${body}\n` },
        "the same JSON in another spelling": { ...first, body: JSON.stringify(JSON.parse(body), null, 1) },
        nothing: { ...first, body: "" },
        "the second after": { ...first, timestamp: String(Number(timestamp) + 1) },
        "the same second in another spelling": { ...first, timestamp: `+${timestamp}` },
        "a part of the body as the timestamp": { ...first, timestamp: `${timestamp}.${body.slice(0, 5)}` },
        "another digit in the signature": { ...first, signature: signature.slice(0, -1) + other(signature.at(-1)!) },
        "no signature": { ...first, signature: "" },
        "no version": { ...first, signature: signature.slice("v1=".length) },
        "another secret": { ...first, secret: secret.slice(0, -1) + other(secret.at(-1)!) },
        "the secret before the rotation": { ...second, secret },
        "the secret after the rotation": { ...first, secret: second.secret },
        "the signature of another webhook": { ...first, signature: second.signature }
      }
      const signedAt = (seconds: number): ReceivedWebhook => {
        const then = String(Number(timestamp) - seconds)
        return { ...first, timestamp: then, signature: signatureOf(secret, then, body) }
      }
      assert.isTrue(verifies(signedAt(240)))
      assert.isTrue(verifies(signedAt(-240)))
      refused["more than five minutes old"] = signedAt(302)
      refused["more than five minutes ahead"] = signedAt(-330)
      for (const [name, arrived] of Object.entries(refused)) assert.isFalse(verifies(arrived), name)
    })
  )
})
