/** Mail through the SMTP server of `SMTP_URL`, one connection a letter, by nodemailer. Without one nothing is sent. */
import { Effect, Layer, Option, Redacted } from "effect"
import { createTransport } from "nodemailer"
import { Mail, MailFailed, type Letter, type MailServer } from "../ports/mail.ts"
import { limits } from "../vocabulary/limits.ts"
import { Configuration, ConfigurationError, isLoopback } from "./configuration.ts"

export const layer = Layer.effect(
  Mail,
  Effect.gen(function* () {
    const { smtpUrl, mailFrom } = yield* Configuration
    if (Option.isNone(smtpUrl) || Option.isNone(mailFrom)) return { kind: "NONE" }
    const server = serverIn(Redacted.value(smtpUrl.value))
    return server === undefined ? yield* notAServer : through(server, mailFrom.value)
  })
)

// The address may hold a password: it is not repeated.
const notAServer = new ConfigurationError({
  message: "SMTP_URL: expected smtps://user:password@host:port or smtp://… and nothing after it"
})

interface Server {
  readonly host: string
  readonly port: number
  /** `smtps`: TLS from the first byte. */
  readonly secure: boolean
  readonly auth: { readonly user: string; readonly pass: string } | undefined
}

const serverIn = (text: string): Server | undefined => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || url.hostname === "") return undefined
  if (!["", "/"].includes(url.pathname) || url.search !== "" || url.hash !== "") return undefined
  const [user, pass] = [url.username, url.password].map(decoded)
  if (user === undefined || pass === undefined || (user === "") !== (pass === "")) return undefined
  const secure = url.protocol === "smtps:"
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    auth: user === "" ? undefined : { user, pass }
  }
}

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

const through = ({ auth, ...server }: Server, from: string): MailServer => {
  // Plain text is for this machine alone: elsewhere `smtp` goes on after STARTTLS or not at all.
  const isHere = isLoopback(server.host)
  const transport = createTransport({
    ...server,
    ...(auth === undefined ? {} : { auth }),
    requireTLS: !isHere,
    ignoreTLS: isHere,
    dnsTimeout: limits.mail,
    connectionTimeout: limits.mail,
    greetingTimeout: limits.mail,
    socketTimeout: limits.mail,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true
  })
  return {
    kind: "SERVER",
    send: (letter: Letter) =>
      Effect.tryPromise({
        try: (signal) =>
          transport.sendMail({
            // As one address each: a text would be read as a list of them.
            from: { name: "Countersign", address: from },
            to: { name: "", address: letter.to },
            subject: letter.subject,
            text: letter.text,
            // Nobody's out-of-office note answers it (RFC 3834).
            headers: { "Auto-Submitted": "auto-generated" },
            signal
          }),
        catch: (cause) => new MailFailed({ reason: reasonOf(cause) })
      }).pipe(Effect.asVoid, Effect.withSpan("mail.send"))
  }
}

/** Words for the log, like `EENVELOPE 550`: never a message, which repeats addresses and what the server said. */
const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "unknown"
  const code = "code" in cause && typeof cause.code === "string" && /^[A-Z0-9_]{1,60}$/.test(cause.code)
  const reply = "responseCode" in cause && typeof cause.responseCode === "number"
  return [code ? cause.code : "unknown", ...(reply ? [cause.responseCode] : [])].join(" ")
}
