/** What decides in production where a callback goes, which no environment loosens. */
import { syncBuiltinESMExports } from "node:module"
import os from "node:os"
import * as tls from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, type Scope } from "effect"
import { layer, production } from "../../src/adapters/callback-sender/layer.ts"
import { CallbackSender } from "../../src/ports/callback-sender.ts"
import { answers, outcomeOf, senderTo, startPlain, startReceiver } from "../support/callback-receiver.ts"

const live = <A, E>(name: string, effect: Effect.Effect<A, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(effect), 20_000)

/** The interfaces of this machine are these, as long as the scope lasts. */
const withInterfaces = (interfaces: ReturnType<typeof os.networkInterfaces>) => {
  const before = os.networkInterfaces
  const set = (of: typeof before) => {
    os.networkInterfaces = of
    syncBuiltinESMExports()
  }
  return Effect.acquireRelease(
    Effect.sync(() => set(() => interfaces)),
    () => Effect.sync(() => set(before))
  )
}

describe("in production", () => {
  live(
    "the port is that of HTTPS, and the authorities are those that Node brings along",
    Effect.sync(() => {
      const { port, ca } = production(10_000)
      assert.strictEqual(port, 443)
      assert.deepStrictEqual(ca, tls.rootCertificates)
    })
  )

  live(
    "a public address is accepted, and one of this machine is not, from the moment that it has it",
    Effect.gen(function* () {
      const { acceptAddresses } = production(10_000)
      const isAccepted = (address: string) => Result.isSuccess(acceptAddresses([address]))
      assert.deepStrictEqual(["9.9.9.9", "2620:fe::fe", "127.0.0.1"].map(isAccepted), [true, true, false])
      const shared = { netmask: "", mac: "", internal: false, cidr: null }
      yield* withInterfaces({
        one: [{ ...shared, family: "IPv4", address: "9.9.9.9" }],
        other: [{ ...shared, family: "IPv6", address: "2620:fe::fe", scopeid: 0 }]
      })
      assert.deepStrictEqual(["9.9.9.9", "2620:fe::fe", "9.9.9.10"].map(isAccepted), [false, false, true])
    })
  )

  live(
    "the rule for addresses stands before any connection",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(answers(200))
      const { acceptAddresses } = production(10_000)
      assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver, { acceptAddresses })), "DNS_REJECTED")
      assert.strictEqual(receiver.arrivals.length, 0)
    })
  )

  live(
    "the authorities of the tests are nobody's",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(answers(200))
      const { ca } = production(10_000)
      assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver, { ca })), "TLS")
    })
  )

  live(
    "no proxy of the environment sees a callback",
    Effect.gen(function* () {
      const proxy = yield* startPlain((socket) => void socket.resume())
      const names = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"]
      const before = names.map((name) => [name, process.env[name]] as const)
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          for (const name of names) process.env[name] = name.startsWith("NODE") ? "1" : `http://127.0.0.1:${proxy.port}`
        }),
        () =>
          Effect.sync(() => {
            for (const [name, value] of before) {
              if (value === undefined) delete process.env[name]
              else process.env[name] = value
            }
          })
      )
      const receiver = yield* startReceiver(answers(200))
      assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver)), "200")
      assert.deepStrictEqual([receiver.arrivals.length, proxy.sockets.length], [1, 0])
    })
  )

  live(
    "the layer makes the sender",
    Effect.gen(function* () {
      const sender = yield* Effect.provide(CallbackSender, layer)
      assert.isFunction(sender.open)
    })
  )
})
