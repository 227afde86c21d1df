/** Lists page by page, the newest object first. */
import type Stripe from "stripe"
import { integer, list, optional, text } from "./parameters.ts"
import { invalidRequest } from "./refusal.ts"

export const expandParameter = optional(list(text(), 1, 20))

export const pageParameters = {
  limit: optional(integer(1, 100)),
  starting_after: optional(text())
}

interface PageParameters {
  readonly limit?: number
  readonly starting_after?: string
}

export const page = <A extends { readonly id: string; readonly object: string }>(
  url: string,
  newestFirst: ReadonlyArray<A>,
  { limit = 10, starting_after: after }: PageParameters
) => {
  const start = after === undefined ? 0 : newestFirst.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && start === 0) {
    throw invalidRequest(`No such object: '${after}'`, { code: "resource_missing", param: "starting_after" })
  }
  return {
    object: "list",
    url,
    has_more: start + limit < newestFirst.length,
    data: newestFirst.slice(start, start + limit)
  } satisfies Stripe.ApiList<A>
}
