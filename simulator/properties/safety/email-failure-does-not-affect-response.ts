/** Notifications are no part of the operation that they report (spec 1, 2.4): a failed e-mail changes no response. */
import { toMilliseconds } from "../../../src/vocabulary/instant.ts"
import { limits } from "../../../src/vocabulary/limits.ts"
import { pendingRequestKey, violation, monitoredProperty } from "../property.ts"
import { hasEffect } from "../support/commits.ts"

type MailState = {
  /** Committed requests without a response so far, by actor and step. */
  readonly committed: ReadonlyArray<string>
  /** Those with a failed e-mail, and since when: milliseconds of virtual time without injected delays. */
  readonly failedEmails: { readonly [place: string]: number }
  /** Actors whose pending requests had a storage failure. */
  readonly affected: ReadonlyArray<string>
}

export const emailFailureDoesNotAffectResponse = monitoredProperty<MailState>({
  name: "email failure does not affect response",
  kind: "always",
  says: "A committed request gets its normal response although the e-mail about it fails, and within the time limit for e-mail.",
  judges: { kinds: ["request", "commit", "letter", "fault", "response"] },
  initial: { committed: [], failedEmails: {}, affected: [] },
  next: (state, { observed, request, delayed }) => {
    const { committed, failedEmails, affected } = state
    if (observed.kind === "fault") return { ...state, affected: [...affected, observed.actor].sort() }
    if (observed.kind === "letter") {
      if (observed.server === "WORKING") return state
      const since = toMilliseconds(observed.at) - delayed
      return {
        ...state,
        failedEmails: { ...Object.fromEntries(committed.map((place) => [place, since])), ...failedEmails }
      }
    }
    if (request === undefined) return state
    const place = pendingRequestKey(request)
    if (observed.kind === "commit") {
      return hasEffect(observed) && !committed.includes(place)
        ? { ...state, committed: [...committed, place].sort() }
        : state
    }
    const since = failedEmails[place]
    if (observed.kind === "response" && since !== undefined && !affected.includes(observed.actor)) {
      const waited = toMilliseconds(observed.at) - delayed - since
      if (observed.status >= 500) {
        return violation(`${observed.actor} got ${observed.status} because an e-mail could not be sent`)
      }
      if (waited > limits.mail) return violation(`${observed.actor} waited ${waited} ms for an e-mail`)
    }
    return committed.includes(place) || affected.includes(request.actor)
      ? {
          committed: committed.filter((one) => one !== place),
          failedEmails: Object.fromEntries(Object.entries(failedEmails).filter(([one]) => one !== place)),
          affected: affected.filter((one) => one !== request.actor)
        }
      : state
  }
})
