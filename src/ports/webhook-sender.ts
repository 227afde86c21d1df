/**
 * Sends webhook requests. `open` resolves the target's name, checks every address, connects and completes TLS; `send`
 * writes the request, whose response is awaited apart. Between `open` and `send` the caller records the attempt; it sends
 * under the locks of the authority, and waits for the response without them. The caller sets the deadline: an interrupted
 * step closes its socket at once.
 */
import { Context, Data, type Effect, type Scope } from "effect"

/** Why an attempt failed without a response; each counts as an attempt. */
export type WebhookFailureReason = "DNS_FAILURE" | "DNS_REJECTED" | "CONNECTION" | "TLS"

export class WebhookFailure extends Data.TaggedError("WebhookFailure")<{ readonly fault: WebhookFailureReason }> {}

/** The resolver could not be reached: a local failure, which counts as no attempt. `reason` is for the log. */
export class ResolverUnreachable extends Data.TaggedError("ResolverUnreachable")<{ readonly reason: string }> {}

export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string>>
  /** Sent as UTF-8, with nothing added. */
  readonly body: string
}

/**
 * The response to a request: its status, of which a redirect is one like any other. Of its body at most
 * `limits.webhookResponseBytes` are read, and none is kept.
 */
export type PendingResponse = Effect.Effect<{ readonly statusCode: number }, WebhookFailure>

/** An open connection to a checked address, for one request. */
export interface WebhookConnection {
  /** POSTs the request. Succeeds once its first bytes are written, without waiting for the target; also if that failed. */
  send(request: WebhookRequest): Effect.Effect<PendingResponse>
}

export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** `webhooks/target.ts` has validated `target`. The scope closes the connection, or returns it for reuse. */
    open(target: string): Effect.Effect<WebhookConnection, WebhookFailure | ResolverUnreachable, Scope.Scope>
  }
>()("countersign/ports/WebhookSender") {}
