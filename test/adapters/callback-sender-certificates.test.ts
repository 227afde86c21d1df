/** Who a callback is given to: whoever shows the target's name, from an authority that is trusted, over TLS of today. */
import type * as tls from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { answers, certificateOf, outcomeOf, senderTo, startPlain, startReceiver } from "../support/callback-receiver.ts"

const live = <A, E>(name: string, effect: Effect.Effect<A, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(effect), 20_000)

/** What such a receiver gets, and what it was told. */
const sentTo = Effect.fnUntraced(function* (options: tls.TlsOptions) {
  const receiver = yield* startReceiver(answers(200), options)
  const outcome = yield* outcomeOf(yield* senderTo(receiver))
  return { outcome, received: receiver.arrivals.map(({ received }) => received).join("") }
})

describe("nothing is sent to", () => {
  const refused: Readonly<Record<string, tls.TlsOptions>> = {
    "a certificate that expired": { cert: certificateOf("expired") },
    "a certificate for another name": { cert: certificateOf("elsewhere") },
    "a certificate that nobody vouches for": { cert: certificateOf("self-signed") },
    "TLS 1.1": { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" },
    "a server that speaks nothing but HTTP/2": { ALPNProtocols: ["h2"] }
  }
  for (const [what, options] of Object.entries(refused)) {
    live(
      what,
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* sentTo(options), { outcome: "TLS", received: "" })
      })
    )
  }

  live(
    "an authority that is not among the trusted, whatever the environment says",
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
      const receiver = yield* startReceiver(answers(200))
      const sender = yield* senderTo(receiver, { ca: [certificateOf("self-signed")] })
      assert.strictEqual(yield* outcomeOf(sender), "TLS")
    })
  )

  live(
    "a server without TLS",
    Effect.gen(function* () {
      const received: Array<string> = []
      const receiver = yield* startPlain((socket) => {
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

describe("the handshake", () => {
  live(
    "names the target, and asks for HTTP/1.1 alone",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(answers(200), { ALPNProtocols: ["h2", "http/1.1"] })
      assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver)), "200")
      const { socket } = yield* receiver.first
      assert.deepStrictEqual([socket.servername, socket.alpnProtocol], ["receiver.example.com", "http/1.1"])
    })
  )

  for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
    live(
      `may be one of ${version}`,
      Effect.gen(function* () {
        const { outcome } = yield* sentTo({ minVersion: version, maxVersion: version })
        assert.strictEqual(outcome, "200")
      })
    )
  }

  live(
    "that breaks off is a connection that broke",
    Effect.gen(function* () {
      for (const behave of ["destroy", "resetAndDestroy"] as const) {
        const receiver = yield* startPlain((socket) => void socket.once("data", () => socket[behave]()))
        assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver)), "CONNECTION")
      }
    })
  )
})
