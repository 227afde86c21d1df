/** Slow receivers: the deadline of the attempt ends each step and closes its socket. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import {
  type Behaviour,
  outcomeOf,
  senderTo,
  sendOver,
  startPlaintextReceiver,
  startReceiver,
  target
} from "../support/webhook-receiver.ts"

const live = <A, E>(name: string, effect: Effect.Effect<A, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(effect), 20_000)

/** Writes repeatedly until the socket closes. */
const drips =
  (before: string, drop: string, everyMs: number): Behaviour =>
  ({ socket }) => {
    socket.write(before)
    const timer = setInterval(() => socket.write(drop), everyMs)
    socket.once("close", () => clearInterval(timer))
  }

const ok = "HTTP/1.1 200 OK\r\n"

/** Responses that never end, without a long pause between two bytes. */
const endlessResponses: Readonly<Record<string, Behaviour>> = {
  "sends nothing": () => {},
  "drips headers": drips(ok, "x: y\r\n", 20),
  "drips one header": drips(`${ok}x: `, "y", 20),
  "drips its body": drips(`${ok}content-length: 60000\r\n\r\n`, "a", 20),
  "drips its chunks": drips(`${ok}transfer-encoding: chunked\r\n\r\n`, "1\r\na\r\n", 20),
  "drips the extension of a chunk": drips(`${ok}transfer-encoding: chunked\r\n\r\n1;`, "a", 20),
  "drips the reason phrase": drips("HTTP/1.1 200 ", "a", 20),
  "sends informational responses without end": drips("", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", 20)
}

describe.concurrent("slow receivers", () => {
  for (const [what, behave] of Object.entries(endlessResponses)) {
    live(
      `A receiver that ${what} is abandoned at the deadline.`,
      Effect.gen(function* () {
        const receiver = yield* startReceiver(behave)
        const sender = yield* senderTo(receiver)
        assert.strictEqual(yield* outcomeOf(sender, target, 500), "TIMEOUT")
        const { closed } = yield* receiver.first
        yield* Effect.promise(() => closed)
        assert.deepStrictEqual([receiver.requests.length, receiver.connections.length], [1, 1])
      })
    )
  }

  const stalledReceivers: Readonly<Record<string, Parameters<typeof startPlaintextReceiver>[0]>> = {
    "never starts TLS": (socket) => void socket.resume(),
    "never reads": () => {},
    "stalls its handshake": (socket) => {
      // The beginning of a handshake record, whose rest never arrives.
      socket.once("data", () => socket.write(Buffer.from("160303007a02000076", "hex")))
    }
  }
  for (const [what, behave] of Object.entries(stalledReceivers)) {
    live(
      `A receiver that ${what} is abandoned at the deadline.`,
      Effect.gen(function* () {
        const receiver = yield* startPlaintextReceiver(behave)
        assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver), target, 500), "TIMEOUT")
        assert.strictEqual(receiver.sockets.length, 1)
        // A paused socket would not notice that the other side has closed.
        receiver.sockets.forEach((socket) => socket.resume())
        yield* Effect.promise(() => Promise.all(receiver.closed))
      })
    )
  }
})

describe("an interruption of a webhook", () => {
  live(
    "An interruption during the request closes the connection, even while its scope is open.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(() => {})
      const sender = yield* senderTo(receiver)
      const open = yield* sender.open(target)
      assert.strictEqual((yield* Effect.timeoutOption(sendOver(open), 200))._tag, "None")
      const { closed } = yield* receiver.first
      yield* Effect.promise(() => closed)
    })
  )

  live(
    "An interruption during the TLS handshake closes the connection, even while its scope is open.",
    Effect.gen(function* () {
      const receiver = yield* startPlaintextReceiver((socket) => void socket.resume())
      const sender = yield* senderTo(receiver)
      assert.strictEqual((yield* Effect.timeoutOption(sender.open(target), 400))._tag, "None")
      assert.strictEqual(receiver.sockets.length, 1)
      yield* Effect.promise(() => Promise.all(receiver.closed))
    })
  )

  live(
    "An interruption at any point leaves no connection open.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(() => {})
      const sender = yield* senderTo(receiver)
      for (let delay = 0; delay < 25; delay++) {
        const scope = yield* Scope.make()
        const fiber = yield* Effect.forkChild(Scope.provide(sender.open(target), scope))
        yield* delay < 12 ? Effect.sleep(delay / 2) : yieldTimes(delay)
        yield* Fiber.interrupt(fiber)
        yield* Scope.close(scope, Exit.void)
      }
      assert.isAtLeast(yield* receiver.allClosed, 10)
    })
  )
})

const yieldTimes = (times: number) => Effect.replicateEffect(Effect.yieldNow, times)
