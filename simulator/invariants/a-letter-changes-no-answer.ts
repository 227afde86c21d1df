/** Notifications are never part of what they tell of (spec 1, 2.4): whether a letter leaves changes nothing else. */
import { toMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { askedBy, broken, invariant } from "./invariant.ts"
import { hasEffect } from "./support/commits.ts"

type Told = {
  /** Requests that nobody has answered yet and that had their effect: who sent each, and in which step. */
  readonly done: ReadonlyArray<string>
  /** Those of them beside which a letter was not taken, and since when, in milliseconds in which nobody was slow. */
  readonly letters: { readonly [place: string]: number }
  /** Who met a failure of the store in what they ask for now. */
  readonly struck: ReadonlyArray<string>
}

export const aLetterChangesNoAnswer = invariant<Told>({
  name: "a letter changes no answer",
  kind: "always",
  says: "What had its effect is answered as such where no letter can be sent of it, and without a long wait for the mail.",
  begins: { done: [], letters: {}, struck: [] },
  sees: (told, { observed, request, idled }) => {
    const { done, letters, struck } = told
    if (observed.kind === "fault") return { ...told, struck: [...struck, observed.actor].sort() }
    if (observed.kind === "letter") {
      if (observed.server === "WORKING") return told
      const since = toMilliseconds(observed.at) - idled
      return { ...told, letters: { ...Object.fromEntries(done.map((place) => [place, since])), ...letters } }
    }
    if (request === undefined) return told
    const place = askedBy(request)
    if (observed.kind === "commit") {
      return hasEffect(observed) && !done.includes(place) ? { ...told, done: [...done, place].sort() } : told
    }
    const since = letters[place]
    if (observed.kind === "response" && since !== undefined && !struck.includes(observed.actor)) {
      const waited = toMilliseconds(observed.at) - idled - since
      if (observed.status >= 500) {
        return broken(`${observed.actor} was answered with ${observed.status} because a letter could not be sent`)
      }
      if (waited > limits.mail) return broken(`${observed.actor} waited ${waited} ms for a letter`)
    }
    return done.includes(place) || struck.includes(request.actor)
      ? {
          done: done.filter((one) => one !== place),
          letters: Object.fromEntries(Object.entries(letters).filter(([one]) => one !== place)),
          struck: struck.filter((one) => one !== request.actor)
        }
      : told
  }
})
