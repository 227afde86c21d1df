/** Runs scenarios again whenever something changes that they depend on, until it is closed. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Result } from "effect"
import { findFiles } from "../files.ts"
import { Folders } from "./folders.ts"
import { Broken, Runs } from "./runs.ts"
import { LastRuns } from "./seen.ts"
import { tellAll, tellRun } from "./telling.ts"

type Tell = (lines: ReadonlyArray<string>) => void

export class Watch {
  readonly #places: ReadonlyArray<string>
  readonly #tell: Tell
  readonly #runs = new Runs()
  readonly #last = new LastRuns()
  readonly #folders: Folders
  readonly #wanted = new Set<string>()
  #running: Promise<void> | undefined

  constructor(places: ReadonlyArray<string>, tell: Tell) {
    this.#places = places
    this.#tell = tell
    this.#folders = new Folders((changed) => this.#changed(changed))
    for (const folder of programFolders) this.#folders.watch(folder, "with all below")
    for (const place of places) {
      if (fs.statSync(place).isDirectory()) this.#folders.watch(place, "with all below")
      else this.#folders.watch(path.dirname(place), "alone")
    }
  }

  get last(): LastRuns {
    return this.#last
  }

  /** Runs every scenario again, those that failed before the others. */
  all(): void {
    this.#want(this.#filesNow())
  }

  failed(): void {
    if (this.#last.failed.length === 0) this.#tell(["nothing failed"])
    this.#want(this.#last.failed)
  }

  /** What has not begun is not run any more. */
  abandon(): void {
    this.#wanted.clear()
  }

  /** Everything that is wanted is run first. */
  async close(): Promise<void> {
    this.#folders.close()
    await this.#running
    this.#runs.stop()
  }

  #changed(files: ReadonlySet<string>): void {
    const changed = [...files].filter((file) => !path.basename(file).startsWith("."))
    if (changed.some((file) => file.endsWith(".ts") && programFolders.some((folder) => file.startsWith(folder)))) {
      this.#tell(["", "the program changed"])
      this.#runs.stop()
      return this.all()
    }
    const touched = this.#last.touchedBy(new Set(changed), this.#filesNow())
    if (touched.length > 0) this.#tell([""])
    this.#want(touched)
  }

  /** The scenarios that there are now. */
  #filesNow(): ReadonlyArray<string> {
    const found = findFiles(this.#places)
    if (Result.isFailure(found)) this.#tell([found.failure])
    const files = Result.isSuccess(found) ? found.success : []
    this.#last.keep(files)
    return files
  }

  #want(files: ReadonlyArray<string>): void {
    for (const file of files) this.#wanted.add(file)
    if (this.#wanted.size > 0) this.#running ??= this.#runWanted().finally(() => (this.#running = undefined))
  }

  async #runWanted(): Promise<void> {
    try {
      for (;;) {
        const [file] = this.#last.inOrder([...this.#wanted])
        if (file === undefined) break
        this.#wanted.delete(file)
        await this.#run(file)
      }
      this.#tell([tellAll(this.#last.all)])
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      this.#wanted.clear()
      this.#tell(["the program cannot be loaded; it is tried again when it changes", error.message])
    }
  }

  async #run(file: string): Promise<void> {
    if (!fs.existsSync(file)) return
    const before = this.#last.get(file)
    const seen = await this.#runs.run(file)
    if (seen === undefined) return void this.#wanted.add(file)
    this.#last.put(seen)
    for (const part of seen.parts) this.#folders.watch(path.dirname(part), "alone")
    this.#tell(tellRun(seen, before))
  }
}

const project = path.resolve(import.meta.dirname, "../..")

/** Modules are loaded once: after a change in them everything runs in a new process. */
const programFolders = ["src", "simulator"].map((folder) => path.join(project, folder))
