/**
 * Schedules statement by statement. One statement is released; once it is answered and its client has sent the next one,
 * or once it waits for a lock in Postgres, the next is chosen among the held statements and the other pending events:
 * due timers, acts of the operator and the passing of time.
 */
import { type Choose, distinctNames } from "../../kernel/choice.ts"
import type { ScheduledEvent } from "../../kernel/scheduler.ts"
import type { Decider } from "../choice-point.ts"
import type { StatementGate, GatedConnection } from "./statement-gate.ts"
import { statementLabel } from "./wire-protocol.ts"

export interface SteppingResult {
  /** The events in order: every released statement with its actor, every lock wait and every other event. */
  readonly events: ReadonlyArray<string>
  readonly statements: number
  /** The number of choice points with more than one option. */
  readonly decisions: number
  /** The number of statements that waited for a lock. */
  readonly waits: number
  /** False if the run took so long that a real time limit could have affected it; it then ran to its end unscheduled. */
  readonly isWithinTimeLimits: boolean
}

export interface StepperOptions {
  readonly gate: StatementGate
  readonly decide: Decider
  /** The pending events that are no statements, given whether a statement can be released. */
  readonly pendingEvents: (canContinue: boolean) => ReadonlyArray<ScheduledEvent>
  /** Of the given server processes, those that wait for a lock. */
  readonly lockWaiters: (processes: ReadonlyArray<number>) => Promise<ReadonlySet<number>>
  /** The actor of a client. */
  readonly nameOf: (client: number) => string
}

export class StatementStepper {
  readonly #options: StepperOptions
  readonly #events: Array<string> = []
  readonly #waiting = new Set<GatedConnection>()
  #statements = 0
  #decisions = 0
  #waits = 0
  #last: GatedConnection | undefined

  constructor(by: StepperOptions) {
    this.#options = by
  }

  /** The next option while no statement is in flight; first come, first served before statements are held. */
  readonly choose: Choose = (options) => {
    if (!this.#options.gate.isHolding) return 0
    const index = this.#decided(options)
    this.#events.push(options[index]!)
    return index
  }

  /** Schedules until the senders of statements have ended. */
  async run(isOver: () => boolean): Promise<SteppingResult> {
    const { gate } = this.#options
    const startedAt = performance.now()
    let isWhole = true
    while (!isOver()) {
      await this.#settled()
      const possible = this.#possible()
      if (possible.length > 0) this.#runOne(possible)
      else await gate.nextActivity(1)
      if (!gate.isHolding || !this.#isLate(startedAt)) continue
      isWhole = false
      gate.open()
    }
    return {
      events: this.#events,
      statements: this.#statements,
      decisions: this.#decisions,
      waits: this.#waits,
      isWithinTimeLimits: isWhole
    }
  }

  #isLate(startedAt: number): boolean {
    const now = performance.now()
    return now - startedAt > wholeMax || this.#out.some(({ outSince }) => now - outSince > waitMax)
  }

  #possible(): ReadonlyArray<ScheduledEvent> {
    const { gate, nameOf, pendingEvents } = this.#options
    if (!gate.isHolding) return []
    const ready = [...gate.connections].filter(({ isOut, next }) => !isOut && next !== undefined)
    // The last released connection comes first, then the longest waiting one: each one passed over is a delay.
    const rank = (connection: GatedConnection) => (connection === this.#last ? -1 : connection.waitsSince)
    const statements = ready
      .toSorted((one, other) => rank(one) - rank(other))
      .map((connection) => ({ name: nameOf(connection.client), run: () => this.#letGo(connection) }))
    return [...statements, ...pendingEvents(statements.length > 0)]
  }

  #runOne(possible: ReadonlyArray<ScheduledEvent>): void {
    const names = distinctNames(possible.map(({ name }) => name))
    const index = names.length === 1 ? 0 : this.#decided(names)
    this.#events.push(names[index]!)
    possible[index]!.run()
  }

  #decided(options: ReadonlyArray<string>): number {
    this.#decisions += 1
    const offers = options.map(() => ({}))
    const chosen = this.#options.decide({ kind: "order", options, offers, footprint: unknown, stateHash: () => "" })
    return chosen === "CUT" ? 0 : chosen
  }

  #letGo(connection: GatedConnection): void {
    this.#events.push(`${this.#events.pop()}: ${statementLabel(connection.next?.sql ?? "")}`)
    this.#statements += 1
    this.#last = connection
    connection.releaseNext()
  }

  /** Resolves once every released statement is answered or waits for a lock, and every client has sent its next one. */
  async #settled(): Promise<void> {
    const { gate, lockWaiters } = this.#options
    for (;;) {
      await gate.eventLoopIdle()
      const before = gate.activity
      if (this.#out.some((connection) => !this.#waiting.has(connection))) await gate.nextActivity(answerUsual)
      if (gate.activity !== before) continue
      const out = this.#out
      if (out.length === 0) return this.#waiting.clear()
      const waiting = await lockWaiters(out.map(({ serverProcess }) => serverProcess))
      if (gate.activity !== before || !out.every(({ serverProcess }) => waiting.has(serverProcess))) continue
      return this.#recordWaits(out)
    }
  }

  get #out(): ReadonlyArray<GatedConnection> {
    return [...this.#options.gate.connections].filter(({ isOut }) => isOut)
  }

  #recordWaits(out: ReadonlyArray<GatedConnection>): void {
    for (const connection of out) {
      if (this.#waiting.has(connection)) continue
      this.#waits += 1
      this.#events.push(`${this.#options.nameOf(connection.client)} waits for a lock`)
      this.#waiting.add(connection)
    }
    for (const connection of this.#waiting) if (!connection.isOut) this.#waiting.delete(connection)
  }
}

/** Below what Postgres allows a session to be idle in a transaction, in milliseconds. */
const wholeMax = 4_500

/** Below what it allows a session to wait for a lock. */
const waitMax = 1_800

/** Most answers arrive within so many milliseconds; lock waits are queried only after that. */
const answerUsual = 2

/** The footprint of statements is unknown. */
const unknown = { reads: new Set(["*"]), writes: new Set(["*"]), isVisible: true }
