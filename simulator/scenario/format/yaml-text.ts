/** Writes strings and keys as YAML: plain if they read back unchanged, folded if they are long. */
import { parse } from "yaml"

/** A string after a key or a dash, on as many lines as it needs. */
export const textLines = (text: string, lead: string, indent: string, width: number): ReadonlyArray<string> => {
  const onOneLine = `${lead} ${lineText(text, "block")}`
  const body = `${indent}  `
  if (oneParagraph.test(text) && (text.endsWith("\n") || onOneLine.length > width)) {
    return [`${lead} >${chompOf(text)}`, ...fold(text.trimEnd(), width - body.length).map((line) => body + line)]
  }
  if (severalLines.test(text)) {
    return [
      `${lead} |${chompOf(text)}`,
      ...text
        .trimEnd()
        .split("\n")
        .map((line) => body + line)
    ]
  }
  return [onOneLine]
}

/** A string on one line. */
export const lineText = (text: string, within: "flow" | "block"): string =>
  isPlain(text, within) ? text : JSON.stringify(text)

export const keyText = (key: string): string => (words.test(key) && !isReserved(key) ? key : JSON.stringify(key))

/** Words with one space between them. */
const oneParagraph = /^[^\p{C}\s]+(?: [^\p{C}\s]+)*\n?$/u

const severalLines = /^[^\p{C}\s](?:[^\p{C}]*[^\p{C}\s])?(?:\n[^\p{C}\s](?:[^\p{C}]*[^\p{C}\s])?)+\n?$/u

const chompOf = (text: string): string => (text.endsWith("\n") ? "" : "-")

const fold = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else {
      line = line === "" ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}

const words = /^[A-Za-z][A-Za-z0-9_.-]*(?: [A-Za-z][A-Za-z0-9_.-]*)*$/

const isReserved = (text: string): boolean => /^(?:null|true|false)$/i.test(text)

/** Begins with no YAML indicator. */
const withoutIndicator = /^(?:-?[\p{L}\p{N}]|[$/+._])(?:[^\p{C}]*[^\p{C}\s])?$/u

/** Plain words need no test parse, and most strings are plain words. */
const isPlain = (text: string, within: "flow" | "block"): boolean => {
  if (words.test(text)) return !isReserved(text)
  if (!withoutIndicator.test(text)) return false
  try {
    const [read, ...others]: ReadonlyArray<unknown> =
      within === "flow" ? parse(`[${text}]`, quiet) : [parse(`key: ${text}`, quiet).key]
    return read === text && others.length === 0
  } catch {
    return false
  }
}

const quiet = { logLevel: "silent" } as const
