/** TLS of a webhook: the certificate is for the target's name, from a trusted authority, over a current version. */
import type * as tls from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import {
  respondWith,
  certificateOf,
  outcomeOf,
  senderTo,
  startPlaintextReceiver,
  startReceiver
} from "../support/webhook-receiver.ts"

const live = <A, E>(name: string, effect: Effect.Effect<A, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(effect), 20_000)

/** The outcome of a webhook to such a receiver, and the bytes that it received. */
const sendTo = Effect.fnUntraced(function* (options: tls.TlsOptions) {
  const receiver = yield* startReceiver(respondWith(200), options)
  const outcome = yield* outcomeOf(yield* senderTo(receiver))
  return { outcome, received: receiver.connections.map(({ received }) => received).join("") }
})

describe("untrusted receivers", () => {
  const untrusted: Readonly<Record<string, tls.TlsOptions>> = {
    "an expired certificate": { cert: certificateOf("expired") },
    "a certificate for another name": { cert: certificateOf("elsewhere") },
    "a self-signed certificate": { cert: certificateOf("self-signed") },
    "TLS 1.1 only": { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" },
    "HTTP/2 only": { ALPNProtocols: ["h2"] }
  }
  for (const [what, options] of Object.entries(untrusted)) {
    live(
      `No webhook is sent to a receiver with ${what}.`,
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* sendTo(options), { outcome: "TLS", received: "" })
      })
    )
  }

  live(
    "No webhook is sent under an untrusted authority, whatever the environment variables are.",
    Effect.gen(function* () {
      const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"]
      yield* Effect.acquireRelease(
        Effect.sync(() => (process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0")),
        () =>
          Effect.sync(() => {
            if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]
            else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before
          })
      )
      const receiver = yield* startReceiver(respondWith(200))
      const sender = yield* senderTo(receiver, { ca: [certificateOf("self-signed")] })
      assert.strictEqual(yield* outcomeOf(sender), "TLS")
    })
  )

  live(
    "No webhook is sent to a server without TLS.",
    Effect.gen(function* () {
      const received: Array<string> = []
      const receiver = yield* startPlaintextReceiver((socket) => {
        socket.on("data", (data) => {
          received.push(data.toString("latin1"))
          socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
        })
      })
      assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver)), "TLS")
      assert.notInclude(received.join(""), "POST")
    })
  )
})

describe("the TLS handshake of a webhook", () => {
  live(
    "The TLS handshake names the target and offers HTTP/1.1 only.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200), { ALPNProtocols: ["h2", "http/1.1"] })
      assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver)), "200")
      const { socket } = yield* receiver.first
      assert.deepStrictEqual([socket.servername, socket.alpnProtocol], ["receiver.example.com", "http/1.1"])
    })
  )

  for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
    live(
      `A webhook can use ${version}.`,
      Effect.gen(function* () {
        const { outcome } = yield* sendTo({ minVersion: version, maxVersion: version })
        assert.strictEqual(outcome, "200")
      })
    )
  }

  live(
    "A connection lost during the TLS handshake is reported as CONNECTION.",
    Effect.gen(function* () {
      for (const behave of ["destroy", "resetAndDestroy"] as const) {
        const receiver = yield* startPlaintextReceiver((socket) => void socket.once("data", () => socket[behave]()))
        assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver)), "CONNECTION")
      }
    })
  )
})
