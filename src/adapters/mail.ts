/** Mail through the SMTP server of `SMTP_URL`, one connection a letter, by nodemailer. Without one nothing is sent. */
import { Effect, Layer, Option, Redacted } from "effect"
import { createTransport } from "nodemailer"
import { Mail, MailFailed, type Letter, type MailServer } from "../ports/mail.ts"
import { limits } from "../vocabulary/limits.ts"
import { Configuration, ConfigurationError, isLoopback } from "./configuration.ts"
import { smtpForm, smtpServerFrom, type SmtpServer } from "./smtp-url.ts"

export const layer = Layer.effect(
  Mail,
  Effect.gen(function* () {
    const { smtpUrl, mailFrom } = yield* Configuration
    if (Option.isNone(smtpUrl) || Option.isNone(mailFrom)) return { kind: "NONE" }
    const server = smtpServerFrom(Redacted.value(smtpUrl.value))
    if (server === undefined) return yield* new ConfigurationError({ problems: [`SMTP_URL: expected ${smtpForm}`] })
    return through(server, mailFrom.value)
  })
)

/** Connections to a server; nothing is sent yet. */
export const transportTo = ({ auth, ...server }: SmtpServer) => {
  // Plain text is for this machine alone: elsewhere `smtp` goes on after STARTTLS or not at all.
  const isHere = isLoopback(server.host)
  return createTransport({
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
}

const through = (server: SmtpServer, from: string): MailServer => {
  const transport = transportTo(server)
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
        catch: (cause) => new MailFailed({ reason: smtpReason(cause) })
      }).pipe(Effect.asVoid, Effect.withSpan("mail.send"))
  }
}

/** Words for the log, like `EENVELOPE 550`: never a message, which repeats addresses and what the server said. */
export const smtpReason = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "unknown"
  const code = "code" in cause && typeof cause.code === "string" && /^[A-Z0-9_]{1,60}$/.test(cause.code)
  const reply = "responseCode" in cause && typeof cause.responseCode === "number"
  return [code ? cause.code : "unknown", ...(reply ? [cause.responseCode] : [])].join(" ")
}
