/** A webhook over real sockets: the request that is sent, and the outcome of each kind of response. */
import * as zlib from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, type Scope } from "effect"
import { limits } from "../../src/vocabulary/limits.ts"
import {
  type Behaviour,
  host,
  outcomeOf,
  request,
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

describe("a webhook request", () => {
  live(
    "A webhook is one POST with the given headers and body, and only the headers that HTTP requires.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200))
      assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver)), "200")
      const [{ head, body }] = receiver.requests as [(typeof receiver.requests)[number]]
      assert.deepStrictEqual(head.split("\r\n"), [
        "POST /events?of=all HTTP/1.1",
        `host: ${host}`,
        "connection: keep-alive",
        "content-type: application/json",
        "service-event-id: event_1",
        `content-length: ${Buffer.byteLength(request.body)}`
      ])
      assert.strictEqual(body, request.body)
    })
  )

  live(
    "No byte of the request is sent when the connection is opened.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200))
      const sender = yield* senderTo(receiver)
      const open = yield* sender.open(target)
      // The handshake has ended, and the receiver has had time to read.
      yield* Effect.sleep(100)
      assert.deepStrictEqual(
        receiver.connections.map(({ received }) => received),
        [""]
      )
      assert.deepStrictEqual(yield* sendOver(open), { statusCode: 200 })
      assert.strictEqual(receiver.requests.length, 1)
    })
  )

  live(
    "A connection that was opened for no request is closed.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200))
      const sender = yield* senderTo(receiver)
      yield* Effect.scoped(Effect.andThen(sender.open(target), receiver.first))
      const { closed, received } = yield* receiver.first
      yield* Effect.promise(() => closed)
      assert.deepStrictEqual([receiver.connections.length, received], [1, ""])
    })
  )
})

describe("the status of a response", () => {
  for (const status of [200, 201, 204, 299, 300, 301, 304, 400, 410, 429, 500, 503, 599]) {
    live(
      `The status ${status} of a response is returned unchanged.`,
      Effect.gen(function* () {
        const receiver = yield* startReceiver(respondWith(status, "retry-after: -5"))
        assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver)), String(status))
      })
    )
  }

  live(
    "A redirect is returned as the response and never followed.",
    Effect.gen(function* () {
      const elsewhere = yield* startReceiver(respondWith(200))
      const locations = [`https://${host}:${elsewhere.port}/`, "http://169.254.169.254/latest/", "/again"]
      const receiver = yield* startReceiver((arrival, number) =>
        respondWith(307, `location: ${locations[number - 1]}`)(arrival, number)
      )
      const sender = yield* senderTo(receiver)
      for (const _ of locations) assert.strictEqual(yield* outcomeOf(sender), "307")
      assert.deepStrictEqual([receiver.requests.length, elsewhere.connections.length], [locations.length, 0])
    })
  )

  live(
    "Informational responses before the final status are ignored.",
    Effect.gen(function* () {
      const early = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
      const receiver = yield* startReceiver(respondWithText(early, "HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n"))
      assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver)), "410")
    })
  )
})

describe("the body of a response", () => {
  const completeBodies: Readonly<Record<string, ReadonlyArray<string>>> = {
    "with a length": ["HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n", "hello"],
    "in chunks": ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "5\r\nhello\r\n", "0\r\n\r\n"],
    "up to the end of the connection": ["HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n", "hello"]
  }
  for (const [how, bytes] of Object.entries(completeBodies)) {
    live(
      `A response body may arrive ${how}.`,
      Effect.gen(function* () {
        const receiver = yield* startReceiver((arrival, number) => {
          respondWithText(...bytes)(arrival, number)
          if (how === "up to the end of the connection") arrival.socket.end()
        })
        assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver)), "200")
      })
    )
  }

  live(
    "A response body is read up to the limit: a receiver cannot send 200 MB.",
    Effect.gen(function* () {
      const megabytes = 200
      let sent = 0
      const receiver = yield* startReceiver(({ socket }) => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${megabytes * 1_000_000}\r\n\r\n`)
        const megabyte = Buffer.alloc(1_000_000, "a")
        const more = () => {
          while (sent < megabytes && !socket.destroyed) {
            sent += 1
            if (!socket.write(megabyte)) return void socket.once("drain", more)
          }
        }
        more()
      })
      assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver)), "200")
      yield* Effect.flatMap(receiver.first, ({ closed }) => Effect.promise(() => closed))
      assert.isBelow(sent, megabytes / 4)
    })
  )

  const endless: Readonly<Record<string, readonly [outcome: string, before: string, more: string]>> = {
    "small chunks": ["200", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "1\r\na\r\n"],
    "the extension of a chunk": ["200", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;", "abcdef"],
    "informational responses": ["CONNECTION", "", "HTTP/1.1 102 Processing\r\n\r\n"],
    "a reason phrase": ["CONNECTION", "HTTP/1.1 200 ", "abcdef"]
  }
  for (const [what, [outcome, before, more]] of Object.entries(endless)) {
    live(
      `A response of ${what} without end is read up to the limit.`,
      Effect.gen(function* () {
        const receiver = yield* startReceiver(({ socket }) => {
          socket.write(before)
          const flood = () => {
            while (!socket.destroyed && socket.write(more.repeat(1_000)));
            socket.once("drain", flood)
          }
          flood()
        })
        assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver)), outcome)
        yield* receiver.allClosed
      })
    )
  }

  live(
    "A compressed response body is not decompressed.",
    Effect.gen(function* () {
      const packed = zlib.gzipSync(Buffer.alloc(20_000_000))
      assert.isBelow(packed.length, limits.webhookResponseBytes)
      const receiver = yield* startReceiver((arrival, number) => {
        const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`
        respondWithText(head, packed)(arrival, number)
      })
      const sender = yield* senderTo(receiver)
      // Read to its end, so that the connection is reused.
      for (const _ of [1, 2]) assert.strictEqual(yield* outcomeOf(sender), "200")
      assert.strictEqual(receiver.connections.length, 1)
    })
  )
})

