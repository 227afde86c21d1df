/** Where a client keeps what it has to know after a restart: requests without an answer, checkpoints, secrets. */
import { randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"

/** Texts by name. A text is durable once its `write` has ended. */
export interface Store {
  read(name: string): Promise<string | undefined>
  /** Replaces the text. */
  write(name: string, text: string): Promise<void>
  /** Adds a line to the text; durable once it has ended. A crash can leave a part of the line, without its end. */
  append(name: string, line: string): Promise<void>
  remove(name: string): Promise<void>
  /** The names that begin with this, sorted. */
  names(start: string): Promise<ReadonlyArray<string>>
}

/**
 * A folder with one file for each text, readable by its owner only. After a crash in `write` a text is the old one or the
 * new one. Use one folder for each agent, and one store for each folder, in one process at a time.
 */
export class FolderStore implements Store {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async read(name: string): Promise<string | undefined> {
    return fs.readFile(this.#fileOf(name), "utf8").catch(ifMissing(undefined))
  }

  async write(name: string, text: string): Promise<void> {
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const file = this.#fileOf(name)
    // Of its own for each call: two calls can write one name at once.
    const temporary = `${file}.${randomUUID()}.new`
    const written = await fs.open(temporary, "w", 0o600)
    try {
      await written.writeFile(text)
      await written.sync()
    } finally {
      await written.close()
    }
    await fs.rename(temporary, file)
    await this.#syncFolder()
  }

  async append(name: string, line: string): Promise<void> {
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const written = await fs.open(this.#fileOf(name), "a", 0o600)
    try {
      const isNew = (await written.stat()).size === 0
      await written.writeFile(`${line}\n`)
      await written.sync()
      if (isNew) await this.#syncFolder()
    } finally {
      await written.close()
    }
  }

  async remove(name: string): Promise<void> {
    await fs.unlink(this.#fileOf(name)).catch(ifMissing(undefined))
  }

  async names(start: string): Promise<ReadonlyArray<string>> {
    const files = await fs.readdir(this.#folder).catch(ifMissing<ReadonlyArray<string>>([]))
    const texts = files.filter((file) => file.startsWith(start) && file.endsWith(".json"))
    return texts.map((file) => file.slice(0, -".json".length)).sort()
  }

  #fileOf(name: string): string {
    if (!/^[\w-]{1,100}$/.test(name)) throw new Error(`${name}: a name has letters, digits, "_" and "-" only`)
    return path.join(this.#folder, `${name}.json`)
  }

  /** A rename or a new file is durable once the folder is. */
  async #syncFolder(): Promise<void> {
    const folder = await fs.open(this.#folder, "r")
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  }
}

const ifMissing =
  <A>(otherwise: A) =>
  (error: NodeJS.ErrnoException): A => {
    if (error.code === "ENOENT") return otherwise
    throw error
  }

/** For tests: everything is lost with the process. */
export class MemoryStore implements Store {
  readonly #texts = new Map<string, string>()

  async read(name: string): Promise<string | undefined> {
    return this.#texts.get(name)
  }

  async write(name: string, text: string): Promise<void> {
    this.#texts.set(name, text)
  }

  async append(name: string, line: string): Promise<void> {
    this.#texts.set(name, `${this.#texts.get(name) ?? ""}${line}\n`)
  }

  async remove(name: string): Promise<void> {
    this.#texts.delete(name)
  }

  async names(start: string): Promise<ReadonlyArray<string>> {
    return [...this.#texts.keys()].filter((name) => name.startsWith(start)).sort()
  }
}
