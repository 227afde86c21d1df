/** Mail through a real server: what it is given, and how a letter fails that it does not take. */
import { once } from "node:events"
import * as net from "node:net"
import * as tls from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, type Scope } from "effect"
import { Configuration } from "../../src/adapters/configuration.ts"
import * as MailHere from "../../src/adapters/mail.ts"
import { Mail, type Letter } from "../../src/ports/mail.ts"
import { freePort } from "../support/server.ts"
import { certificate, headersOf, startMailServer, textOf } from "../support/smtp.ts"

const letter: Letter = {
  to: "sam@example.org",
  subject: "An agreement of yours has changed",
  text: `The first line.\n\nhttps://countersign.test/workspace/projects/delivery_${"0".repeat(60)}`
}

/** The port as these variables make it. */
const mailWith = (environment: Readonly<Record<string, string>>) =>
  Effect.provide(
    Mail,
    MailHere.layer.pipe(
      Layer.provide(Configuration.layer),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment)))
    )
  )

const sendAt = Effect.fnUntraced(function* (url: string, changed: Partial<Letter> = {}) {
  const mail = yield* mailWith({ SMTP_URL: url, MAIL_FROM: "notices@countersign.test" })
  if (mail.kind === "NONE") throw new Error("no server is configured")
  return yield* mail.send({ ...letter, ...changed })
})

/** Why it was not sent. */
const failure = (url: string) =>
  Effect.map(Effect.flip(sendAt(url)), (error) => ("reason" in error ? error.reason : error.message))

const live = <A, E>(name: string, effect: Effect.Effect<A, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(effect), 20_000)

describe("a letter", () => {
  live(
    "reaches the one it is for, as it was written",
    Effect.gen(function* () {
      const { port, received } = yield* startMailServer()
      yield* sendAt(`smtp://127.0.0.1:${port}`)
      assert.strictEqual(received.length, 1)
      const [{ from, to }] = received as [(typeof received)[number]]
      assert.deepStrictEqual({ from, to }, { from: "notices@countersign.test", to: ["sam@example.org"] })
      assert.deepInclude(headersOf(received[0]!), {
        from: "Countersign <notices@countersign.test>",
        to: "sam@example.org",
        subject: letter.subject,
        "auto-submitted": "auto-generated"
      })
      assert.strictEqual(textOf(received[0]!).trimEnd().replaceAll("\r\n", "\n"), letter.text)
    })
  )

  live(
    "has one recipient and no header of anybody else's, whatever is in it",
    Effect.gen(function* () {
      const { port, received } = yield* startMailServer()
      const hostile = "sam@example.org, eve@example.org\r\nBcc: eve@example.org"
      yield* Effect.ignore(sendAt(`smtp://127.0.0.1:${port}`, { to: hostile }))
      yield* sendAt(`smtp://127.0.0.1:${port}`, { subject: "One\r\nBcc: eve@example.org" })
      for (const one of received) {
        assert.strictEqual(one.to.length, 1)
        assert.notProperty(headersOf(one), "bcc")
      }
      assert.isAtLeast(received.length, 1)
    })
  )

  live(
    "goes with the name and the password of the address",
    Effect.gen(function* () {
      const given: Array<string> = []
      const { port, received } = yield* startMailServer({
        authOptional: false,
        onAuth: ({ username, password }, _, done) => {
          given.push(`${username} ${password}`)
          if (password === "p@ss/word") done(null, { user: username })
          else done(new Error("no such password"))
        }
      })
      yield* sendAt(`smtp://operator:p%40ss%2Fword@127.0.0.1:${port}`)
      assert.deepStrictEqual([given, received.length], [["operator p@ss/word"], 1])
      assert.strictEqual(yield* failure(`smtp://operator:other@127.0.0.1:${port}`), "EAUTH 535")
      assert.strictEqual(received.length, 1)
    })
  )
})

