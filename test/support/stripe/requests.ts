/** Requests to the server without the package, and a checkout there that is paid. */
import { Effect, Result } from "effect"
import { binding } from "../payment-facts.ts"
import { apiVersion, startStripeServer, testKey, type StripeServer, type StripeServerOptions } from "./server.ts"
import { toSeconds } from "./objects/values.ts"

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

export interface RawRequest {
  readonly headers?: Readonly<Record<string, string>>
  /** The form of a POST; without it the request is a GET. */
  readonly form?: Readonly<Record<string, string>>
}

export const requestInit = ({ headers, form }: RawRequest = {}): RequestInit => ({
  method: form === undefined ? "GET" : "POST",
  ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() }),
  headers: {
    authorization: `Bearer ${testKey}`,
    "stripe-version": apiVersion,
    ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
    ...headers
  }
})

/** Rejects if the connection is reset. */
export const request = async ({ origin }: StripeServer, path: string, raw?: RawRequest): Promise<RawAnswer> => {
  const response = await fetch(`${origin}${path}`, requestInit(raw))
  return { status: response.status, headers: response.headers, body: await response.json() }
}

export const { commerceOrderId } = binding

/** The form of a checkout, as the adapter sends it. */
export const checkoutForm = (server: StripeServer, destination: string): Record<string, string> => ({
  mode: "payment",
  "line_items[0][quantity]": "1",
  "line_items[0][price_data][currency]": "eur",
  "line_items[0][price_data][unit_amount]": String(binding.amountMinor),
  "line_items[0][price_data][product_data][name]": "A logo",
  client_reference_id: commerceOrderId,
  "metadata[commerceOrderId]": commerceOrderId,
  "metadata[acceptedSourceDigest]": binding.acceptedSourceDigest,
  "payment_intent_data[metadata][commerceOrderId]": commerceOrderId,
  "payment_intent_data[metadata][acceptedSourceDigest]": binding.acceptedSourceDigest,
  "payment_intent_data[transfer_data][destination]": destination,
  expires_at: String(toSeconds(server.now()) + 3600),
  success_url: "https://example.org/workspace"
})

export const accountForm = { "capabilities[transfers][requested]": "true" }

/** A server with an account that takes payments and an open checkout. */
export const serverWithCheckout = Effect.fnUntraced(function* (options: StripeServerOptions = {}) {
  const server = yield* startStripeServer(options)
  const post = (path: string, form: Record<string, string>) =>
    Effect.promise(() => request(server, path, { form, headers: { "idempotency-key": path } }))
  const accountId: string = (yield* post("/v1/accounts", accountForm)).body.id
  Result.getOrThrow(server.provider.perform({ act: "onboard", accountId }, server.now()))
  const opened = yield* post("/v1/checkout/sessions", checkoutForm(server, accountId))
  if (opened.status !== 200) throw new Error(JSON.stringify(opened.body))
  return { server, accountId, checkoutId: opened.body.id as string }
})
