/** A real SMTP server on loopback, and the e-mail it received. */
import { once } from "node:events"
import * as fs from "node:fs"
import * as path from "node:path"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { Effect, type Scope } from "effect"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"

export interface ReceivedEmail {
  readonly from: string
  readonly to: ReadonlyArray<string>
  /** The bytes received. */
  readonly message: string
  readonly secure: boolean
}

export interface TestMailServer {
  readonly port: number
  readonly received: Array<ReceivedEmail>
}

const certificates = path.join(import.meta.dirname, "tls")

/** The CA certificate for `tls.setDefaultCACertificates`. */
export const certificate = fs.readFileSync(path.join(certificates, "certificate.pem"), "utf8")

/** Accepts every e-mail, unless the options say otherwise. */
export const startMailServer = (options: SMTPServerOptions = {}): Effect.Effect<TestMailServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const received: Array<ReceivedEmail> = []
    const server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: options.secure === true ? [] : ["STARTTLS"],
      key: fs.readFileSync(path.join(certificates, "key.pem")),
      cert: certificate,
      onData: (stream, session, done) => {
        const { mailFrom, rcptTo } = session.envelope
        void text(stream).then((message) => {
          const from = mailFrom === false ? "" : mailFrom.address
          received.push({ from, to: rcptTo.map(({ address }) => address), message, secure: session.secure })
          done()
        })
      },
      ...options
    })
    // Some tests are about clients that disconnect early.
    server.on("error", () => {})
    yield* Effect.acquireRelease(
      Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
      () => Effect.promise(() => new Promise<void>((resolve) => server.close(() => resolve())))
    )
    return { port: (server.server.address() as AddressInfo).port, received }
  })

/** Header fields, unfolded, by lower-case name; a repeated name is an error. */
export const headersOf = ({ message }: ReceivedEmail): Readonly<Record<string, string>> => {
  const [head = ""] = message.split("\r\n\r\n")
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n")
  const fields = lines.map((line) => [
    line.slice(0, line.indexOf(":")).toLowerCase(),
    line.slice(line.indexOf(":") + 1)
  ])
  if (new Set(fields.map(([name]) => name)).size !== fields.length) throw new Error(`a header is repeated: ${head}`)
  return Object.fromEntries(fields.map(([name, value = ""]) => [name, value.trim()]))
}

/** The decoded text. */
export const textOf = (received: ReceivedEmail): string => {
  const body = received.message.slice(received.message.indexOf("\r\n\r\n") + 4)
  const encoding = headersOf(received)["content-transfer-encoding"]
  if (encoding === "7bit") return body
  if (encoding !== "quoted-printable") throw new Error(`unexpected encoding: ${encoding}`)
  return body
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
}
