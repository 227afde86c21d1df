/** Injected faults with their target actor, fault point and number of occurrences. */
import { Context } from "effect"
import type { StorageFault, StorageFaultPoint, FaultTarget } from "./storage-faults.ts"

/** The number of the step whose request a fiber handles. */
export const CurrentStep = Context.Reference<number | undefined>("countersign/simulator/CurrentStep", {
  defaultValue: () => undefined
})

/** The operation of the agent API that a fiber handles, if any. */
export const CurrentOperation = Context.Reference<string | undefined>("countersign/simulator/CurrentOperation", {
  defaultValue: () => undefined
})

export type CrashAt = "before-commit" | "after-commit"

/** A fault that a scenario or a search injects. */
export interface Injection {
  /** The target: the actor whose request fails, or the process. */
  readonly of: string
  readonly fault: { readonly database: StorageFault } | { readonly crash: CrashAt } | Loss
  /** The fault point; the commit if absent. */
  readonly at?: StorageFaultPoint["at"]
  /** The table, or the kind of lock; any if absent. */
  readonly in?: string
  /** The number of matching points to skip. */
  readonly skip?: number
  /** The number of occurrences, 1 if absent. */
  readonly times?: number
  /** Limits the fault to requests of this operation; a lost answer is then that of the next one that takes effect. */
  readonly to?: string
  /** Limits the fault to the request of this step. */
  readonly step?: number
}

/** A lost message; `edge` is the status with which an edge answers in place of the service, if any. */
export interface Loss {
  readonly lost: "request" | "answer"
  readonly edge?: number
}

/** The faults of a search, which decides at every matching point. */
export interface SearchedFaults {
  readonly injections: ReadonlyArray<Injection>
  readonly occurs: (injection: Injection, where: string, victim: FaultTarget) => boolean
}

export class ArmedFaults {
  readonly #armed: Array<Armed> = []
  #searched: SearchedFaults = { injections: [], occurs: () => false }

  search(searched: SearchedFaults): void {
    this.#searched = searched
  }

  /** Faults that have not occurred, with the remaining skips and occurrences. */
  get waiting(): ReadonlyArray<readonly [injection: Injection, skip: number, left: number]> {
    return this.#armed.map(({ injection, skip, left }) => [injection, skip, left])
  }

  /** Returns a function that removes the fault and returns whether it has occurred. */
  arm(injection: Injection): () => boolean {
    const { skip = 0, times = 1 } = injection
    const armed: Armed = { injection, skip, left: times, hasOccurred: false }
    this.#armed.push(armed)
    return () => {
      const position = this.#armed.indexOf(armed)
      if (position >= 0) this.#armed.splice(position, 1)
      return armed.hasOccurred
    }
  }

  copyStateFrom(earlier: ArmedFaults): void {
    this.#armed.push(...earlier.#armed.map((armed) => ({ ...armed })))
  }

  /** Removes all armed faults. */
  disarm(): void {
    this.#armed.length = 0
  }

  /** The targets of armed faults that have never occurred. */
  get withoutOccurrence(): ReadonlyArray<string> {
    return this.#armed.filter(({ hasOccurred }) => !hasOccurred).map(({ injection }) => injection.of)
  }

  /** True if a storage fault or crash may occur for this target. */
  hasFaultFor(victim: FaultTarget): boolean {
    const matches = (injection: Injection) => isForTarget(injection, victim) && !("lost" in injection.fault)
    return this.#armed.some(({ injection }) => matches(injection)) || this.#searched.injections.some(matches)
  }

  /** The fault at a point of a transaction. Bookkeeping writes are skipped unless their table is named. */
  takeFault(victim: FaultTarget, point: StorageFaultPoint): StorageFault | CrashAt | undefined {
    const fault = this.#take(victim, [point.at, ...point.what].join(" "), (injection) => {
      const { fault, at = "commit", in: where } = injection
      const matches = where === undefined ? !point.isBookkeeping : point.what.includes(where)
      return isForTarget(injection, victim) && !("lost" in fault) && at === point.at && matches
    })
    if (fault === undefined || "lost" in fault) return undefined
    return "database" in fault ? fault.database : fault.crash
  }

  /** The lost message of the actor's next request, as far as it does not depend on the answer. */
  takeLoss(victim: FaultTarget): Loss | undefined {
    const fault = this.#take(victim, "request", (injection) => {
      const { fault, to } = injection
      return isForTarget(injection, victim) && "lost" in fault && (to === undefined || fault.lost === "request")
    })
    return fault !== undefined && "lost" in fault ? fault : undefined
  }

  /** The loss of the answer to a request that took effect. */
  takeAnswerLoss(victim: FaultTarget): Loss | undefined {
    const fault = this.#take(victim, "answer", (injection) => {
      const { fault, to } = injection
      return isForTarget(injection, victim) && "lost" in fault && fault.lost === "answer" && to !== undefined
    })
    return fault !== undefined && "lost" in fault ? fault : undefined
  }

  #take(
    victim: FaultTarget,
    where: string,
    matches: (injection: Injection) => boolean
  ): Injection["fault"] | undefined {
    for (const armed of this.#armed) {
      if (!matches(armed.injection)) continue
      if (armed.skip > 0) {
        armed.skip -= 1
        continue
      }
      armed.left -= 1
      armed.hasOccurred = true
      if (armed.left === 0) this.#armed.splice(this.#armed.indexOf(armed), 1)
      return armed.injection.fault
    }
    const { injections, occurs } = this.#searched
    return injections.find((injection) => matches(injection) && occurs(injection, where, victim))?.fault
  }
}

const isForTarget = ({ of, step, to }: Injection, victim: FaultTarget): boolean =>
  of === victim.scenarioName &&
  (step === undefined || step === victim.step) &&
  (to === undefined || to === victim.operation)

interface Armed {
  readonly injection: Injection
  skip: number
  left: number
  hasOccurred: boolean
}
