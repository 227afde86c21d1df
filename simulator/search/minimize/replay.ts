/** Replays a schedule: strictly, or as closely as possible after another part of the run was changed. */
import type { Decider } from "../choice-point.ts"

/**
 * `STRICT`: each name must be offered at its position. `BY_NAME`: the first remaining name that is offered.
 * `BY_POSITION`: the name at the position; first come, first served if there is none or it is not offered.
 */
export interface ReplaySchedule {
  readonly names: ReadonlyArray<string | undefined>
  readonly how: "STRICT" | "BY_NAME" | "BY_POSITION"
}

/** One order choice of a run. */
export interface RecordedChoice {
  readonly options: ReadonlyArray<string>
  readonly chosen: string
}

/** The first choice at which a run differs from its schedule. */
export interface Divergence {
  /** From 1. */
  readonly choice: number
  readonly wanted: string
  /** Empty if the run had no such choice. */
  readonly offered: ReadonlyArray<string>
}

export class ScheduleReplay {
  readonly made: Array<RecordedChoice> = []
  #divergence: Divergence | undefined
  readonly #wanted: ReplaySchedule
  #position = 0

  constructor(wanted: ReplaySchedule) {
    this.#wanted = wanted
  }

  /** Faults are injected by steps, so no further fault is chosen. */
  readonly decide: Decider = ({ kind, options }) => {
    if (kind === "fault") return 0
    const index = this.#indexIn(options)
    const chosen = options[index]
    if (chosen === undefined) return "CUT"
    this.made.push({ options, chosen })
    return index
  }

  /** Undefined if every name was chosen at its position. */
  get divergence(): Divergence | undefined {
    if (this.#divergence !== undefined || this.#wanted.how !== "STRICT") return this.#divergence
    const next = this.#wanted.names[this.#position]
    return next === undefined ? undefined : { choice: this.#position + 1, wanted: next, offered: [] }
  }

  /** The choices up to the last deviation. */
  get needed(): ReadonlyArray<RecordedChoice> {
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

/** True if the choice deviates from first come, first served. */
export const isDeviation = ({ options, chosen }: RecordedChoice): boolean => options[0] !== chosen
