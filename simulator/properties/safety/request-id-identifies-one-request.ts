/** A request id that is reused with other content is refused (spec 4.3, 4.5). */
import { digestOf } from "../../../src/canonical/digest.ts"
import { idempotencyKeyOf, callerOf, bodyOf } from "../support/caller.ts"
import { violation, monitoredProperty } from "../property.ts"
import { hasEffect } from "../support/commits.ts"

/** By owner and request id: the digest of the first request. */
type RequestDigests = { readonly [id: string]: string }

export const requestIdIdentifiesOneRequest = monitoredProperty<RequestDigests>({
  name: "request id identifies one request",
  kind: "always",
  says: "A request id belongs to the first request that took effect or succeeded with it; another request with that id is refused.",
  judges: { kinds: ["request", "commit", "response"] },
  initial: {},
  next: (digests, moment) => {
    const { observed, request } = moment
    if (request === undefined) return digests
    if (observed.kind === "request") callerOf(moment)
    const counts =
      (observed.kind === "response" && observed.status < 300) || (observed.kind === "commit" && hasEffect(observed))
    const id = counts ? idempotencyKeyOf(moment) : undefined
    if (id === undefined) return digests
    const digest = digestOf([request.method, request.path, bodyOf(request) ?? null])
    const first = digests[id]
    if (first === undefined) return { ...digests, [id]: digest }
    return first === digest
      ? digests
      : violation(`${request.method} ${request.path} succeeded with the request id of another request`)
  }
})
