/** Problems of a script, and their rendering: place, message, and the source line with a caret. */

/** A place in the document, as keys and indexes. */
export type ProblemPath = ReadonlyArray<string | number>

export interface Problem {
  readonly path: ProblemPath
  /** Whether the problem is the last key itself or its value. */
  readonly part: "key" | "value"
  readonly message: string
  /** The part that contains it; the script itself if absent. */
  readonly within?: string
}

/** A range of the text, as 0-based offsets. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface PlacedProblem {
  readonly span: Span
  readonly message: string
}

/** The distinct problems of one file in source order, with file, line, column and caret. */
export const renderProblems = (file: string, text: string, problems: ReadonlyArray<PlacedProblem>): string => {
  const once = new Map(problems.map((problem) => [`${problem.span.from} ${problem.message}`, problem]))
  const sorted = [...once.values()].toSorted((a, b) => a.span.from - b.span.from || (a.message < b.message ? -1 : 1))
  const shown = sorted.slice(0, problemsShown).map((problem) => renderProblem(file, text, problem))
  const rest = sorted.length - shown.length
  return [...shown, ...(rest > 0 ? [`${file}: and ${rest} more\n`] : [])].join("\n")
}

const problemsShown = 50

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
