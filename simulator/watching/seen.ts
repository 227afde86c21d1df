/** What a watch knows of each scenario from its last run, and which ones a change touches. */
import * as path from "node:path"
import { goldenFiles } from "../files.ts"
import type { Verdict } from "../observation.ts"

/** What came of one scenario; plain, because it comes from another process. */
export interface Seen {
  readonly file: string
  /** `UNREADABLE` where the script cannot be read. */
  readonly verdict: Verdict | "UNREADABLE"
  /** What is wrong, as a reader wants to see it. */
  readonly complaint: ReadonlyArray<string>
  /** Empty where nothing ran. */
  readonly trace: string
  /** How it differs from what is committed beside the script, where anything is. */
  readonly fromCommitted: ReadonlyArray<string>
  /** The files that it uses. */
  readonly parts: ReadonlyArray<string>
  readonly milliseconds: number
}

export class LastRuns {
  readonly #seen = new Map<string, Seen>()
  /** Scenarios that failed, the last one first. */
  #failed: ReadonlyArray<string> = []

  get(file: string): Seen | undefined {
    return this.#seen.get(file)
  }

  get all(): ReadonlyArray<Seen> {
    return [...this.#seen.values()]
  }

  get failed(): ReadonlyArray<string> {
    return this.#failed
  }

  put(seen: Seen): void {
    const { file, verdict } = seen
    this.#seen.set(file, seen)
    const others = this.#failed.filter((one) => one !== file)
    this.#failed = verdict === "PASSED" ? others : [file, ...others]
  }

  /** Forgets what is no longer there. */
  keep(files: ReadonlyArray<string>): void {
    for (const file of this.#seen.keys()) if (!files.includes(file)) this.#seen.delete(file)
    this.#failed = this.#failed.filter((file) => files.includes(file))
  }

  /** What failed last comes first. */
  inOrder(files: ReadonlyArray<string>): ReadonlyArray<string> {
    return [
      ...this.#failed.filter((file) => files.includes(file)),
      ...files.filter((file) => !this.#failed.includes(file))
    ]
  }

  /** Of these scenarios, those that a change of files touches, by absolute paths. */
  touchedBy(changed: ReadonlySet<string>, files: ReadonlyArray<string>): ReadonlyArray<string> {
    return this.inOrder(files.filter((file) => this.#isTouched(file, changed)))
  }

  #isTouched(file: string, changed: ReadonlySet<string>): boolean {
    const seen = this.#seen.get(file)
    // What a script that cannot be read would use is not known.
    if (seen === undefined || (seen.verdict === "UNREADABLE" && [...changed].some((name) => name.endsWith(".yaml")))) {
      return true
    }
    const { trace, story } = goldenFiles(file)
    return [file, trace, story, ...seen.parts].some((own) => changed.has(path.resolve(own)))
  }
}