describe("a letter fails", () => {
  live(
    "where the recipient is refused, with a reason that names nobody",
    Effect.gen(function* () {
      const { port, received } = yield* startMailServer({
        onRcptTo: ({ address }, _, done) => done(Object.assign(new Error(`no ${address} here`), { responseCode: 550 }))
      })
      assert.strictEqual(yield* failure(`smtp://127.0.0.1:${port}`), "EENVELOPE 550")
      assert.deepStrictEqual(received, [])
    })
  )

  live(
    "where there is no server",
    Effect.gen(function* () {
      assert.match(yield* failure(`smtp://127.0.0.1:${yield* freePort}`), /^(ESOCKET|ECONNECTION|ECONNREFUSED)$/)
    })
  )

  live(
    "within the limit where the server takes the connection and says nothing",
    Effect.gen(function* () {
      const { port } = yield* silentServer
      assert.strictEqual(yield* failure(`smtp://127.0.0.1:${port}`), "ETIMEDOUT")
    })
  )

  live(
    "at once where nobody waits for it any more, and leaves no connection behind",
    Effect.gen(function* () {
      const { port, closed } = yield* silentServer
      const sent = yield* Effect.timeoutOption(sendAt(`smtp://127.0.0.1:${port}`), "300 millis")
      assert.strictEqual(sent._tag, "None")
      yield* Effect.timeout(Effect.promise(closed), "20 seconds")
    })
  )
})

describe("a server with TLS", () => {
  live(
    "is given nothing where nobody vouches for its certificate",
    Effect.gen(function* () {
      const { port, received } = yield* startMailServer({ secure: true })
      assert.match(yield* failure(`smtps://localhost:${port}`), /^(ESOCKET|ETLS)$/)
      assert.deepStrictEqual(received, [])
    })
  )

  live(
    "is given the letter where its certificate is good",
    Effect.gen(function* () {
      const before = tls.getCACertificates("default")
      yield* Effect.acquireRelease(
        Effect.sync(() => tls.setDefaultCACertificates([...before, certificate])),
        () => Effect.sync(() => tls.setDefaultCACertificates(before))
      )
      const { port, received } = yield* startMailServer({ secure: true })
      yield* sendAt(`smtps://localhost:${port}`)
      assert.deepStrictEqual(
        received.map(({ secure }) => secure),
        [true]
      )
    })
  )

  live(
    "is required beyond this machine: no password and no letter goes in plain text",
    Effect.gen(function* () {
      const given: Array<string> = []
      const { port, received } = yield* startMailServer({
        onAuth: ({ username }, _, done) => (given.push(username ?? ""), done(null, { user: username }))
      })
      // Of this machine too, but not in a name of it.
      assert.match(yield* failure(`smtp://operator:secret@0.0.0.0:${port}`), /^ETLS/)
      assert.deepStrictEqual([given, received], [[], []])
    })
  )
})

describe("the settings", () => {
  live(
    "are for no mail where there are none",
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* mailWith({}), { kind: "NONE" })
    })
  )

  const from = { MAIL_FROM: "notices@countersign.test" }
  const wrong: ReadonlyArray<readonly [Readonly<Record<string, string>>, RegExp]> = [
    [{ SMTP_URL: "smtp://127.0.0.1" }, /^MAIL_FROM is missing: SMTP_URL and MAIL_FROM belong together$/],
    [from, /^SMTP_URL is missing/],
    [{ ...from, SMTP_URL: "http://u:canary@mail.example" }, /^SMTP_URL: expected smtps/],
    [{ ...from, SMTP_URL: "smtp://u:canary@mail.example?tls.rejectUnauthorized=false" }, /^SMTP_URL: expected smtps/],
    [{ ...from, SMTP_URL: "smtp://canary@mail.example" }, /^SMTP_URL: expected smtps/],
    [{ ...from, SMTP_URL: "smtp://u:canary%ff@mail.example" }, /^SMTP_URL: expected smtps/],
    [{ ...from, SMTP_URL: "mail.example" }, /^SMTP_URL: expected smtps/],
    [
      { SMTP_URL: "smtp://mail.example", MAIL_FROM: "Countersign <a@b.example>" },
      /^MAIL_FROM: .*e-mail address such as/
    ]
  ]
  for (const [environment, told] of wrong) {
    live(
      `stop the start with ${JSON.stringify(environment)}, and tell no password`,
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(mailWith(environment))
        assert.match(message, told)
        assert.notInclude(message, "canary")
      })
    )
  }
})

/** Takes connections and never answers. */
const silentServer = Effect.gen(function* () {
  const server = net.createServer().listen(0, "127.0.0.1")
  yield* Effect.promise(() => once(server, "listening"))
  const closed = new Promise<void>((resolve) => {
    server.on("connection", (socket) => {
      socket.on("error", () => {})
      socket.resume().on("close", () => resolve())
    })
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
  return { port: (server.address() as net.AddressInfo).port, closed: () => closed }
})