describe("invalid responses", () => {
  const ok = "HTTP/1.1 200 OK\r\n"
  const invalidResponses: Readonly<Record<string, Behaviour>> = {
    "a reset before the status": ({ reset }) => reset(),
    "an end before the status": ({ socket }) => void socket.end(),
    "an end inside the headers": ({ socket }) => void socket.end(`${ok}content-le`),
    "an end inside the body": ({ socket }) => void socket.end(`${ok}content-length: 100\r\n\r\nhello`),
    "an end inside the chunks": ({ socket }) => void socket.end(`${ok}transfer-encoding: chunked\r\n\r\n5\r\nhel`),
    "a reset inside the body": ({ socket, reset }) => socket.write(`${ok}content-length: 100\r\n\r\nhello`, reset),
    "30 kB of headers": respondWithText(`${ok}x-large: ${"a".repeat(30_000)}\r\ncontent-length: 0\r\n\r\n`),
    "30 kB of small headers": respondWithText(`${ok}${"x-small: a\r\n".repeat(3_000)}content-length: 0\r\n\r\n`),
    "30 kB of trailers": respondWithText(
      `${ok}transfer-encoding: chunked\r\n\r\n0\r\nx-large: ${"a".repeat(30_000)}\r\n\r\n`
    ),
    "another protocol": respondWithText("220 mail.example.com ESMTP\r\n"),
    "random bytes": respondWithText(Buffer.from([0, 255, 13, 10, 13, 10, 0, 1])),
    "a status that is not a number": respondWithText("HTTP/1.1 2OO OK\r\n\r\n"),
    "another version of HTTP": respondWithText("HTTP/3.7 200 OK\r\n\r\n"),
    "HTTP/2 that was not negotiated": respondWithText(Buffer.from("000000040000000000", "hex")),
    "two lengths": respondWithText(`${ok}content-length: 5\r\ncontent-length: 6\r\n\r\nhello!`),
    "the same length twice": respondWithText(`${ok}content-length: 5\r\ncontent-length: 5\r\n\r\nhello`),
    "a length and chunks": respondWithText(`${ok}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    "a length below zero": respondWithText(`${ok}content-length: -5\r\n\r\n`),
    "a chunk without a size": respondWithText(`${ok}transfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n`),
    "NUL in a header": respondWithText(`${ok}x-nul: a\0b\r\ncontent-length: 0\r\n\r\n`),
    "a header without a name": respondWithText(`${ok}: a\r\ncontent-length: 0\r\n\r\n`),
    "a switch of protocols": respondWithText(
      "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n"
    )
  }
  for (const [what, behave] of Object.entries(invalidResponses)) {
    live(
      `A response with ${what} fails as CONNECTION.`,
      Effect.gen(function* () {
        const receiver = yield* startReceiver(behave)
        assert.strictEqual(yield* outcomeOf(yield* senderTo(receiver)), "CONNECTION")
        assert.strictEqual(receiver.connections.length, 1)
        yield* Effect.flatMap(receiver.first, ({ closed }) => Effect.promise(() => closed))
      })
    )
  }

  live(
    "A response that arrives before the request is not accepted.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(500))
      const sender = yield* senderTo(receiver)
      const open = yield* sender.open(target)
      const { socket } = yield* receiver.first
      socket.write(`${ok}content-length: 0\r\n\r\n`)
      yield* Effect.sleep(100)
      assert.strictEqual((yield* Effect.flip(sendOver(open)))._tag, "WebhookFailure")
    })
  )

  live(
    "A request that cannot be written is a defect, not a failure of the target.",
    Effect.gen(function* () {
      const receiver = yield* startReceiver(respondWith(200))
      const open = yield* (yield* senderTo(receiver)).open(target)
      const exit = yield* Effect.exit(
        Effect.flatten(open.send({ headers: { "x-two": "lines\r\nx-injected: a" }, body: "" }))
      )
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.strictEqual((yield* receiver.first).received, "")
    })
  )

  live(
    "A port without a listener fails as CONNECTION.",
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(startPlaintextReceiver(() => {}))
      assert.strictEqual(yield* outcomeOf(yield* senderTo({ port })), "CONNECTION")
    })
  )
})
