/** Escapes invisible characters in reports, and shortens long runs of characters that hide or overdraw text. */
import { codePointHex, invisibleCharacters, invisibleClass, codePointName } from "../canonical/visible-characters.ts"
import { verifierLimits } from "./verifier-limits.ts"

/** For the text report: `<U+202E>`. */
export const escapeForText = (text: string): string => replaceMarks(text, (mark) => `<${codePointName(mark)}>`)

/** For the JSON report: every mark but the line feed as JSON escapes of its code units. */
export const escapeForJson = (text: string): string =>
  visibleAscii.test(text) ? text : replaceMarks(text, (mark) => (mark === "\n" ? mark : jsonEscape(mark)))

/** Most reports; tested before the search for marks, whose pattern takes longer to compile than the report to print. */
const visibleAscii = /^[\n -~]*$/

/**
 * For the text report, a text from a record: a long run of spaces, which could move the rest of the line out of sight, and
 * a stack of combining marks, which overdraws adjacent lines, become counts: `[500 spaces]`, `[37 combining marks]`.
 */
export const shortenRuns = (text: string): string =>
  shortenRunsOf(
    combiningMark,
    shortenRunsOf(invisibleClass, text, (run) => (/[^ ]/.test(run) ? "invisible characters" : "spaces")),
    () => "combining marks"
  )

const combiningMark = String.raw`\p{M}`

const { runMarksMax } = verifierLimits

/** Matches the first marks of a run, then the rest in steps: one pattern for a run of any length overflows the stack. */
const shortenRunsOf = (mark: string, text: string, nameOf: (run: string) => string): string => {
  const longRun = new RegExp(`${mark}{${runMarksMax + 1}}`, "gu")
  const more = new RegExp(`${mark}{1,1000}`, "yu")
  let shortened = ""
  let from = 0
  for (let found = longRun.exec(text); found !== null; found = longRun.exec(text)) {
    let end = longRun.lastIndex
    more.lastIndex = end
    while (more.test(text)) end = more.lastIndex
    const run = text.slice(found.index, end)
    shortened += `${text.slice(from, found.index)}[${countMarks(run)} ${nameOf(run)}]`
    from = longRun.lastIndex = end
  }
  return shortened + text.slice(from)
}

const countMarks = (run: string): number => {
  let count = 0
  for (const _ of run) count++
  return count
}

/**
 * Replaces in pieces, because one replacement keeps every match in memory, and computes the escape of each mark once. A
 * piece never ends inside a surrogate pair.
 */
const replaceMarks = (text: string, write: (mark: string) => string): string => {
  const escapes = new Map<string, string>()
  const replacement = (mark: string): string => {
    const escape = escapes.get(mark) ?? write(mark)
    escapes.set(mark, escape)
    return escape
  }
  let replaced = ""
  for (let from = 0; from < text.length;) {
    let end = from + pieceLength
    if (isHighSurrogate(text.charCodeAt(end - 1))) end++
    replaced += text.slice(from, end).replace(invisibleCharacters, replacement)
    from = end
  }
  return replaced
}

const pieceLength = 65_536
const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00

const jsonEscape = (mark: string): string =>
  Array.from({ length: mark.length }, (_, index) => `\\u${codePointHex(mark.charCodeAt(index)).toLowerCase()}`).join("")
