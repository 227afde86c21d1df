/** Reuse of connections by webhooks: only for the same name, at an address that the name still has. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, type Scope } from "effect"
import type { WebhookSender } from "../../src/ports/webhook-sender.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import {
  certificateOf,
  contextOf,
  host,
  outcomeOf,
  type Receiver,
  respondWith,
  respondWithText,
  senderTo,
  sendOver,
  startPlaintextReceiver,
  startReceiver,
  target
} from "../support/webhook-receiver.ts"

const live = <A, E>(name: string, effect: Effect.Effect<A, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(effect), 20_000)

const addressesOf = ({ connections }: Receiver) => connections.map(({ address }) => address)

const deliver = (sender: WebhookSender["Service"], times: number) =>
  Effect.gen(function* () {
    for (let time = 0; time < times; time++) assert.strictEqual(yield* outcomeOf(sender), "200")
  })

describe("reuse of a connection", () => {
  live(
    "A connection is reused by the next webhooks to its target and accumulates no listeners.",
    Effect.gen(function* () {
      const warnings: Array<string> = []
      const onWarning = ({ message }: Error) => void warnings.push(message)
      yield* Effect.acquireRelease(
        Effect.sync(() => process.on("warning", onWarning)),
        () => Effect.sync(() => process.off("warning", onWarning))
      )
      const receiver = yield* startReceiver(respondWith(200))
      yield* deliver(yield* senderTo(receiver), 15)
      assert.deepStrictEqual([receiver.requests.length, addressesOf(receiver)], [15, ["127.0.0.1"]])
      assert.deepStrictEqual(warnings, [])
    })
  )

  live(
    "A connection is reused whatever the total size of earlier responses is.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(
        respondWithText(`HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n${"a".repeat(60_000)}`)
      )
      yield* deliver(yield* senderTo(receiver), 3)
      assert.deepStrictEqual([receiver.requests.length, receiver.connections.length], [3, 1])
    })
  )

  live(
    "A connection that its receiver keeps for three seconds waits a second and a half for the record of an attempt.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200, "keep-alive: timeout=3"))
      const sender = yield* senderTo(receiver)
      yield* deliver(sender, 1)
      const status = yield* Effect.scoped(
        Effect.gen(function* () {
          const connection = yield* sender.open(target)
          yield* Effect.sleep("1500 millis")
          return (yield* sendOver(connection)).statusCode
        })
      )
      assert.deepStrictEqual([status, receiver.connections.length], [200, 1])
    })
  )

  live(
    "A connection that its receiver keeps for two seconds or less is not reused.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200, "keep-alive: timeout=2, max=100"))
      yield* deliver(yield* senderTo(receiver), 3)
      assert.strictEqual(receiver.connections.length, 3)
    })
  )

  live(
    "An open connection is not reused once the name no longer has its address.",
    Effect.gen(function* () {
      let addresses = ["127.0.0.1"]
      const receiver = yield* startReceiver(respondWith(200))
      const sender = yield* senderTo(receiver, { resolve: () => Effect.sync(() => addresses) })
      yield* deliver(sender, 1)
      addresses = ["127.0.0.2"]
      yield* deliver(sender, 1)
      assert.deepStrictEqual(addressesOf(receiver), ["127.0.0.1", "127.0.0.2"])
      assert.isFalse(receiver.connections[0]?.socket.destroyed)
      // And again once the name has it again, among others.
      addresses = ["127.0.0.3", "127.0.0.1"]
      yield* deliver(sender, 1)
      assert.strictEqual(receiver.connections.length, 2)
    })
  )

  live(
    "An open connection is not reused once its address is rejected.",
    Effect.gen(function* () {
      let isRefused = false
      const receiver = yield* startReceiver(respondWith(200))
      const sender = yield* senderTo(receiver, {
        acceptAddresses: (found) => (isRefused ? Result.fail("refused") : Result.succeed(found))
      })
      yield* deliver(sender, 1)
      isRefused = true
      assert.strictEqual(yield* outcomeOf(sender), "DNS_REJECTED")
      assert.strictEqual(receiver.requests.length, 1)
    })
  )

  live(
    "A connection is never reused for another name, even at the same address.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200), {
        SNICallback: (name, answer) => answer(null, contextOf(name === host ? "receiver" : "elsewhere"))
      })
      const sender = yield* senderTo(receiver)
      yield* deliver(sender, 1)
      assert.strictEqual(yield* outcomeOf(sender, "https://elsewhere.example.com/"), "200")
      yield* deliver(sender, 1)
      assert.deepStrictEqual(
        receiver.connections.map(({ socket }) => socket.servername),
        [host, "elsewhere.example.com"]
      )
    })
  )

  live(
    "Two simultaneous webhooks use separate connections.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200))
      const sender = yield* senderTo(receiver)
      yield* deliver(sender, 1)
      const sendTwo = Effect.gen(function* () {
        const [one, other] = [yield* sender.open(target), yield* sender.open(target)]
        assert.deepStrictEqual(yield* Effect.all([sendOver(one), sendOver(other)], { concurrency: 2 }), [
          { statusCode: 200 },
          { statusCode: 200 }
        ])
      })
      yield* Effect.scoped(sendTwo)
      assert.deepStrictEqual(
        receiver.connections.map(({ received }) => received.split("POST").length - 1),
        [2, 1]
      )
    })
  )

  const unfitConnections: Readonly<Record<string, string>> = {
    "announced its end": "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
    "uses HTTP/1.0": "HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n",
    "has a keep-alive timeout of zero": "HTTP/1.1 200 OK\r\nkeep-alive: timeout=0\r\ncontent-length: 0\r\n\r\n",
    "sent a second response": "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".repeat(2),
    "sent more than its length": "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\nsurplus",
    "sent more than the limit": `HTTP/1.1 200 OK\r\ncontent-length: 70000\r\n\r\n${"a".repeat(70_000)}`
  }
  for (const [what, bytes] of Object.entries(unfitConnections)) {
    live(
      `A connection that ${what} is not reused.`,
      Effect.gen(function* () {
        const receiver = yield* startReceiver(respondWithText(bytes))
        yield* deliver(yield* senderTo(receiver), 2)
        assert.deepStrictEqual([receiver.requests.length, receiver.connections.length], [2, 2])
        yield* Effect.promise(() => Promise.all(receiver.connections.map(({ closed }) => closed)))
      })
    )
  }
})

describe("idle connections", () => {
  live(
    "An idle connection that the target closed is replaced by a new one.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200))
      const sender = yield* senderTo(receiver)
      yield* deliver(sender, 1)
      const { socket, closed } = yield* receiver.first
      socket.end()
      yield* Effect.promise(() => closed)
      yield* deliver(sender, 1)
      assert.strictEqual(receiver.connections.length, 2)
    })
  )

  live(
    "A connection that the target closes after it was taken fails the webhook without opening an unchecked one.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200))
      const sender = yield* senderTo(receiver)
      yield* deliver(sender, 1)
      const open = yield* sender.open(target)
      const { socket, closed } = yield* receiver.first
      socket.end()
      yield* Effect.promise(() => closed)
      const failed = yield* Effect.flip(sendOver(open))
      assert.deepInclude(failed, { _tag: "WebhookFailure", fault: "CONNECTION" })
      assert.deepStrictEqual([receiver.requests.length, receiver.connections.length], [1, 1])
    })
  )

  live(
    "A request on a reused connection that the target resets is not sent again.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver((arrival, number) =>
        number === 1 ? respondWith(200)(arrival, number) : arrival.reset()
      )
      const sender = yield* senderTo(receiver)
      yield* deliver(sender, 1)
      assert.strictEqual(yield* outcomeOf(sender), "CONNECTION")
      assert.deepStrictEqual([receiver.requests.length, receiver.connections.length], [2, 1])
    })
  )

  live(
    "Idle connections are closed with the sender.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200))
      yield* Effect.scoped(Effect.flatMap(senderTo(receiver), (sender) => deliver(sender, 1)))
      const { closed } = yield* receiver.first
      // Sooner than its idle timeout.
      yield* Effect.timeout(
        Effect.promise(() => closed),
        limits.webhookConnectionIdle / 2
      )
    })
  )

  live(
    "An idle connection is closed after the limit, whatever keep-alive timeout the target announces.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200, "keep-alive: timeout=600"))
      yield* deliver(yield* senderTo(receiver), 1)
      const { closed } = yield* receiver.first
      yield* Effect.timeout(
        Effect.promise(() => closed),
        limits.webhookConnectionIdle * 3
      )
    })
  )

  live(
    "Above the limit of idle connections, the one idle for longest is closed.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200), { cert: certificateOf("wildcard") })
      const targets = Array.from({ length: limits.webhookConnectionsIdle }, (_, each) => hostTarget(each % 8))
      yield* sendTogether(yield* senderTo(receiver), [hostTarget(8), ...targets])
      yield* onlyClosed(receiver, limits.webhookConnectionsIdle)
    })
  )

  live(
    "A host with more idle connections than its share loses the one idle for longest, and no other host loses any.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200), { cert: certificateOf("wildcard") })
      const targets = Array.from({ length: limits.webhookConnectionsIdlePerHost + 1 }, () => hostTarget(1))
      yield* sendTogether(yield* senderTo(receiver), [...targets, hostTarget(2)])
      yield* onlyClosed(receiver, limits.webhookConnectionsIdlePerHost)
    })
  )
})

const hostTarget = (number: number) => `https://host-${number}.example.com/`

/** Sends to all targets over connections of their own, and releases these in reverse order. */
const sendTogether = (sender: WebhookSender["Service"], targets: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.forEach(targets, (target) => Effect.flatMap(sender.open(target), sendOver), {
      discard: true
    })
  )

