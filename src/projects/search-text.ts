/** What the list of projects is searched by. */
import { fold } from "../vocabulary/fold.ts"
import type { Terms } from "./terms.ts"

/**
 * The title and the names of both parties as the terms state them, a line each, folded: they never change, so that one
 * column without an index is enough. Migration 19 computes the same in SQL for most scripts; characters that JSON escapes
 * are blanks, since SQL does not unescape them.
 */
export const searchTextOf = ({ title, buyerName, supplierName }: Terms): string =>
  [title, buyerName, supplierName].map(searchedText).join("\n")

/** A text as it is looked for, on one line. */
export const searchedText = (text: string): string => fold(text).replace(escapedCharacters, " ").trim()

/** Quotes, backslashes and everything below the space. */
const escapedCharacters = /["\\]|[^ -\u{10ffff}]/gu
