/** TLS sessions of webhooks: resumed at the same host only, and only while its certificate counts as verified. */
import type * as tls from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, type Scope } from "effect"
import { limits } from "../../src/vocabulary/limits.ts"
import {
  certificateOf,
  contextOf,
  outcomeOf,
  respondWith,
  senderTo,
  startReceiver,
  type Behaviour,
  type Receiver
} from "../support/webhook-receiver.ts"

const live = <A, E>(name: string, effect: Effect.Effect<A, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(effect), 20_000)

/** A clock that a test sets; sleeping still takes real time. */
class SetClock {
  /** Milliseconds. */
  monotonic = 0
  wall = Date.parse("2030-01-01T00:00:00Z")

  over(real: Clock.Clock): Clock.Clock {
    return Object.assign(Object.create(real), {
      currentTimeMillisUnsafe: () => this.wall,
      monotonicTimeNanosUnsafe: () => BigInt(this.monotonic) * 1_000_000n
    })
  }
}

/** A receiver that closes each connection after its response, unless told otherwise, and a sender to it. */
const setUp = Effect.fnUntraced(function* (
  options: tls.TlsOptions = {},
  behave: Behaviour = respondWith(200, "connection: close")
) {
  const clock = new SetClock()
  const receiver = yield* startReceiver(behave, options)
  const sender = yield* Effect.updateService(senderTo(receiver), Clock.Clock, (real) => clock.over(real))
  return { clock, receiver, send: (target?: string) => outcomeOf(sender, target) }
})

/** Of each connection, whether it resumed a session. */
const resumptions = ({ connections }: Receiver) => connections.map(({ isResumed }) => isResumed)

for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
  const only: tls.TlsOptions = { minVersion: version, maxVersion: version }

  describe(`a session of ${version}`, () => {
    live(
      "A new connection to the same host resumes a session.",
      Effect.gen(function* () {
        const { receiver, send } = yield* setUp(only)
        for (let time = 0; time < 4; time++) assert.strictEqual(yield* send(), "200")
        assert.deepStrictEqual(resumptions(receiver), [false, true, true, true])
      })
    )

    live(
      "A session is never offered to another name, even at the same address and under the same certificate.",
      Effect.gen(function* () {
        const { receiver, send } = yield* setUp({ ...only, cert: certificateOf("wildcard") })
        assert.strictEqual(yield* send(), "200")
        assert.strictEqual(yield* send("https://elsewhere.example.com/"), "200")
        assert.strictEqual(yield* send(), "200")
        assert.deepStrictEqual(resumptions(receiver), [false, false, true])
      })
    )

    live(
      "A receiver that no longer knows a session gets the webhook after a full handshake.",
      Effect.gen(function* () {
        const { receiver, send } = yield* setUp(only)
        assert.strictEqual(yield* send(), "200")
        receiver.forgetSessions()
        assert.deepStrictEqual([yield* send(), yield* send()], ["200", "200"])
        assert.deepStrictEqual(resumptions(receiver), [false, false, true])
      })
    )

    for (const certificate of ["expired", "elsewhere", "self-signed"] as const) {
      live(
        `No webhook is sent to a receiver that changed to the certificate "${certificate}" once the last verified one has to be verified again.`,
        Effect.gen(function* () {
          let current: Parameters<typeof contextOf>[0] = "receiver"
          const { clock, receiver, send } = yield* setUp({
            ...only,
            SNICallback: (_, answer) => answer(null, contextOf(current))
          })
          assert.strictEqual(yield* send(), "200")
          current = certificate
          clock.monotonic = limits.webhookCertificateVerified - 1
          assert.strictEqual(yield* send(), "200")
          assert.deepStrictEqual(resumptions(receiver), [false, true])
          clock.monotonic = limits.webhookCertificateVerified
          assert.strictEqual(yield* send(), "TLS")
          assert.strictEqual(receiver.requests.length, 2)
        })
      )
    }

    live(
      "A session ends with the validity of its certificate.",
      Effect.gen(function* () {
        const { clock, receiver, send } = yield* setUp(only)
        clock.wall = Date.parse("2124-01-01T00:00:00Z") - 60_000
        assert.strictEqual(yield* send(), "200")
        clock.monotonic = 59_999
        assert.strictEqual(yield* send(), "200")
        clock.monotonic = 60_000
        assert.strictEqual(yield* send(), "200")
        assert.deepStrictEqual(resumptions(receiver), [false, true, false])
      })
    )

    live(
      "After an attempt that failed in its handshake, the next one makes a full handshake.",
      Effect.gen(function* () {
        let isBroken = false
        const { receiver, send } = yield* setUp({
          ...only,
          ALPNCallback: () => (isBroken ? undefined : "http/1.1")
        })
        assert.strictEqual(yield* send(), "200")
        isBroken = true
        assert.strictEqual(yield* send(), "TLS")
        isBroken = false
        assert.strictEqual(yield* send(), "200")
        assert.deepStrictEqual(resumptions(receiver), [false, false])
      })
    )

    live(
      "After an attempt without a complete response over a resumed session, the next one makes a full handshake.",
      Effect.gen(function* () {
        const { receiver, send } = yield* setUp(only, (arrival, number) =>
          number === 2 ? arrival.socket.destroy() : respondWith(200, "connection: close")(arrival, number)
        )
        assert.deepStrictEqual([yield* send(), yield* send(), yield* send()], ["200", "CONNECTION", "200"])
        assert.deepStrictEqual(resumptions(receiver), [false, true, false])
      })
    )
  })
}

describe("an open connection", () => {
  live(
    "An open connection is not reused once its certificate has to be verified again.",
    Effect.gen(function* () {
      const { clock, receiver, send } = yield* setUp({}, respondWith(200))
      yield* sendUntilVerificationEnds(clock, send)
      assert.strictEqual(receiver.connections.length, 1)
      assert.strictEqual(yield* send(), "200")
      assert.deepStrictEqual(resumptions(receiver), [false, false])
    })
  )

  live(
    "A connection that resumed a session is not reused after the end of that session.",
    Effect.gen(function* () {
      const { clock, receiver, send } = yield* setUp({}, (arrival, number) =>
        respondWith(200, ...(number === 1 ? ["connection: close"] : []))(arrival, number)
      )
      assert.strictEqual(yield* send(), "200")
      clock.monotonic = limits.webhookCertificateVerified / 2
      yield* sendUntilVerificationEnds(clock, send)
      assert.deepStrictEqual(resumptions(receiver), [false, true])
      assert.strictEqual(yield* send(), "200")
      assert.deepStrictEqual(resumptions(receiver), [false, true, false])
    })
  )
})

/** Sends so often that the connection is never idle for too long, until the certificate verified at 0 counts no longer. */
const sendUntilVerificationEnds = Effect.fnUntraced(function* (clock: SetClock, send: () => Effect.Effect<string>) {
  for (; clock.monotonic < limits.webhookCertificateVerified; clock.monotonic += limits.webhookConnectionIdle / 2)
    assert.strictEqual(yield* send(), "200")
})
