/** The production settings of the webhook sender, which no environment variable loosens. */
import { syncBuiltinESMExports } from "node:module"
import os from "node:os"
import * as tls from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, type Scope } from "effect"
import { layer, production } from "../../src/adapters/webhook-sender/layer.ts"
import { WebhookSender } from "../../src/ports/webhook-sender.ts"
import { respondWith, outcomeOf, senderTo, startPlaintextReceiver, startReceiver } from "../support/webhook-receiver.ts"

const live = <A, E>(name: string, effect: Effect.Effect<A, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(effect), 20_000)

/** Replaces the network interfaces of this machine while the scope is open. */
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

describe("the webhook sender in production", () => {
  live(
    "The port is 443, and the certificate authorities are those of Node.",
    Effect.sync(() => {
      const { port, ca } = production(10_000)
      assert.strictEqual(port, 443)
      assert.deepStrictEqual(ca, tls.rootCertificates)
    })
  )

  live(
    "A public address is accepted until it becomes an address of this machine.",
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
    "Addresses are checked before any connection.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200))
      const { acceptAddresses } = production(10_000)
      assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver, { acceptAddresses })), "DNS_REJECTED")
      assert.strictEqual(receiver.connections.length, 0)
    })
  )

  live(
    "The certificate authority of the tests is not trusted.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200))
      const { ca } = production(10_000)
      assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver, { ca })), "TLS")
    })
  )

  live(
    "Proxy variables of the environment are ignored.",
    Effect.gen(function* () {
      const proxy = yield* startPlaintextReceiver((socket) => void socket.resume())
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
      const receiver = yield* startReceiver(respondWith(200))
      assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver)), "200")
      assert.deepStrictEqual([receiver.connections.length, proxy.sockets.length], [1, 0])
    })
  )

  live(
    "The layer provides the sender.",
    Effect.gen(function* () {
      const sender = yield* Effect.provide(WebhookSender, layer)
      assert.isFunction(sender.open)
    })
  )
})
