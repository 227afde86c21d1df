/**
 * One schedule of a script from its explore step on: the choice at each choice point, by name, and the injected faults.
 * It is saved with a run and determines its replay.
 */
import type { Visit } from "../callbacks/visit.ts"
import type { Injection } from "../faults/armed.ts"
import type { StepForm } from "../script/format.ts"
import { injectionOf } from "../script/unrolled.ts"

export interface Schedule {
  /** The choices up to the last one that deviates from first come, first served. */
  readonly choices: ReadonlyArray<string>
  /** Each with the number of earlier points at which it could have been injected. */
  readonly faults: ReadonlyArray<Injection>
  /** The behavior of each receiver at its delivery attempts, up to the last one that the search changed. */
  readonly visits: ReadonlyMap<string, ReadonlyArray<Visit>>
}

/** The size of a schedule, which minimization reduces. */
export const sizeOf = ({ choices, faults, visits }: Schedule): number =>
  choices.length + faults.length + [...visits.values()].flat().filter(isChanged).length

const isChanged = (visit: Visit): boolean => Object.keys(visit).length > 0

/** The faults as steps that directly follow the explore step, and the default behavior of each receiver. */
export const stepsFor = (
  { faults, visits }: Schedule,
  otherwiseOf: (receiver: string) => Visit
): ReadonlyArray<StepForm> => [
  ...faults.map((injection): StepForm => ({ inject: injectionOf(injection) })),
  ...[...visits].map(([receiver, next]): StepForm => ({
    as: "operator",
    do: "setReceiver",
    input: {
      receiver,
      next: [...next],
      ...(isChanged(otherwiseOf(receiver)) ? { otherwise: otherwiseOf(receiver) } : {})
    }
  }))
]
