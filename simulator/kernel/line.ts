/**
 * What a fiber has been told so far. A fiber that nobody tells anything new goes on the same way: its request and every
 * answer it got stand for where it is, so that two worlds can be compared without a look inside a fiber. Several fibers
 * can share one: then it has to be told which of them goes on, and everything that comes to any of them from outside.
 */
import { hash } from "node:crypto"
import { Context } from "effect"

export class Line {
  /** The same in every run in which it begins: `scout#3`, `worker`. */
  readonly name: string
  #history: string
  #waits = 0

  /** When it begins is part of it: a fiber may have looked at a clock. */
  constructor(name: string, at: number) {
    this.name = name
    this.#history = `${name} ${at}`
  }

  /** A digest of everything that was told, in order. */
  get history(): string {
    return this.#history
  }

  /** A number for what one of its fibers waits for now: told when that happens, it says which of them goes on. */
  waits(): number {
    return (this.#waits += 1)
  }

  tell(what: unknown): void {
    this.#history = hash("sha256", `${this.#history}\n${JSON.stringify(what)}`)
  }
}

/** Whose history a fiber is part of; nobody keeps one where it is absent. Children of a fiber share it. */
export const InLine: Context.Reference<Line | undefined> = Context.Reference<Line | undefined>(
  "countersign/simulator/InLine",
  { defaultValue: () => undefined }
)
