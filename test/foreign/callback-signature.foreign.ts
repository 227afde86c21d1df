/** Callbacks as they arrive over TLS, checked by a shell script that has openssl and nothing of ours. */
import { spawnSync } from "node:child_process"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CallbackSender } from "../../src/ports/callback-sender.ts"
import { signatureOf } from "../../src/webhooks/signature.ts"
import { answers, senderTo, startReceiver, target, type Receiver } from "../support/callback-receiver.ts"
import { changeWebhook, passOfWorker, subscribed } from "../support/callbacks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { command, readProject, reviewOf, startProject, submissionFor, submitted } from "../support/parties.ts"

const script = path.join(import.meta.dirname, "callback-signature.sh")

interface Arrived {
  readonly secret: string
  readonly timestamp: string
  readonly signature: string
  readonly body: string
}

const isGenuine = ({ secret, timestamp, signature, body }: Arrived): boolean => {
  const { status, stderr, error } = spawnSync(script, [secret, timestamp, signature], { input: body, encoding: "utf8" })
  // What it refuses by the headers alone, it need not read: then only its status counts.
  if (status === null) throw error
  assert.strictEqual(stderr, "")
  return status === 0
}

/** The newest request as the receiver read it from its socket. */
const newest = ({ requests }: Receiver, secret: string): Arrived => {
  const { head, body } = requests.at(-1)!
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(head)![1]!.trim()
  return { secret, timestamp: header("service-timestamp"), signature: header("service-signature"), body }
}

/** A submission of the supplier, told to its agent before and after the secret is rotated. */
const sendTwo = Effect.gen(function* () {
  const receiver = yield* startReceiver(answers(204))
  const worker = passOfWorker.pipe(Effect.provide(Layer.effect(CallbackSender, senderTo(receiver))))
  const started = yield* startProject()
  const { supplierAgent, buyerAgent, projectId } = started
  const made = yield* subscribed(buyerAgent.token, [projectId], { target })
  const view = yield* submitted(started)
  yield* worker
  const first = newest(receiver, made.secret)
  const rotated = yield* changeWebhook(buyerAgent.token, made.subscription.id, "rotate-secret")
  yield* command(buyerAgent.token, projectId, "review", reviewOf(view, "REQUEST_CHANGES"))
  yield* command(
    supplierAgent.token,
    projectId,
    "submit",
    submissionFor(yield* readProject(supplierAgent.token, projectId))
  )
  yield* worker
  return { first, second: newest(receiver, rotated.body.secret), sent: receiver.requests.length }
})

const other = (text: string): string => (text === "0" ? "1" : "0")

layer(memoryTestService, { excludeTestServices: true })("a callback, checked by openssl", (it) => {
  it.effect("is genuine as it arrived, and as nothing else", () =>
    Effect.gen(function* () {
      const { first, second, sent } = yield* sendTwo
      assert.isAtLeast(sent, 4)
      assert.isTrue(isGenuine(first))
      assert.isTrue(isGenuine(second))

      const { secret, timestamp, signature, body } = first
      const middle = body.length >> 1
      const refused: Record<string, Arrived> = {
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
        "the secret before it was rotated": { ...second, secret },
        "the secret after it was rotated": { ...first, secret: second.secret },
        "the signature of another callback": { ...first, signature: second.signature }
      }
      const signedAt = (seconds: number): Arrived => {
        const then = String(Number(timestamp) - seconds)
        return { ...first, timestamp: then, signature: signatureOf(secret, then, body) }
      }
      assert.isTrue(isGenuine(signedAt(240)))
      assert.isTrue(isGenuine(signedAt(-240)))
      refused["more than five minutes old"] = signedAt(302)
      refused["more than five minutes ahead"] = signedAt(-330)
      for (const [name, arrived] of Object.entries(refused)) assert.isFalse(isGenuine(arrived), name)
    })
  )
})
