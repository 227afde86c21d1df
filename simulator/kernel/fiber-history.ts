/**
 * A fiber's state is a function of its inputs so far; the history digests them, so that states can be compared without
 * inspecting fibers. Several fibers can share a history: it then records which of them resumes, and all external inputs.
 */
import { hash } from "node:crypto"
import { Context } from "effect"

export class FiberHistory {
  /** The same in all runs: `scout#3`, `worker`. */
  readonly name: string
  #digest: string
  #nextWait = 0

  /** The start time is part of the history, since a fiber may read the clock. */
  constructor(name: string, at: number) {
    this.name = name
    this.#digest = `${name} ${at}`
  }

  /** A digest of all inputs in order. */
  get history(): string {
    return this.#digest
  }

  /** Returns a number for a new wait, which is recorded when the wait ends and identifies the resumed fiber. */
  waits(): number {
    return (this.#nextWait += 1)
  }

  record(what: unknown): void {
    this.#digest = hash("sha256", `${this.#digest}\n${JSON.stringify(what)}`)
  }
}

/** The history of a fiber, if any. Child fibers share it. */
export const CurrentHistory: Context.Reference<FiberHistory | undefined> = Context.Reference<FiberHistory | undefined>(
  "countersign/simulator/CurrentHistory",
  { defaultValue: () => undefined }
)
