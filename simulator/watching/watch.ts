/** Reruns scenarios when a file that they depend on changes, until it is closed. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Result } from "effect"
import { findFiles } from "../scenario/files.ts"
import { FolderWatcher } from "./folder-watcher.ts"
import { ProgramLoadError, ScenarioProcess } from "./scenario-process.ts"
import { LastResults } from "./last-results.ts"
import { renderSummary, renderResult } from "./render-results.ts"

type Print = (lines: ReadonlyArray<string>) => void

export class Watch {
  readonly #places: ReadonlyArray<string>
  readonly #print: Print
  readonly #runs = new ScenarioProcess()
  readonly #last = new LastResults()
  readonly #folders: FolderWatcher
  readonly #queue = new Set<string>()
  #running: Promise<void> | undefined

  constructor(places: ReadonlyArray<string>, print: Print) {
    this.#places = places
    this.#print = print
    this.#folders = new FolderWatcher((changed) => this.#changed(changed))
    for (const folder of programFolders) this.#folders.watch(folder, "with all below")
    for (const place of places) {
      if (fs.statSync(place).isDirectory()) this.#folders.watch(place, "with all below")
      else this.#folders.watch(path.dirname(place), "alone")
    }
  }

  get last(): LastResults {
    return this.#last
  }

  /** Reruns all scenarios, failed ones first. */
  all(): void {
    this.#enqueue(this.#filesNow())
  }

  failed(): void {
    if (this.#last.failed.length === 0) this.#print(["no scenario failed"])
    this.#enqueue(this.#last.failed)
  }

  /** Cancels the runs that have not begun. */
  abandon(): void {
    this.#queue.clear()
  }

  /** Resolves after the queued runs. */
  async close(): Promise<void> {
    this.#folders.close()
    await this.#running
    this.#runs.stop()
  }

  #changed(files: ReadonlySet<string>): void {
    const changed = [...files].filter((file) => !path.basename(file).startsWith("."))
    if (changed.some((file) => file.endsWith(".ts") && programFolders.some((folder) => file.startsWith(folder)))) {
      this.#print(["", "the program changed"])
      this.#runs.stop()
      return this.all()
    }
    const touched = this.#last.affectedBy(new Set(changed), this.#filesNow())
    if (touched.length > 0) this.#print([""])
    this.#enqueue(touched)
  }

  /** The current scenarios. */
  #filesNow(): ReadonlyArray<string> {
    const found = findFiles(this.#places)
    if (Result.isFailure(found)) this.#print([found.failure])
    const files = Result.isSuccess(found) ? found.success : []
    this.#last.retain(files)
    return files
  }

  #enqueue(files: ReadonlyArray<string>): void {
    for (const file of files) this.#queue.add(file)
    if (this.#queue.size > 0) this.#running ??= this.#runQueue().finally(() => (this.#running = undefined))
  }

  async #runQueue(): Promise<void> {
    try {
      for (;;) {
        const [file] = this.#last.inOrder([...this.#queue])
        if (file === undefined) break
        this.#queue.delete(file)
        await this.#run(file)
      }
      this.#print([renderSummary(this.#last.all)])
    } catch (error) {
      if (!(error instanceof ProgramLoadError)) throw error
      this.#queue.clear()
      this.#print(["the program cannot be loaded; it is reloaded after the next change", error.message])
    }
  }

  async #run(file: string): Promise<void> {
    if (!fs.existsSync(file)) return
    const before = this.#last.get(file)
    const result = await this.#runs.run(file)
    if (result === undefined) return void this.#queue.add(file)
    this.#last.put(result)
    for (const part of result.parts) this.#folders.watch(path.dirname(part), "alone")
    this.#print(renderResult(result, before))
  }
}

const project = path.resolve(import.meta.dirname, "../..")

/** Modules are loaded once per process: after a change of these folders all scenarios run in a new process. */
const programFolders = ["src", "simulator"].map((folder) => path.join(project, folder))
