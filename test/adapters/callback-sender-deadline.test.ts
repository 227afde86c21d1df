/** Receivers that take their time: the deadline of whoever sends ends each step, and its socket with it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import {
  outcomeOf,
  request,
  senderTo,
  startPlain,
  startReceiver,
  target,
  type Behaviour
} from "../support/callback-receiver.ts"

const live = <A, E>(name: string, effect: Effect.Effect<A, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(effect), 20_000)

/** Writes on and on, as long as somebody is there. */
const drips =
  (before: string, drop: string, everyMs: number): Behaviour =>
  ({ socket }) => {
    socket.write(before)
    const timer = setInterval(() => socket.write(drop), everyMs)
    socket.once("close", () => clearInterval(timer))
  }

const ok = "HTTP/1.1 200 OK\r\n"

/** What takes for ever, though no pause between two bytes of it is long. */
const slow: Readonly<Record<string, Behaviour>> = {
  "says nothing": () => {},
  "drips its headers": drips(ok, "x: y\r\n", 20),
  "drips one header": drips(`${ok}x: `, "y", 20),
  "drips its body": drips(`${ok}content-length: 60000\r\n\r\n`, "a", 20),
  "drips its chunks": drips(`${ok}transfer-encoding: chunked\r\n\r\n`, "1\r\na\r\n", 20),
  "drips the extension of a chunk": drips(`${ok}transfer-encoding: chunked\r\n\r\n1;`, "a", 20),
  "drips its reason": drips("HTTP/1.1 200 ", "a", 20),
  "is informational without end": drips("", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", 20)
}

describe.concurrent("a receiver that", () => {
  for (const [what, behave] of Object.entries(slow)) {
    live(
      `${what} is left at the deadline`,
      Effect.gen(function* () {
        const receiver = yield* startReceiver(behave)
        const sender = yield* senderTo(receiver)
        assert.strictEqual(yield* outcomeOf(sender, target, 500), "TIMEOUT")
        const { closed } = yield* receiver.first
        yield* Effect.promise(() => closed)
        assert.deepStrictEqual([receiver.requests.length, receiver.arrivals.length], [1, 1])
      })
    )
  }

  const mute: Readonly<Record<string, Parameters<typeof startPlain>[0]>> = {
    "never speaks TLS": (socket) => void socket.resume(),
    "never reads": () => {},
    "stalls its handshake": (socket) => {
      // The beginning of a record of a handshake, whose rest never comes.
      socket.once("data", () => socket.write(Buffer.from("160303007a02000076", "hex")))
    }
  }
  for (const [what, behave] of Object.entries(mute)) {
    live(
      `${what} is left at the deadline`,
      Effect.gen(function* () {
        const receiver = yield* startPlain(behave)
        assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver), target, 500), "TIMEOUT")
        assert.strictEqual(receiver.sockets.length, 1)
        // What nobody reads from would not tell that the other side has gone.
        receiver.sockets.forEach((socket) => socket.resume())
        yield* Effect.promise(() => Promise.all(receiver.closed))
      })
    )
  }
})

describe("an interruption", () => {
  live(
    "of the request ends the connection, also where its scope goes on",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(() => {})
      const sender = yield* senderTo(receiver)
      const open = yield* sender.open(target)
      assert.strictEqual((yield* Effect.timeoutOption(open.send(request), 200))._tag, "None")
      const { closed } = yield* receiver.first
      yield* Effect.promise(() => closed)
    })
  )

  live(
    "of the handshake ends the connection, also where its scope goes on",
    Effect.gen(function* () {
      const receiver = yield* startPlain((socket) => void socket.resume())
      const sender = yield* senderTo(receiver)
      assert.strictEqual((yield* Effect.timeoutOption(sender.open(target), 400))._tag, "None")
      assert.strictEqual(receiver.sockets.length, 1)
      yield* Effect.promise(() => Promise.all(receiver.closed))
    })
  )

  live(
    "leaves nothing open wherever it falls",
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
