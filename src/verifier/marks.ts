/** How a report writes the characters that have no shape of their own, and long runs of those that hide or overdraw. */
import { hexOf, hiddenMarks, invisible, nameOfMark } from "../canonical/visible.ts"
import { verifierLimits } from "./verifier-limits.ts"

/** For a person: `<U+202E>`. */
export const visible = (text: string): string => replaceMarks(text, (mark) => `<${nameOfMark(mark)}>`)

/** A JSON text on lines of its own, every other mark as the escapes of its code units. */
export const visibleJson = (text: string): string =>
  replaceMarks(text, (mark) => (mark === "\n" ? mark : jsonEscape(mark)))

/**
 * For a person, a text from a record: a long run of spaces, which could move the rest of the line out of sight, and a
 * stack of combining marks, which is drawn over the lines beside it, are counted: `[500 spaces]`, `[37 combining marks]`.
 */
export const countRuns = (text: string): string =>
  combiningMarks(
    invisibleMarks(text, (run) => (/[^ ]/.test(run) ? "invisible characters" : "spaces")),
    () => "combining marks"
  )

const { runMarksMax } = verifierLimits

/** A run is found by its first marks and followed in steps: one pattern for a run of any length exhausts its stack. */
const runsOf = (one: string) => {
  const longRun = new RegExp(`${one}{${runMarksMax + 1}}`, "gu")
  const more = new RegExp(`${one}{1,1000}`, "yu")
  return (text: string, nameOf: (run: string) => string): string => {
    let counted = ""
    let from = 0
    longRun.lastIndex = 0
    for (let found = longRun.exec(text); found !== null; found = longRun.exec(text)) {
      let end = longRun.lastIndex
      more.lastIndex = end
      while (more.test(text)) end = more.lastIndex
      const run = text.slice(found.index, end)
      counted += `${text.slice(from, found.index)}[${countMarks(run)} ${nameOf(run)}]`
      from = longRun.lastIndex = end
    }
    return counted + text.slice(from)
  }
}

const invisibleMarks = runsOf(invisible)
const combiningMarks = runsOf(String.raw`\p{M}`)

const countMarks = (run: string): number => {
  let count = 0
  for (const _ of run) count++
  return count
}

/**
 * Piece by piece, since a replacement holds every match until the last one, and with each mark written once. No pair of
 * surrogates is cut in two.
 */
const replaceMarks = (text: string, write: (mark: string) => string): string => {
  const written = new Map<string, string>()
  const replacement = (mark: string): string => {
    const known = written.get(mark) ?? write(mark)
    written.set(mark, known)
    return known
  }
  let replaced = ""
  for (let from = 0; from < text.length;) {
    let end = from + pieceLength
    if (isHighSurrogate(text.charCodeAt(end - 1))) end++
    replaced += text.slice(from, end).replace(hiddenMarks, replacement)
    from = end
  }
  return replaced
}

const pieceLength = 65_536
const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00

const jsonEscape = (mark: string): string =>
  Array.from({ length: mark.length }, (_, index) => `\\u${hexOf(mark.charCodeAt(index)).toLowerCase()}`).join("")
