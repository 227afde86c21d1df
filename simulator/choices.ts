/** Who goes first where several could: what a step of a script says, and without one whoever asked first. */
import type { Choose } from "./kernel/choice.ts"
import type { Recorder } from "./recorder.ts"

export class Choices {
  readonly #recorder: Recorder
  readonly #otherwise: Choose
  #wanted: ReadonlyArray<string> = []
  #isTold = false
  #offers = 0
  #complaint: string | undefined
  #follows = false

  readonly #isSearched: boolean

  /** Where orders are searched, nothing that a script says about them matters. */
  constructor(recorder: Recorder, otherwise: Choose, isSearched = false) {
    this.#recorder = recorder
    this.#otherwise = otherwise
    this.#isSearched = isSearched
  }

  /** From now on, and beyond the end of a step, every choice is told; the first of them are these. */
  follow(wanted: ReadonlyArray<string>): void {
    this.begin(wanted)
    this.#follows = true
  }

  /** What was wrong with what was to be followed. */
  get complaint(): string | undefined {
    return this.#follows ? this.#wrong() : undefined
  }

  /** From now on every choice is told; the first of them are these. */
  begin(wanted: ReadonlyArray<string>): void {
    if (this.#isSearched || this.#follows) return
    this.#wanted = wanted
    this.#isTold = true
    this.#offers = 0
    this.#complaint = undefined
  }

  /** Returns what was wrong with what was wanted. */
  end(): string | undefined {
    if (this.#isSearched || this.#follows) return undefined
    const wrong = this.#wrong()
    this.#wanted = []
    this.#isTold = false
    return wrong
  }

  #wrong(): string | undefined {
    const [next] = this.#wanted
    return this.#complaint ?? (next === undefined ? undefined : neverOffered(next, this.#offers))
  }

  readonly choose: Choose = (options, offers) => {
    this.#offers += 1
    const [wanted, ...rest] = this.#wanted
    const found = wanted === undefined ? this.#otherwise(options, offers) : options.indexOf(wanted)
    if (found < 0) this.#complaint ??= `${wanted} was not offered here: there were ${options.join(", ")}`
    else this.#wanted = rest
    const index = Math.max(found, 0)
    const chosen = options[index]
    if (this.#isTold && chosen !== undefined) this.#recorder.observe({ kind: "choice", options, chosen })
    return index
  }
}

const neverOffered = (name: string, offers: number): string => {
  if (offers === 0) return `${name} was never offered: nothing is to be chosen at this step`
  return `${name} was never offered: ${offers === 1 ? "there was one choice" : `there were ${offers} choices`} in all`
}
