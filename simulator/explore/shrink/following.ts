/** Has a run again: to the letter, or as far as that goes where something else about it was changed. */
import type { Decide } from "../point.ts"

/**
 * `TO_THE_LETTER`: each name has to be offered when its turn comes. `BY_NAME`: of those that are left, the first that is
 * offered. `BY_POSITION`: a name where one stands, and whoever asked first where none does or where it is not offered.
 */
export interface Wanted {
  readonly names: ReadonlyArray<string | undefined>
  readonly how: "TO_THE_LETTER" | "BY_NAME" | "BY_POSITION"
}

/** One choice of an order, as it was made. */
export interface Made {
  readonly options: ReadonlyArray<string>
  readonly chosen: string
}

/** Where a schedule and a run part. */
export interface Divergence {
  /** From 1, as people count. */
  readonly choice: number
  readonly wanted: string
  /** Empty where there was no such choice at all. */
  readonly offered: ReadonlyArray<string>
}

export class Following {
  readonly made: Array<Made> = []
  #divergence: Divergence | undefined
  readonly #wanted: Wanted
  #position = 0

  constructor(wanted: Wanted) {
    this.#wanted = wanted
  }

  /** What goes wrong is said by steps: nothing more does. */
  readonly decide: Decide = ({ kind, options }) => {
    if (kind === "mishap") return 0
    const index = this.#indexIn(options)
    const chosen = options[index]
    if (chosen === undefined) return "CUT"
    this.made.push({ options, chosen })
    return index
  }

  /** Undefined where every name was taken when its turn came. */
  get divergence(): Divergence | undefined {
    if (this.#divergence !== undefined || this.#wanted.how !== "TO_THE_LETTER") return this.#divergence
    const next = this.#wanted.names[this.#position]
    return next === undefined ? undefined : { choice: this.#position + 1, wanted: next, offered: [] }
  }

  /** What was chosen, up to the last choice that was not whoever asked first. */
  get needed(): ReadonlyArray<Made> {
    return this.made.slice(0, this.made.findLastIndex(isDeviation) + 1)
  }

  #indexIn(options: ReadonlyArray<string>): number {
    const { names, how } = this.#wanted
    if (how === "BY_NAME") {
      const found = names.findIndex((name, index) => index >= this.#position && options.includes(name ?? ""))
      if (found < 0) return 0
      this.#position = found + 1
      return options.indexOf(names[found] ?? "")
    }
    const wanted = names[this.#position]
    this.#position += 1
    const index = wanted === undefined ? 0 : options.indexOf(wanted)
    if (index >= 0 || wanted === undefined) return index
    if (how === "BY_POSITION") return 0
    this.#divergence = { choice: this.#position, wanted, offered: options }
    return -1
  }
}

/** True where it was not whoever asked first. */
export const isDeviation = ({ options, chosen }: Made): boolean => options[0] !== chosen
