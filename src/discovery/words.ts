/** How texts are taken apart for the search: folded, so that spellings of one word are one, and split into words. */
import { limits } from "../vocabulary/limits.ts"

/** The words of a text in their order, each once. */
export const wordsOf = (text: string): ReadonlyArray<string> => [...new Set(fold(text).match(word) ?? [])]

/** A word as far as the index keeps it: what begins with a word begins with this, too. */
export const indexed = (word: string): string => [...word].slice(0, limits.specificationWordCharacters).join("")

/** True where every one of these words begins a word of the text. */
export const holdsAll = (words: ReadonlyArray<string>, text: string): boolean => {
  const there = wordsOf(text)
  return words.every((word) => there.some((one) => one.startsWith(word)))
}

/**
 * NFKC with the case folded away. What cannot be seen goes, since nobody types it. Lower case comes first for the capital
 * sharp s, which is no other letter's upper case; upper case then writes out what one letter stands for, and the final
 * sigma is a sigma. Folding again changes nothing.
 */
export const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFKC")

const word = /[\p{L}\p{M}\p{N}]+/gu
