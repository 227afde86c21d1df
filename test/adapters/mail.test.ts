/** E-mail through a real SMTP server: its content, and the failures of sending. */
import { once } from "node:events"
import * as net from "node:net"
import * as tls from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, type Scope } from "effect"
import { Configuration } from "../../src/adapters/configuration.ts"
import * as MailAdapter from "../../src/adapters/mail.ts"
import { Mail, type Email } from "../../src/ports/mail.ts"
import { freePort } from "../support/server.ts"
import { certificate, headersOf, startMailServer, textOf } from "../support/smtp.ts"

const email: Email = {
  to: "sam@example.org",
  subject: "An agreement of yours has changed",
  text: `The first line.\n\nhttps://countersign.test/workspace/projects/delivery_${"0".repeat(60)}`
}

/** The port with these environment variables. */
const mailWith = (environment: Readonly<Record<string, string>>) =>
  Effect.provide(
    Mail,
    MailAdapter.layer.pipe(
      Layer.provide(Configuration.layer),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment)))
    )
  )

const sendAt = Effect.fnUntraced(function* (url: string, changed: Partial<Email> = {}) {
  const mail = yield* mailWith({ SMTP_URL: url, MAIL_FROM: "notices@countersign.test" })
  if (mail.kind === "NONE") throw new Error("no server is configured")
  return yield* mail.send({ ...email, ...changed })
})

/** The reason of a failed sending. */
const failure = (url: string) =>
  Effect.map(Effect.flip(sendAt(url)), (error) => ("reason" in error ? error.reason : error.message))

const live = <A, E>(name: string, effect: Effect.Effect<A, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(effect), 20_000)

describe("an e-mail", () => {
  live(
    "An e-mail reaches its recipient with its subject and text.",
    Effect.gen(function* () {
      const { port, received } = yield* startMailServer()
      yield* sendAt(`smtp://127.0.0.1:${port}`)
      assert.strictEqual(received.length, 1)
      const [{ from, to }] = received as [(typeof received)[number]]
      assert.deepStrictEqual({ from, to }, { from: "notices@countersign.test", to: ["sam@example.org"] })
      assert.deepInclude(headersOf(received[0]!), {
        from: "Countersign <notices@countersign.test>",
        to: "sam@example.org",
        subject: email.subject,
        "auto-submitted": "auto-generated"
      })
      assert.strictEqual(textOf(received[0]!).trimEnd().replaceAll("\r\n", "\n"), email.text)
    })
  )

  live(
    "An e-mail has one recipient and no injected header, whatever it contains.",
    Effect.gen(function* () {
      const { port, received } = yield* startMailServer()
      const hostile = "sam@example.org, eve@example.org\r\nBcc: eve@example.org"
      yield* Effect.ignore(sendAt(`smtp://127.0.0.1:${port}`, { to: hostile }))
      yield* sendAt(`smtp://127.0.0.1:${port}`, { subject: "One\r\nBcc: eve@example.org" })
      for (const message of received) {
        assert.strictEqual(message.to.length, 1)
        assert.notProperty(headersOf(message), "bcc")
      }
      assert.isAtLeast(received.length, 1)
    })
  )

  live(
    "An e-mail is sent with the user name and password of SMTP_URL.",
    Effect.gen(function* () {
      const credentials: Array<string> = []
      const { port, received } = yield* startMailServer({
        authOptional: false,
        onAuth: ({ username, password }, _, done) => {
          credentials.push(`${username} ${password}`)
          if (password === "p@ss/word") done(null, { user: username })
          else done(new Error("no such password"))
        }
      })
      yield* sendAt(`smtp://operator:p%40ss%2Fword@127.0.0.1:${port}`)
      assert.deepStrictEqual([credentials, received.length], [["operator p@ss/word"], 1])
      assert.strictEqual(yield* failure(`smtp://operator:other@127.0.0.1:${port}`), "EAUTH 535")
      assert.strictEqual(received.length, 1)
    })
  )
})

describe("failures of sending", () => {
  live(
    "A refused recipient fails the e-mail with a reason that contains no address.",
    Effect.gen(function* () {
      const { port, received } = yield* startMailServer({
        onRcptTo: ({ address }, _, done) => done(Object.assign(new Error(`no ${address} here`), { responseCode: 550 }))
      })
      assert.strictEqual(yield* failure(`smtp://127.0.0.1:${port}`), "EENVELOPE 550")
      assert.deepStrictEqual(received, [])
    })
  )

  live(
    "An e-mail fails without a server.",
    Effect.gen(function* () {
      assert.match(yield* failure(`smtp://127.0.0.1:${yield* freePort}`), /^(ESOCKET|ECONNECTION|ECONNREFUSED)$/)
    })
  )

  live(
    "An e-mail fails within the limit when the server accepts the connection and stays silent.",
    Effect.gen(function* () {
      const { port } = yield* silentServer
      assert.strictEqual(yield* failure(`smtp://127.0.0.1:${port}`), "ETIMEDOUT")
    })
  )

  live(
    "An interrupted e-mail ends at once and closes its connection.",
    Effect.gen(function* () {
      const { port, closed } = yield* silentServer
      const sent = yield* Effect.timeoutOption(sendAt(`smtp://127.0.0.1:${port}`), "300 millis")
      assert.strictEqual(sent._tag, "None")
      yield* Effect.timeout(Effect.promise(closed), "20 seconds")
    })
  )
})

describe("a mail server with TLS", () => {
  live(
    "No e-mail is sent to a mail server with an untrusted certificate.",
    Effect.gen(function* () {
      const { port, received } = yield* startMailServer({ secure: true })
      assert.match(yield* failure(`smtps://localhost:${port}`), /^(ESOCKET|ETLS)$/)
      assert.deepStrictEqual(received, [])
    })
  )

  live(
    "An e-mail is sent to a mail server with a trusted certificate.",
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
    "TLS is required for a mail server on another machine: no password and no e-mail is sent unencrypted.",
    Effect.gen(function* () {
      const credentials: Array<string> = []
      const { port, received } = yield* startMailServer({
        onAuth: ({ username }, _, done) => (credentials.push(username ?? ""), done(null, { user: username }))
      })
      // This address is of this machine, but does not count as one.
      assert.match(yield* failure(`smtp://operator:secret@0.0.0.0:${port}`), /^ETLS/)
      assert.deepStrictEqual([credentials, received], [[], []])
    })
  )
})

describe("settings of e-mail", () => {
  live(
    "Without settings no e-mail is sent.",
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
  for (const [environment, expected] of wrong) {
    live(
      `The settings ${JSON.stringify(environment)} stop the start with a message without the password.`,
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(mailWith(environment))
        assert.match(message, expected)
        assert.notInclude(message, "canary")
      })
    )
  }
})

/** Accepts connections and never answers. */
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
