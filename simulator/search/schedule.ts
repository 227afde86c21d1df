/**
 * One schedule of a script from its explore step on: the choice at each choice point, by name, and the injected faults.
 * It is saved with a run and determines its replay.
 */
import type { AttemptScript } from "../environment/webhook-receivers/attempt-script.ts"
import type { ProviderCondition } from "../payments/layer.ts"
import { paymentProvider } from "../scenario/format/check-context.ts"
import { asJson } from "../vocabulary/json.ts"
import type { Injection } from "../environment/faults/armed-faults.ts"
import type { StepForm } from "../scenario/format/scenario-form.ts"
import { injectionForm } from "../scenario/format/unroll.ts"

export interface Schedule {
  /** The choices up to the last one that deviates from first come, first served. */
  readonly choices: ReadonlyArray<string>
  /** Each with the number of earlier points at which it could have been injected. */
  readonly faults: ReadonlyArray<Injection>
  /** The behavior of each receiver at its delivery attempts, up to the last one that the search changed. */
  readonly visits: ReadonlyMap<string, ReadonlyArray<AttemptScript>>
  /** The condition of the payment provider at its calls, up to the last one that the search changed. */
  readonly calls: ReadonlyArray<ProviderCondition>
}

/** The size of a schedule, which minimization reduces. */
export const scheduleSize = ({ choices, faults, visits, calls }: Schedule): number =>
  choices.length + faults.length + [...[...visits.values()].flat(), ...calls].filter(isChanged).length

const isChanged = (visit: AttemptScript | ProviderCondition): boolean => Object.keys(visit).length > 0

/** The faults as steps that directly follow the explore step, with the default behavior of each receiver and the provider. */
export const faultSteps = (
  { faults, visits, calls }: Schedule,
  otherwiseOf: (receiver: string) => AttemptScript,
  condition: ProviderCondition = {}
): ReadonlyArray<StepForm> => [
  ...faults.map((injection): StepForm => ({ inject: injectionForm(injection) })),
  ...[...visits].map(([receiver, next]): StepForm => ({
    as: "operator",
    do: "setReceiver",
    input: {
      receiver,
      next: [...next],
      ...(isChanged(otherwiseOf(receiver)) ? { otherwise: otherwiseOf(receiver) } : {})
    }
  })),
  ...(calls.length === 0
    ? []
    : [{ as: paymentProvider, do: "setPaymentProvider", input: asJson({ ...condition, next: calls }) }])
]
