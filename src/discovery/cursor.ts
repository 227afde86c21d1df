/** Where a page of a search ended: opaque to clients, and of no use to another search. */
import { Effect, Schema } from "effect"
import { digestOf } from "../canonical/digest.ts"
import { fromBase64url, toBase64url } from "../canonical/base64url.ts"
import { refuse, type Refused } from "../vocabulary/refusals.ts"
import { SpecificationId } from "./input.ts"

/** A place in the order of the results: those that are found by their titles stand before the others. */
export interface Place {
  readonly isByTitle: boolean
  readonly id: string
}

export const comparePlaces = (a: Place, b: Place): number => {
  if (a.isByTitle !== b.isByTitle) return a.isByTitle ? -1 : 1
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1
}

export const cursorAt = (words: ReadonlyArray<string>, { isByTitle, id }: Place): string =>
  toBase64url(`${markOf(words)}.${isByTitle ? "1" : "2"}.${id}`)

export const openCursor = (words: ReadonlyArray<string>, cursor: string): Effect.Effect<Place, Refused> => {
  const [, mark, rank, id = ""] = form.exec(new TextDecoder().decode(fromBase64url(cursor))) ?? []
  return isId(id) && mark === markOf(words)
    ? Effect.succeed({ isByTitle: rank === "1", id })
    : refuse("INVALID_REQUEST", { issues: [{ path: "after", message: "is no cursor that this search has given" }] })
}

/** The same for the same words, in whatever order they were typed. */
const markOf = (words: ReadonlyArray<string>): string => digestOf(words.toSorted()).slice(0, 16)

const form = /^([0-9a-f]{16})\.([12])\.(.*)$/

const isId = Schema.is(SpecificationId)
