/** What is wrong with a script, and how it is shown: the place, the sentence, the line with a caret under it. */

/** Where in the document: the keys and indexes that lead there. */
export type Path = ReadonlyArray<string | number>

export interface Problem {
  readonly path: Path
  /** Whether the last key itself is meant, or what it holds. */
  readonly part: "key" | "value"
  readonly message: string
}

/** A stretch of the text: 0-based offsets. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface PlacedProblem {
  readonly span: Span
  readonly message: string
}

/** All problems of one file in the order of their places, each with file, line, column and caret. */
export const renderProblems = (file: string, text: string, problems: ReadonlyArray<PlacedProblem>): string =>
  problems
    .toSorted((a, b) => a.span.from - b.span.from || (a.message < b.message ? -1 : 1))
    .map((problem) => renderProblem(file, text, problem))
    .join("\n")

const renderProblem = (file: string, text: string, { span, message }: PlacedProblem): string => {
  const start = text.lastIndexOf("\n", span.from - 1) + 1
  const end = text.indexOf("\n", start)
  const line = text.slice(start, end < 0 ? text.length : end).replace(/\r$/, "")
  const lineNumber = text.slice(0, start).split("\n").length
  const column = span.from - start
  const width = Math.max(1, Math.min(span.to, start + line.length) - span.from)
  const margin = " ".repeat(String(lineNumber).length)
  return [
    `${file}:${lineNumber}:${column + 1}: ${message}`,
    `  ${lineNumber} | ${line}`,
    `  ${margin} | ${line.slice(0, column).replace(/[^\t]/g, " ")}${"^".repeat(width)}`,
    ""
  ].join("\n")
}
