/** E-mail through the SMTP server of `SMTP_URL`, one connection per e-mail, by nodemailer. Without a server none is sent. */
import { Effect, Layer, Option, Redacted } from "effect"
import { createTransport } from "nodemailer"
import { Mail, MailFailure, type Email, type MailServer } from "../ports/mail.ts"
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
    return mailServer(server, mailFrom.value)
  })
)

/** A transport to a server; connects only when used. */
export const transportTo = ({ auth, ...server }: SmtpServer) => {
  // Unencrypted SMTP is for this machine only: elsewhere `smtp` requires STARTTLS.
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

const mailServer = (server: SmtpServer, from: string): MailServer => {
  const transport = transportTo(server)
  return {
    kind: "SERVER",
    send: (email: Email) =>
      Effect.tryPromise({
        try: (signal) =>
          transport.sendMail({
            // As one address each: a string would be parsed as a list of addresses.
            from: { name: "Countersign", address: from },
            to: { name: "", address: email.to },
            subject: email.subject,
            text: email.text,
            // Suppresses automatic replies (RFC 3834).
            headers: { "Auto-Submitted": "auto-generated" },
            signal
          }),
        catch: (cause) => new MailFailure({ reason: smtpReason(cause) })
      }).pipe(Effect.asVoid, Effect.withSpan("mail.send"))
  }
}

/** Codes for the log, like `EENVELOPE 550`: never a message, which may contain addresses and the server's text. */
export const smtpReason = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "unknown"
  const code = "code" in cause && typeof cause.code === "string" && /^[A-Z0-9_]{1,60}$/.test(cause.code)
  const reply = "responseCode" in cause && typeof cause.responseCode === "number"
  return [code ? cause.code : "unknown", ...(reply ? [cause.responseCode] : [])].join(" ")
}
