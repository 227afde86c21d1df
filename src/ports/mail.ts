/** How a person is told by e-mail that something waits for them. Off unless an operator configured a server. */
import { Context, Data, type Effect } from "effect"

/** Plain text on single lines of a header: no material, no token, nothing of the other side's words. */
export interface Letter {
  /** One address, as `vocabulary/mail-address.ts` lets it through. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** The letter could not be handed over. `reason` is for the log: it names no address and no secret. */
export class MailFailed extends Data.TaggedError("MailFailed")<{ readonly reason: string }> {}

/** Hands letters to a mail server. */
export interface MailServer {
  readonly kind: "SERVER"
  /** Ends once the server took the letter; interrupted, it drops the connection. */
  send(letter: Letter): Effect.Effect<void, MailFailed>
}

/** No server is configured: nothing is sent. */
export interface NoMail {
  readonly kind: "NONE"
}

export class Mail extends Context.Service<Mail, MailServer | NoMail>()("countersign/ports/Mail") {}
