/** Faults that wait for their moment: which actor they are for, at which point they strike, and how often. */
import { Context } from "effect"
import type { StorageFault, StrikePoint, Victim } from "./storage-faults.ts"

/** The number of the step whose request a fiber answers. */
export const InStep = Context.Reference<number | undefined>("countersign/simulator/InStep", {
  defaultValue: () => undefined
})

export type CrashAt = "before-commit" | "after-commit"

/** What a script injects, beside the loss of a request or an answer. */
export interface Injection {
  /** Who it is for: the party whose request it strikes, or the process. */
  readonly of: string
  readonly fault: { readonly database: StorageFault } | { readonly crash: CrashAt } | { readonly lost: Lost }
  /** Where it strikes; at the commit where absent. */
  readonly at?: StrikePoint["at"]
  /** The table that is read or written, or the kind of root that is locked; any where absent. */
  readonly in?: string
  /** How many such points are passed over first. */
  readonly skip?: number
  /** How often it strikes, once where absent. */
  readonly times?: number
  /** The step whose own request it strikes, and nothing else. */
  readonly step?: number
}

export type Lost = "request" | "answer"

/** What a search lets go wrong: asked at every point at which it could. */
export interface SearchedFaults {
  readonly injections: ReadonlyArray<Injection>
  readonly strikes: (injection: Injection, where: string, victim: Victim) => boolean
}

export class ArmedFaults {
  readonly #armed: Array<Armed> = []
  #searched: SearchedFaults = { injections: [], strikes: () => false }

  search(searched: SearchedFaults): void {
    this.#searched = searched
  }

  /** What still waits, and how long it will. */
  get waiting(): ReadonlyArray<readonly [injection: Injection, skip: number, left: number]> {
    return this.#armed.map(({ injection, skip, left }) => [injection, skip, left])
  }

  /** Returns how to take it back; true where it has struck by then. */
  arm(injection: Injection): () => boolean {
    const { skip = 0, times = 1 } = injection
    const armed: Armed = { injection, skip, left: times, hasStruck: false }
    this.#armed.push(armed)
    return () => {
      const position = this.#armed.indexOf(armed)
      if (position >= 0) this.#armed.splice(position, 1)
      return armed.hasStruck
    }
  }

  takeOver(earlier: ArmedFaults): void {
    this.#armed.push(...earlier.#armed.map((armed) => ({ ...armed })))
  }

  /** From now on nothing strikes that waits now. */
  disarm(): void {
    this.#armed.length = 0
  }

  /** For whom something still waits that has never struck. */
  get untouched(): ReadonlyArray<string> {
    return this.#armed.filter(({ hasStruck }) => !hasStruck).map(({ injection }) => injection.of)
  }

  /** True where something waits for them around the store. */
  waitsFor(victim: Victim): boolean {
    const strikes = (injection: Injection) => isFor(injection, victim) && !("lost" in injection.fault)
    return this.#armed.some(({ injection }) => strikes(injection)) || this.#searched.injections.some(strikes)
  }

  /** What strikes at a point of a transaction. A note that somebody was there is passed over unless it is named. */
  strike(victim: Victim, point: StrikePoint): StorageFault | CrashAt | undefined {
    const fault = this.#take(victim, [point.at, ...point.what].join(" "), (injection) => {
      const { fault, at = "commit", in: where } = injection
      const isMeant = where === undefined ? !point.isNote : point.what.includes(where)
      return isFor(injection, victim) && !("lost" in fault) && at === point.at && isMeant
    })
    if (fault === undefined || "lost" in fault) return undefined
    return "database" in fault ? fault.database : fault.crash
  }

  /** What is lost of the next request of an actor. */
  loss(victim: Victim): Lost | undefined {
    const fault = this.#take(victim, "request", (injection) => isFor(injection, victim) && "lost" in injection.fault)
    return fault !== undefined && "lost" in fault ? fault.lost : undefined
  }

  #take(victim: Victim, where: string, isMeant: (injection: Injection) => boolean): Injection["fault"] | undefined {
    for (const armed of this.#armed) {
      if (!isMeant(armed.injection)) continue
      if (armed.skip > 0) {
        armed.skip -= 1
        continue
      }
      armed.left -= 1
      armed.hasStruck = true
      if (armed.left === 0) this.#armed.splice(this.#armed.indexOf(armed), 1)
      return armed.injection.fault
    }
    const { injections, strikes } = this.#searched
    return injections.find((injection) => isMeant(injection) && strikes(injection, where, victim))?.fault
  }
}

const isFor = ({ of, step }: Injection, victim: Victim): boolean =>
  of === victim.called && (step === undefined || step === victim.step)

interface Armed {
  readonly injection: Injection
  skip: number
  left: number
  hasStruck: boolean
}
