/** The same request id with changed content is rejected (spec 4.3, 4.5). */
import { digestOf } from "../../src/canonical/digest.ts"
import { askedUnder, askerOf, bodyOf } from "./support/asker.ts"
import { broken, invariant } from "./invariant.ts"
import { hasEffect } from "./support/commits.ts"

/** By owner and request id: the digest of the request that it belongs to. */
type Meanings = { readonly [id: string]: string }

export const requestIdMeansOneRequest = invariant<Meanings>({
  name: "a request id means one request",
  kind: "always",
  says: "A request id belongs to the first request that had an effect under it or was answered: no other one ever is.",
  begins: {},
  sees: (meanings, moment) => {
    const { observed, request } = moment
    if (request === undefined) return meanings
    if (observed.kind === "request") askerOf(moment)
    const counts =
      (observed.kind === "response" && observed.status < 300) || (observed.kind === "commit" && hasEffect(observed))
    const id = counts ? askedUnder(moment) : undefined
    if (id === undefined) return meanings
    const means = digestOf([request.method, request.path, bodyOf(request) ?? null])
    const meant = meanings[id]
    if (meant === undefined) return { ...meanings, [id]: means }
    return meant === means
      ? meanings
      : broken(`${request.method} ${request.path} was let through under the id of another request`)
  }
})
