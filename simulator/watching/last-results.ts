/** The last results of watched scenarios, and the scenarios that a change affects. */
import * as path from "node:path"
import { goldenFiles } from "../scenario/files.ts"
import type { Verdict } from "../observation/observation.ts"

/** The result of one scenario; plain data, since it is sent between processes. */
export interface ScenarioResult {
  readonly file: string
  /** `UNREADABLE` if the script cannot be read. */
  readonly verdict: Verdict | "UNREADABLE"
  /** The lines that describe the failure. */
  readonly failureLines: ReadonlyArray<string>
  /** Empty if the scenario did not run. */
  readonly trace: string
  /** Differences from the committed golden files, if there are any. */
  readonly goldenDifferences: ReadonlyArray<string>
  /** The parts that it uses. */
  readonly parts: ReadonlyArray<string>
  readonly milliseconds: number
}

export class LastResults {
  readonly #results = new Map<string, ScenarioResult>()
  /** Failed scenarios, the most recent first. */
  #failed: ReadonlyArray<string> = []

  get(file: string): ScenarioResult | undefined {
    return this.#results.get(file)
  }

  get all(): ReadonlyArray<ScenarioResult> {
    return [...this.#results.values()]
  }

  get failed(): ReadonlyArray<string> {
    return this.#failed
  }

  put(result: ScenarioResult): void {
    const { file, verdict } = result
    this.#results.set(file, result)
    const others = this.#failed.filter((one) => one !== file)
    this.#failed = verdict === "PASSED" ? others : [file, ...others]
  }

  /** Removes the results of deleted files. */
  retain(files: ReadonlyArray<string>): void {
    for (const file of this.#results.keys()) if (!files.includes(file)) this.#results.delete(file)
    this.#failed = this.#failed.filter((file) => files.includes(file))
  }

  /** Failed scenarios first, the most recent failure first. */
  inOrder(files: ReadonlyArray<string>): ReadonlyArray<string> {
    return [
      ...this.#failed.filter((file) => files.includes(file)),
      ...files.filter((file) => !this.#failed.includes(file))
    ]
  }

  /** The scenarios that changed files affect, by absolute paths. */
  affectedBy(changed: ReadonlySet<string>, files: ReadonlyArray<string>): ReadonlyArray<string> {
    return this.inOrder(files.filter((file) => this.#isTouched(file, changed)))
  }

  #isTouched(file: string, changed: ReadonlySet<string>): boolean {
    const result = this.#results.get(file)
    // The parts of an unreadable script are unknown.
    if (
      result === undefined ||
      (result.verdict === "UNREADABLE" && [...changed].some((name) => name.endsWith(".yaml")))
    ) {
      return true
    }
    const { trace, story } = goldenFiles(file)
    return [file, trace, story, ...result.parts].some((own) => changed.has(path.resolve(own)))
  }
}
