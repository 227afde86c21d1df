/** Scheduling choices of a run: those of a step's `choose`, otherwise first in, first out. */
import type { Choose } from "../kernel/choice.ts"
import type { Recorder } from "../observation/recorder.ts"

export class Choices {
  readonly #recorder: Recorder
  readonly #fallback: Choose
  #remaining: ReadonlyArray<string> = []
  #isRecording = false
  #offers = 0
  #complaint: string | undefined
  #follows = false

  readonly #isSearched: boolean

  /** A search ignores the scenario's choices. */
  constructor(recorder: Recorder, fallback: Choose, isSearched = false) {
    this.#recorder = recorder
    this.#fallback = fallback
    this.#isSearched = isSearched
  }

  /** Records every choice from now on, also after the step; the first ones are given. */
  follow(names: ReadonlyArray<string>): void {
    this.begin(names)
    this.#follows = true
  }

  /** True while every choice is recorded. */
  get isRecording(): boolean {
    return this.#isRecording
  }

  /** The reason why the given choices could not be followed. */
  get complaint(): string | undefined {
    return this.#follows ? this.#problem() : undefined
  }

  /** Records every choice of a step; the first ones are given. */
  begin(names: ReadonlyArray<string>): void {
    if (this.#isSearched || this.#follows) return
    this.#remaining = names
    this.#isRecording = true
    this.#offers = 0
    this.#complaint = undefined
  }

  /** Returns the reason why the given choices could not be followed. */
  end(): string | undefined {
    if (this.#isSearched || this.#follows) return undefined
    const problem = this.#problem()
    this.#remaining = []
    this.#isRecording = false
    return problem
  }

  #problem(): string | undefined {
    const [next] = this.#remaining
    return this.#complaint ?? (next === undefined ? undefined : neverAnOption(next, this.#offers))
  }

  readonly choose: Choose = (options, offers) => {
    this.#offers += 1
    const [name, ...rest] = this.#remaining
    const found = name === undefined ? this.#fallback(options, offers) : options.indexOf(name)
    if (found < 0) this.#complaint ??= `${name} was not an option here: the options were ${options.join(", ")}`
    else this.#remaining = rest
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
