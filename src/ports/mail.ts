/** Notifies a person by e-mail that an action is pending. Off unless an operator configured a server. */
import { Context, Data, type Effect } from "effect"

/** Plain text, headers on single lines: no material, no token, no text of the other side. */
export interface Email {
  /** One address, as `vocabulary/mail-address.ts` accepts it. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** The mail server did not accept the e-mail. `reason` is for the log: it names no address and no secret. */
export class MailFailure extends Data.TaggedError("MailFailure")<{ readonly reason: string }> {}

/** Hands e-mail over to a mail server. */
export interface MailServer {
  readonly kind: "SERVER"
  /** Ends once the server has accepted the e-mail; interrupted, it drops the connection. */
  send(email: Email): Effect.Effect<void, MailFailure>
}

/** No server is configured: nothing is sent. */
export interface NoMail {
  readonly kind: "NONE"
}

export class Mail extends Context.Service<Mail, MailServer | NoMail>()("countersign/ports/Mail") {}
