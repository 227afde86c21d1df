/**
 * Decides statement by statement who goes on. One statement is let go; once its answer is there and everything that
 * follows from it has been asked, or once it waits for a lock in Postgres, the next is chosen among those that could go,
 * and what could happen beside them: a timer that is due, what an operator does, a moment that passes.
 */
import { type Choose, namesOf } from "../../kernel/choice.ts"
import type { Option } from "../../kernel/kernel.ts"
import type { Decide } from "../point.ts"
import type { Gate, GatedConnection } from "./gate.ts"
import { labelOf } from "./wire.ts"

export interface Stepped {
  /** Every statement in the order in which it went, with whoever sent it, where one waited, and what happened beside them. */
  readonly happened: ReadonlyArray<string>
  readonly statements: number
  /** At how many of them there was somebody else who could have gone. */
  readonly decisions: number
  /** How many of them waited for a lock. */
  readonly waits: number
  /** False where it took so long that limits of real time could have had a part in it: then it went on by itself. */
  readonly isWhole: boolean
}

export interface SteppedBy {
  readonly gate: Gate
  readonly decide: Decide
  /** What could happen that is no statement, where a statement could go or none. */
  readonly beside: (couldGo: boolean) => ReadonlyArray<Option>
  /** Those of some server processes that wait for a lock. */
  readonly blocked: (processes: ReadonlyArray<number>) => Promise<ReadonlySet<number>>
  /** Who a client acts for. */
  readonly nameOf: (client: number) => string
}

export class Stepper {
  readonly #by: SteppedBy
  readonly #happened: Array<string> = []
  readonly #waiting = new Set<GatedConnection>()
  #statements = 0
  #decisions = 0
  #waits = 0
  #last: GatedConnection | undefined

  constructor(by: SteppedBy) {
    this.#by = by
  }

  /** Who goes first where no statement is under way. Before anything is held, that is whoever asked first. */
  readonly choose: Choose = (options) => {
    if (!this.#by.gate.isHolding) return 0
    const index = this.#decided(options)
    this.#happened.push(options[index]!)
    return index
  }

  /** Until whatever sends statements is over. */
  async run(isOver: () => boolean): Promise<Stepped> {
    const { gate } = this.#by
    const begun = performance.now()
    let isWhole = true
    while (!isOver()) {
      await this.#settled()
      const possible = this.#possible()
      if (possible.length > 0) this.#happenOne(possible)
      else await gate.stirred(1)
      if (!gate.isHolding || !this.#isLate(begun)) continue
      isWhole = false
      gate.open()
    }
    return {
      happened: this.#happened,
      statements: this.#statements,
      decisions: this.#decisions,
      waits: this.#waits,
      isWhole
    }
  }

  #isLate(begun: number): boolean {
    const now = performance.now()
    return now - begun > wholeMax || this.#out.some(({ outSince }) => now - outSince > waitMax)
  }

  #possible(): ReadonlyArray<Option> {
    const { gate, nameOf, beside } = this.#by
    if (!gate.isHolding) return []
    const ready = [...gate.connections].filter(({ isOut, next }) => !isOut && next !== undefined)
    // Whoever went last is first, then whoever waits longest: each passed over is a delay.
    const rank = (connection: GatedConnection) => (connection === this.#last ? -1 : connection.waitsSince)
    const statements = ready
      .toSorted((one, other) => rank(one) - rank(other))
      .map((connection) => ({ name: nameOf(connection.client), happen: () => this.#letGo(connection) }))
    return [...statements, ...beside(statements.length > 0)]
  }

  #happenOne(possible: ReadonlyArray<Option>): void {
    const names = namesOf(possible.map(({ name }) => name))
    const index = names.length === 1 ? 0 : this.#decided(names)
    this.#happened.push(names[index]!)
    possible[index]!.happen()
  }

  #decided(options: ReadonlyArray<string>): number {
    this.#decisions += 1
    const offers = options.map((name) => ({ name }))
    const chosen = this.#by.decide({ kind: "order", options, offers, since: unknown, world: () => "" })
    return chosen === "CUT" ? 0 : chosen
  }

  #letGo(connection: GatedConnection): void {
    this.#happened.push(`${this.#happened.pop()}: ${labelOf(connection.next?.sql ?? "")}`)
    this.#statements += 1
    this.#last = connection
    connection.letGo()
  }

  /** Every statement that went is answered or waits for a lock, and whoever got an answer has asked for what follows. */
  async #settled(): Promise<void> {
    const { gate, blocked } = this.#by
    for (;;) {
      await gate.rested()
      const before = gate.activity
      if (this.#out.some((connection) => !this.#waiting.has(connection))) await gate.stirred(answerUsual)
      if (gate.activity !== before) continue
      const out = this.#out
      if (out.length === 0) return this.#waiting.clear()
      const waiting = await blocked(out.map(({ serverProcess }) => serverProcess))
      if (gate.activity !== before || !out.every(({ serverProcess }) => waiting.has(serverProcess))) continue
      return this.#note(out)
    }
  }

  get #out(): ReadonlyArray<GatedConnection> {
    return [...this.#by.gate.connections].filter(({ isOut }) => isOut)
  }

  #note(out: ReadonlyArray<GatedConnection>): void {
    for (const connection of out) {
      if (this.#waiting.has(connection)) continue
      this.#waits += 1
      this.#happened.push(`${this.#by.nameOf(connection.client)} waits for a lock`)
      this.#waiting.add(connection)
    }
    for (const connection of this.#waiting) if (!connection.isOut) this.#waiting.delete(connection)
  }
}

/** Below what Postgres allows a session to be idle in a transaction, in milliseconds. */
const wholeMax = 4_500

/** Below what it allows a session to wait for a lock. */
const waitMax = 1_800

/** In so many milliseconds an answer is usually there: only then it is asked whether it waits. */
const answerUsual = 2

/** Nothing is known of what statements touch. */
const unknown = { reads: new Set(["*"]), writes: new Set(["*"]), isVisible: true }
