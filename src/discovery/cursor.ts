/** The cursor of a search: opaque to clients, and bound to the words of that search. */
import { Effect, Schema } from "effect"
import { digestOf } from "../canonical/digest.ts"
import { fromBase64url, toBase64url } from "../canonical/base64url.ts"
import { refuse, type Refusal } from "../vocabulary/refusals.ts"
import { SpecificationId } from "./input.ts"

/** A position in the result order: title matches come first, then by id. */
export interface SearchPosition {
  readonly isByTitle: boolean
  readonly id: string
}

export const comparePositions = (a: SearchPosition, b: SearchPosition): number => {
  if (a.isByTitle !== b.isByTitle) return a.isByTitle ? -1 : 1
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1
}

export const encodeCursor = (words: ReadonlyArray<string>, { isByTitle, id }: SearchPosition): string =>
  toBase64url(`${searchHashOf(words)}.${isByTitle ? "1" : "2"}.${id}`)

export const decodeCursor = (
  words: ReadonlyArray<string>,
  cursor: string
): Effect.Effect<SearchPosition, Refusal<"INVALID_REQUEST">> => {
  const [, searchHash, rank, id = ""] = format.exec(new TextDecoder().decode(fromBase64url(cursor))) ?? []
  return isId(id) && searchHash === searchHashOf(words)
    ? Effect.succeed({ isByTitle: rank === "1", id })
    : refuse("INVALID_REQUEST", { issues: [{ path: "after", message: "must be a `next` cursor of this search" }] })
}

/** Equal for the same words in any order. */
const searchHashOf = (words: ReadonlyArray<string>): string => digestOf(words.toSorted()).slice(0, 16)

const format = /^([0-9a-f]{16})\.([12])\.(.*)$/

const isId = Schema.is(SpecificationId)
