/**
 * One way in which a script can go from the point where orders are searched: who went first at each choice, by name, and
 * what went wrong. What is saved of a run, and all that is needed to have it again.
 */
import type { Visit } from "../callbacks/visit.ts"
import type { Injection } from "../faults/armed.ts"
import type { StepForm } from "../script/format.ts"
import { injectionOf } from "../script/unrolled.ts"

export interface Schedule {
  /** Who went first, at each choice up to the last at which it was not whoever asked first. */
  readonly choices: ReadonlyArray<string>
  /** Each says how many points at which it could have struck were passed over. */
  readonly faults: ReadonlyArray<Injection>
  /** What became of the attempts to call each receiver back, up to the last that a search made something of. */
  readonly visits: ReadonlyMap<string, ReadonlyArray<Visit>>
}

/** How much there is to it: what shrinking makes less. */
export const sizeOf = ({ choices, faults, visits }: Schedule): number =>
  choices.length + faults.length + [...visits.values()].flat().filter(isSomething).length

const isSomething = (visit: Visit): boolean => Object.keys(visit).length > 0

/** What goes wrong, as steps say it right after the one from which orders are searched, and what a receiver does else. */
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
      ...(isSomething(otherwiseOf(receiver)) ? { otherwise: otherwiseOf(receiver) } : {})
    }
  }))
]
