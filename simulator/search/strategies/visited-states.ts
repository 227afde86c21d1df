/** The visited states of a search, by state hash, each with its sleep set. */
export class VisitedStates {
  readonly #visited = new Map<string, ReadonlySet<string>>()
  readonly #log: Array<Visit> = []
  readonly #known: Pick<VisitedStates, "sleepSetAt"> | undefined

  /** `known`: states that were visited before, and that stay unchanged. */
  constructor(known?: Pick<VisitedStates, "sleepSetAt">) {
    this.#known = known
  }

  get size(): number {
    return this.#visited.size
  }

  /** All visits in order, as plain data. */
  get log(): ReadonlyArray<Visit> {
    return this.#log
  }

  sleepSetAt(state: string): ReadonlySet<string> | undefined {
    return this.#visited.get(state) ?? this.#known?.sleepSetAt(state)
  }

  /** False if nothing is left to try at the state. */
  visit(state: string, sleepSet: ReadonlySet<string>): boolean {
    const before = this.sleepSetAt(state)
    // Transitions that slept then were not tried from here; if all of them sleep now, none is left to try.
    if (before !== undefined && [...before].every((one) => sleepSet.has(one))) return false
    this.note([state, before === undefined ? sleepSet : new Set([...before].filter((one) => sleepSet.has(one)))])
    return true
  }

  note(visit: Visit): void {
    this.#visited.set(...visit)
    this.#log.push(visit)
  }
}

export type Visit = readonly [state: string, sleepSet: ReadonlySet<string>]
