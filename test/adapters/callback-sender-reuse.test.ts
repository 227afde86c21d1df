/** Which connections take another callback: those to the same name, at an address that the name still has. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, type Scope } from "effect"
import type { CallbackSender } from "../../src/ports/callback-sender.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import {
  answers,
  contextOf,
  host,
  outcomeOf,
  request,
  says,
  senderTo,
  startPlain,
  startReceiver,
  target,
  type Receiver
} from "../support/callback-receiver.ts"

const live = <A, E>(name: string, effect: Effect.Effect<A, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(effect), 20_000)

const addressesOf = ({ arrivals }: Receiver) => arrivals.map(({ address }) => address)

const deliver = (sender: CallbackSender["Service"], times: number) =>
  Effect.gen(function* () {
    for (let time = 0; time < times; time++) assert.strictEqual(yield* outcomeOf(sender), "200")
  })

describe("a connection", () => {
  live(
    "takes the next callback to its target, and gathers nothing from one to another",
    Effect.gen(function* () {
      const warnings: Array<string> = []
      const warned = ({ message }: Error) => void warnings.push(message)
      yield* Effect.acquireRelease(
        Effect.sync(() => process.on("warning", warned)),
        () => Effect.sync(() => process.off("warning", warned))
      )
      const receiver = yield* startReceiver(answers(200))
      yield* deliver(yield* senderTo(receiver), 15)
      assert.deepStrictEqual([receiver.requests.length, addressesOf(receiver)], [15, ["127.0.0.1"]])
      assert.deepStrictEqual(warnings, [])
    })
  )

  live(
    "takes the next one however much the answers before it said together",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(
        says(`HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n${"a".repeat(60_000)}`)
      )
      yield* deliver(yield* senderTo(receiver), 3)
      assert.deepStrictEqual([receiver.requests.length, receiver.arrivals.length], [3, 1])
    })
  )

  live(
    "is not taken once the name has left its address, though it is open",
    Effect.gen(function* () {
      let addresses = ["127.0.0.1"]
      const receiver = yield* startReceiver(answers(200))
      const sender = yield* senderTo(receiver, { resolve: () => Effect.sync(() => addresses) })
      yield* deliver(sender, 1)
      addresses = ["127.0.0.2"]
      yield* deliver(sender, 1)
      assert.deepStrictEqual(addressesOf(receiver), ["127.0.0.1", "127.0.0.2"])
      assert.isFalse(receiver.arrivals[0]?.socket.destroyed)
      // And again once it is back, among others.
      addresses = ["127.0.0.3", "127.0.0.1"]
      yield* deliver(sender, 1)
      assert.strictEqual(receiver.arrivals.length, 2)
    })
  )

  live(
    "is not taken once its address is refused, though it is open",
    Effect.gen(function* () {
      let isRefused = false
      const receiver = yield* startReceiver(answers(200))
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
    "is never taken for another name, at whatever address",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(answers(200), {
        SNICallback: (name, answer) => answer(null, contextOf(name === host ? "receiver" : "elsewhere"))
      })
      const sender = yield* senderTo(receiver)
      yield* deliver(sender, 1)
      assert.strictEqual(yield* outcomeOf(sender, "https://elsewhere.example.com/"), "200")
      yield* deliver(sender, 1)
      assert.deepStrictEqual(
        receiver.arrivals.map(({ socket }) => socket.servername),
        [host, "elsewhere.example.com"]
      )
    })
  )

  live(
    "has one callback at a time: of two at once each has its own",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(answers(200))
      const sender = yield* senderTo(receiver)
      yield* deliver(sender, 1)
      const both = Effect.gen(function* () {
        const [one, other] = [yield* sender.open(target), yield* sender.open(target)]
        assert.deepStrictEqual(yield* Effect.all([one.send(request), other.send(request)], { concurrency: 2 }), [
          { statusCode: 200 },
          { statusCode: 200 }
        ])
      })
      yield* Effect.scoped(both)
      assert.deepStrictEqual(
        receiver.arrivals.map(({ received }) => received.split("POST").length - 1),
        [2, 1]
      )
    })
  )

  const unfit: Readonly<Record<string, string>> = {
    "said that it ends": "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
    "is of HTTP/1.0": "HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n",
    "ends before it could be taken": "HTTP/1.1 200 OK\r\nkeep-alive: timeout=0\r\ncontent-length: 0\r\n\r\n",
    "sent a second answer": "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".repeat(2),
    "sent more than its length": "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\nsurplus",
    "sent more than is read": `HTTP/1.1 200 OK\r\ncontent-length: 70000\r\n\r\n${"a".repeat(70_000)}`
  }
  for (const [what, bytes] of Object.entries(unfit)) {
    live(
      `that ${what} is not taken again`,
      Effect.gen(function* () {
        const receiver = yield* startReceiver(says(bytes))
        yield* deliver(yield* senderTo(receiver), 2)
        assert.deepStrictEqual([receiver.requests.length, receiver.arrivals.length], [2, 2])
        yield* Effect.promise(() => Promise.all(receiver.arrivals.map(({ closed }) => closed)))
      })
    )
  }
})

describe("a connection that waits", () => {
  live(
    "and was ended by the target meanwhile gives way to a new one",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(answers(200))
      const sender = yield* senderTo(receiver)
      yield* deliver(sender, 1)
      const { socket, closed } = yield* receiver.first
      socket.end()
      yield* Effect.promise(() => closed)
      yield* deliver(sender, 1)
      assert.strictEqual(receiver.arrivals.length, 2)
    })
  )

  live(
    "and is ended by the target as it is taken fails: it opens no other that nobody checked",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(answers(200))
      const sender = yield* senderTo(receiver)
      yield* deliver(sender, 1)
      const open = yield* sender.open(target)
      const { socket, closed } = yield* receiver.first
      socket.end()
      yield* Effect.promise(() => closed)
      const failed = yield* Effect.flip(open.send(request))
      assert.deepInclude(failed, { _tag: "CallbackFailed", fault: "CONNECTION" })
      assert.deepStrictEqual([receiver.requests.length, receiver.arrivals.length], [1, 1])
    })
  )

  live(
    "and is ended by the target as the request comes fails once, without being sent again",
    Effect.gen(function* () {
      const receiver = yield* startReceiver((arrival, number) =>
        number === 1 ? answers(200)(arrival, number) : arrival.reset()
      )
      const sender = yield* senderTo(receiver)
      yield* deliver(sender, 1)
      assert.strictEqual(yield* outcomeOf(sender), "CONNECTION")
      assert.deepStrictEqual([receiver.requests.length, receiver.arrivals.length], [2, 1])
    })
  )

  live(
    "is ended with the sender",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(answers(200))
      yield* Effect.scoped(Effect.flatMap(senderTo(receiver), (sender) => deliver(sender, 1)))
      const { closed } = yield* receiver.first
      // Sooner than it would end by itself.
      yield* Effect.timeout(
        Effect.promise(() => closed),
        limits.callbackConnectionIdle / 2
      )
    })
  )

  live(
    "is ended by itself after a while, however long the target would have it wait",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(answers(200, "keep-alive: timeout=600"))
      yield* deliver(yield* senderTo(receiver), 1)
      const { closed } = yield* receiver.first
      yield* Effect.timeout(
        Effect.promise(() => closed),
        limits.callbackConnectionIdle * 3
      )
    })
  )

  live(
    "is ended where too many do, the one that waited longest first",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(answers(200))
      const sender = yield* senderTo(receiver)
      yield* Effect.scoped(
        Effect.gen(function* () {
          for (let each = 0; each <= limits.callbackConnectionsIdle; each++) {
            const open = yield* sender.open(target)
            yield* open.send(request)
          }
        })
      )
      assert.strictEqual(receiver.arrivals.length, limits.callbackConnectionsIdle + 1)
      yield* Effect.promise(() => Promise.race(receiver.arrivals.map(({ closed }) => closed)))
      yield* Effect.sleep(50)
      assert.strictEqual(receiver.arrivals.filter(({ socket }) => socket.destroyed).length, 1)
    })
  )
})

describe("of several addresses", () => {
  live(
    "the next is tried where one takes no connection",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(answers(200))
      // The receiver listens at IPv4 alone.
      const sender = yield* senderTo(receiver, { resolve: () => Effect.succeed(["::1", "127.0.0.2"]) })
      yield* deliver(sender, 1)
      assert.deepStrictEqual(addressesOf(receiver), ["127.0.0.2"])
    })
  )

  live(
    "the one that took the connection has to speak for the target",
    Effect.gen(function* () {
      const receiver = yield* startPlain((socket) => socket.destroy())
      const sender = yield* senderTo(receiver, { resolve: () => Effect.succeed(["127.0.0.1", "127.0.0.2"]) })
      assert.strictEqual(yield* outcomeOf(sender), "CONNECTION")
      assert.strictEqual(receiver.sockets.length, 1)
    })
  )
})
