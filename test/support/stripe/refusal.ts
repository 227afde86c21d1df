/** What Stripe refuses, with the body of its answer. */

export interface StripeErrorBody {
  readonly type: "invalid_request_error" | "idempotency_error" | "api_error" | "card_error"
  readonly message: string
  readonly code?: string
  readonly param?: string
  readonly doc_url?: string
}

export class StripeRefusal extends Error {
  readonly status: number
  readonly body: StripeErrorBody

  constructor(status: number, body: StripeErrorBody) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

export const invalidRequest = (message: string, more: { readonly code?: string; readonly param?: string } = {}) =>
  new StripeRefusal(400, {
    type: "invalid_request_error",
    message,
    ...more,
    ...(more.code === undefined ? {} : { doc_url: `https://stripe.com/docs/error-codes/${dashed(more.code)}` })
  })

export const missingResource = (kind: string, id: string, param = "id") =>
  new StripeRefusal(404, {
    type: "invalid_request_error",
    message: `No such ${kind}: '${id}'`,
    code: "resource_missing",
    doc_url: "https://stripe.com/docs/error-codes/resource-missing",
    param
  })

const dashed = (code: string): string => code.replaceAll("_", "-")
