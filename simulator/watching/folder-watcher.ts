/**
 * Reports changed files below folders, debounced. Folders are watched instead of files, so that a file replaced by an
 * editor is reported too.
 */
import * as fs from "node:fs"
import * as path from "node:path"

export class FolderWatcher {
  readonly #watchers = new Map<string, fs.FSWatcher>()
  readonly #changed: (files: ReadonlySet<string>) => void
  #waiting = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  /** `changed` is called with absolute paths. */
  constructor(changed: (files: ReadonlySet<string>) => void) {
    this.#changed = changed
  }

  /** Watches a folder; with all below it, also folders that are created later. */
  watch(folder: string, depth: "alone" | "with all below"): void {
    const absolute = path.resolve(folder)
    if (!this.#watchers.has(absolute)) this.#begin(absolute, depth)
    if (depth === "alone") return
    for (const entry of fs.readdirSync(absolute, { withFileTypes: true })) {
      if (entry.isDirectory()) this.watch(path.join(absolute, entry.name), depth)
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #begin(folder: string, depth: "alone" | "with all below"): void {
    const watcher = fs.watch(folder, (_, name) => {
      if (name === null) return
      const file = path.join(folder, name)
      if (depth === "with all below") this.#noticeFolder(file)
      this.#notice(file)
    })
    watcher.on("error", () => this.#forget(folder))
    this.#watchers.set(folder, watcher)
  }

  /** Reports the files of a new folder too, since they may precede its watcher. */
  #noticeFolder(file: string): void {
    if (this.#watchers.has(file)) {
      if (!fs.existsSync(file)) this.#forget(file)
    } else if (fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
      this.watch(file, "with all below")
      for (const name of fs.readdirSync(file, { recursive: true, encoding: "utf8" }))
        this.#notice(path.join(file, name))
    }
  }

  #notice(file: string): void {
    this.#waiting.add(file)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const files = this.#waiting
      this.#waiting = new Set()
      this.#changed(files)
    }, quietMilliseconds)
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }
}

/** Editors write a file in several operations. */
const quietMilliseconds = 60
