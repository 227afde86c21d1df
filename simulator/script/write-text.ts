/** Texts and keys of a script as they are written: plain where they read back as themselves, folded where they are long. */
import { parse } from "yaml"

/** A text behind a key or a dash, in as many lines as it needs. */
export const textLines = (text: string, lead: string, indent: string, width: number): ReadonlyArray<string> => {
  const onOneLine = `${lead} ${lineText(text, "block")}`
  const body = `${indent}  `
  if (oneParagraph.test(text) && (text.endsWith("\n") || onOneLine.length > width)) {
    return [`${lead} >${chompOf(text)}`, ...folded(text.trimEnd(), width - body.length).map((line) => body + line)]
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

/** A text on one line. */
export const lineText = (text: string, within: "flow" | "block"): string =>
  isPlain(text, within) ? text : JSON.stringify(text)

export const keyText = (key: string): string => (words.test(key) && !isReserved(key) ? key : JSON.stringify(key))

/** Words with one space between them. */
const oneParagraph = /^[^\p{C}\s]+(?: [^\p{C}\s]+)*\n?$/u

const severalLines = /^[^\p{C}\s](?:[^\p{C}]*[^\p{C}\s])?(?:\n[^\p{C}\s](?:[^\p{C}]*[^\p{C}\s])?)+\n?$/u

const chompOf = (text: string): string => (text.endsWith("\n") ? "" : "-")

const folded = (text: string, width: number): ReadonlyArray<string> => {
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

/** Begins with nothing that means something to a reader of YAML. */
const harmless = /^(?:-?[\p{L}\p{N}]|[$/+._])(?:[^\p{C}]*[^\p{C}\s])?$/u

/** Most texts are words, for which nothing has to be read. */
const isPlain = (text: string, within: "flow" | "block"): boolean => {
  if (words.test(text)) return !isReserved(text)
  if (!harmless.test(text)) return false
  try {
    const [read, ...others]: ReadonlyArray<unknown> =
      within === "flow" ? parse(`[${text}]`, quiet) : [parse(`key: ${text}`, quiet).key]
    return read === text && others.length === 0
  } catch {
    return false
  }
}

const quiet = { logLevel: "silent" } as const
