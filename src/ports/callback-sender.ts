/**
 * How a callback leaves: `open` resolves the target's name, checks every address, connects and speaks TLS; `send` writes
 * the request. Between the two, whoever calls rechecks authority and records the attempt. The deadline is the caller's: an
 * interrupted step ends its socket at once.
 */
import { Context, Data, type Effect, type Scope } from "effect"

/** Why a send failed before an answer came; each is the target's doing and counts as an attempt. */
export type CallbackFault = "DNS_FAILURE" | "DNS_REJECTED" | "CONNECTION" | "TLS"

export class CallbackFailed extends Data.TaggedError("CallbackFailed")<{ readonly fault: CallbackFault }> {}

/** No resolver could be asked: our own failure, which counts as no attempt. `reason` is for the log. */
export class ResolverUnreachable extends Data.TaggedError("ResolverUnreachable")<{ readonly reason: string }> {}

export interface CallbackRequest {
  readonly headers: Readonly<Record<string, string>>
  /** Sent as UTF-8, with nothing added. */
  readonly body: string
}

/** An open connection to a checked address; it is good for one request. */
export interface OpenCallback {
  /**
   * POSTs and answers with the status; a redirect is a status like any other. Of the response's body at most
   * `limits.callbackResponseBytes` are read, and none is kept.
   */
  send(request: CallbackRequest): Effect.Effect<{ readonly statusCode: number }, CallbackFailed>
}

export class CallbackSender extends Context.Service<
  CallbackSender,
  {
    /** `target` is one that `webhooks/target.ts` accepted. The scope ends the connection, or gives it back for reuse. */
    open(target: string): Effect.Effect<OpenCallback, CallbackFailed | ResolverUnreachable, Scope.Scope>
  }
>()("countersign/ports/CallbackSender") {}
