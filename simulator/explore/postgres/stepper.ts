/**
 * Decides statement by statement who goes on. One statement is let go; once its answer is there and everything that
 * follows from it has been asked, or once it waits for a lock in Postgres, the next is chosen among those that could go.
 */
import { namesOf } from "../../kernel/choice.ts"
import type { Decide } from "../point.ts"
import type { Gate, GatedConnection } from "./gate.ts"
import { labelOf } from "./wire.ts"

export interface Stepped {
  /** Every statement in the order in which it went, with whoever sent it, and where one began to wait. */
  readonly statements: ReadonlyArray<string>
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
  /** Those of some server processes that wait for a lock. */
  readonly blocked: (processes: ReadonlyArray<number>) => Promise<ReadonlySet<number>>
  /** Who a client acts for. */
  readonly nameOf: (client: number) => string
}

export class Stepper {
  readonly #by: SteppedBy
  readonly #statements: Array<string> = []
  readonly #waiting = new Set<GatedConnection>()
  #decisions = 0
  #waits = 0
  #last: GatedConnection | undefined

  constructor(by: SteppedBy) {
    this.#by = by
  }

  /** Until whatever sends statements is over. */
  async run(isOver: () => boolean): Promise<Stepped> {
    const { gate } = this.#by
    const begun = performance.now()
    let isWhole = true
    while (!isOver()) {
      await this.#settled()
      const ready = [...gate.connections].filter(({ isOut, next }) => !isOut && next !== undefined)
      if (ready.length > 0) this.#letOneGo(ready)
      else await gate.stirred(1)
      if (performance.now() - begun < wholeMax || !gate.isHolding) continue
      isWhole = false
      gate.open()
    }
    return { statements: this.#statements, decisions: this.#decisions, waits: this.#waits, isWhole }
  }

  #letOneGo(ready: ReadonlyArray<GatedConnection>): void {
    // Whoever went last is first, then whoever waits longest: each passed over is a delay.
    const rank = (connection: GatedConnection) => (connection === this.#last ? -1 : connection.waitsSince)
    const inOrder = ready.toSorted((one, other) => rank(one) - rank(other))
    const names = namesOf(inOrder.map(({ client }) => this.#by.nameOf(client)))
    const index = inOrder.length === 1 ? 0 : this.#decided(names)
    const chosen = inOrder[index]
    if (chosen?.next === undefined) throw new RangeError("a choice outside the options")
    this.#statements.push(`${names[index]}: ${labelOf(chosen.next.sql)}`)
    this.#last = chosen
    chosen.letGo()
  }

  #decided(options: ReadonlyArray<string>): number {
    this.#decisions += 1
    const offers = options.map((name) => ({ name }))
    const chosen = this.#by.decide({ kind: "order", options, offers, since: unknown, world: () => "" })
    return chosen === "CUT" ? 0 : chosen
  }

  /** Every statement that went is answered or waits for a lock, and whoever got an answer has asked for what follows. */
  async #settled(): Promise<void> {
    const { gate, blocked } = this.#by
    for (let idle = 0; idle < idleRounds;) {
      const before = gate.activity
      await nextRound()
      idle = gate.activity === before ? idle + 1 : 0
      if (idle < idleRounds) continue
      let out = [...gate.connections].filter(({ isOut }) => isOut)
      if (out.some((connection) => !this.#waiting.has(connection))) await gate.stirred(answerUsual)
      out = out.filter(({ isOut }) => isOut)
      if (gate.activity !== before) {
        idle = 0
        continue
      }
      if (out.length === 0) return this.#waiting.clear()
      const waiting = await blocked(out.map(({ serverProcess }) => serverProcess))
      const isStill = gate.activity === before && out.every(({ serverProcess }) => waiting.has(serverProcess))
      if (!isStill) idle = 0
      else this.#note(out)
    }
  }

  #note(out: ReadonlyArray<GatedConnection>): void {
    for (const connection of out) {
      if (this.#waiting.has(connection)) continue
      this.#waits += 1
      this.#statements.push(`${this.#by.nameOf(connection.client)} waits for a lock`)
      this.#waiting.add(connection)
    }
    for (const connection of this.#waiting) if (!connection.isOut) this.#waiting.delete(connection)
  }
}

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

// A fiber takes a few rounds of the event loop from an answer to what it asks next.
const idleRounds = 12

/** Below what Postgres allows a session to wait for a lock, in milliseconds. */
const wholeMax = 1_800

/** In so many milliseconds an answer is usually there. */
const answerUsual = 3

/** Nothing is known of what statements touch. */
const unknown = { reads: new Set(["*"]), writes: new Set(["*"]), isVisible: true }
