/** What `simulate explore` shows on standard error while it searches. */
import { formatCount } from "../search/report.ts"
import type { ExplorationProgress } from "../search/findings/explore-file.ts"
import { escapeForTerminal } from "../reports/escape.ts"

/** The stream that shows it, such as `process.stderr`. Its writes are synchronous, as a search is. */
export interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly write: (text: string) => unknown
}

/** On a terminal one line that is rewritten; elsewhere a line per script, at most every half minute. */
export class ProgressDisplay {
  readonly #stream: ProgressStream
  readonly #scripts: number
  #ended = 0
  readonly #running = new Map<string, ExplorationProgress>()
  readonly #printed = new Map<string, number>()

  constructor(stream: ProgressStream, scripts: number) {
    this.#stream = stream
    this.#scripts = scripts
  }

  update(file: string, progress: ExplorationProgress): void {
    this.#running.set(file, progress)
    if (this.#stream.isTTY === true) this.#rewrite()
    else if (progress.seconds - (this.#printed.get(file) ?? 0) >= secondsBetweenLines) {
      this.#printed.set(file, progress.seconds)
      this.#stream.write(`${escapeForTerminal(`${file}: ${progressText(progress)}`)}\n`)
    }
  }

  end(file: string): void {
    this.#running.delete(file)
    this.#ended += 1
  }

  /** Makes room for other output; the next update writes the line again. */
  clear(): void {
    if (this.#stream.isTTY === true) this.#stream.write(clearedLine)
  }

  #rewrite(): void {
    const scripts = [...this.#running].map(([file, progress]) => `${shortName(file)}: ${progressText(progress)}`)
    const text = [`${this.#ended} of ${formatCount(this.#scripts, "script")} searched`, ...scripts].join(" | ")
    this.#stream.write(clearedLine + escapeForTerminal(text).slice(0, (this.#stream.columns ?? 80) - 1))
  }
}

const secondsBetweenLines = 30

/** Back to the start of the line, and erased (ECMA-48, EL). */
const clearedLine = "\r\u001b[2K"

const progressText = ({ strategy, schedules, states, seconds }: ExplorationProgress): string =>
  [
    strategy,
    formatCount(schedules, "schedule"),
    ...(states === undefined ? [] : [formatCount(states, "visited state")]),
    `${Math.floor(seconds)} s`
  ].join(", ")

/** Scripts of a folder are called scenario.yaml: their folder tells them apart. */
const shortName = (file: string): string =>
  file
    .replace(/\/scenario\.yaml$|\.yaml$/, "")
    .split("/")
    .at(-1) ?? file
