/** Scheduling choices of a run: those of a step's `choose`, otherwise first in, first out. */
import type { Choose } from "../kernel/choice.ts"
import type { Recorder } from "../observation/recorder.ts"

export class Choices {
  readonly #recorder: Recorder
  readonly #otherwise: Choose
  #wanted: ReadonlyArray<string> = []
  #isRecording = false
  #offers = 0
  #complaint: string | undefined
  #follows = false

  readonly #isSearched: boolean

  /** A search ignores the scenario's choices. */
  constructor(recorder: Recorder, otherwise: Choose, isSearched = false) {
    this.#recorder = recorder
    this.#otherwise = otherwise
    this.#isSearched = isSearched
  }

  /** Records every choice from now on, also after the step; the first ones are given. */
  follow(wanted: ReadonlyArray<string>): void {
    this.begin(wanted)
    this.#follows = true
  }

  /** The reason why the given choices could not be followed. */
  get complaint(): string | undefined {
    return this.#follows ? this.#problem() : undefined
  }

  /** Records every choice of a step; the first ones are given. */
  begin(wanted: ReadonlyArray<string>): void {
    if (this.#isSearched || this.#follows) return
    this.#wanted = wanted
    this.#isRecording = true
    this.#offers = 0
    this.#complaint = undefined
  }

  /** Returns the reason why the given choices could not be followed. */
  end(): string | undefined {
    if (this.#isSearched || this.#follows) return undefined
    const problem = this.#problem()
    this.#wanted = []
    this.#isRecording = false
    return problem
  }

  #problem(): string | undefined {
    const [next] = this.#wanted
    return this.#complaint ?? (next === undefined ? undefined : neverAnOption(next, this.#offers))
  }

  readonly choose: Choose = (options, offers) => {
    this.#offers += 1
    const [wanted, ...rest] = this.#wanted
    const found = wanted === undefined ? this.#otherwise(options, offers) : options.indexOf(wanted)
    if (found < 0) this.#complaint ??= `${wanted} was not an option here: the options were ${options.join(", ")}`
    else this.#wanted = rest
    const index = Math.max(found, 0)
    const chosen = options[index]
    if (this.#isRecording && chosen !== undefined) this.#recorder.observe({ kind: "choice", options, chosen })
    return index
  }
}

const neverAnOption = (name: string, offers: number): string => {
  if (offers === 0) return `${name} was never an option: this step has no choices`
  return `${name} was never an option: ${offers === 1 ? "there was one choice" : `there were ${offers} choices`} in all`
}
