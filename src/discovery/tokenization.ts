/** Tokenization for the search: texts are case-folded and split into words. */
import { fold } from "../vocabulary/fold.ts"
import { limits } from "../vocabulary/limits.ts"

/** The distinct words of a text, in order. */
export const tokenize = (text: string): ReadonlyArray<string> => [...new Set(fold(text).match(word) ?? [])]

/** A word truncated to the index length, a prefix of every word that starts with it. */
export const indexKeyOf = (word: string): string => [...word].slice(0, limits.specificationWordCharacters).join("")

/** True if each of these words is the prefix of a word of the text. */
export const matchesAllWords = (words: ReadonlyArray<string>, text: string): boolean => {
  const textWords = tokenize(text)
  return words.every((word) => textWords.some((one) => one.startsWith(word)))
}

const word = /[\p{L}\p{M}\p{N}]+/gu