/** Of all connections, in the order in which they were accepted, only this one is closed. */
const onlyClosed = Effect.fnUntraced(function* ({ connections }: Receiver, index: number) {
  yield* Effect.promise(() => Promise.race(connections.map(({ closed }) => closed)))
  yield* Effect.sleep(50)
  const closed = connections.flatMap(({ socket }, each) => (socket.destroyed ? [each] : []))
  assert.deepStrictEqual(closed, [index])
})

describe("a name with several addresses", () => {
  live(
    "The next address is tried when one accepts no connection.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200))
      // The receiver listens on IPv4 only.
      const sender = yield* senderTo(receiver, { resolve: () => Effect.succeed(["::1", "127.0.0.2"]) })
      yield* deliver(sender, 1)
      assert.deepStrictEqual(addressesOf(receiver), ["127.0.0.2"])
    })
  )

  live(
    "No further address is tried after one has accepted the connection.",
    Effect.gen(function* () {
      const receiver = yield* startPlaintextReceiver((socket) => socket.destroy())
      const sender = yield* senderTo(receiver, { resolve: () => Effect.succeed(["127.0.0.1", "127.0.0.2"]) })
      assert.strictEqual(yield* outcomeOf(sender), "CONNECTION")
      assert.strictEqual(receiver.sockets.length, 1)
    })
  )
})
