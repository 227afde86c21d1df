/** The payment provider of a world behind the service's port: each call is a choice point, and its answer is observed. */
import { Clock, Context, Effect, Result } from "effect"
import type { PaymentProvider, Readback } from "../../src/ports/payments.ts"
import { components } from "../../src/vocabulary/payments.ts"
import { Actor } from "../kernel/actor.ts"
import { CurrentHistory } from "../kernel/fiber-history.ts"
import type { VirtualScheduler } from "../kernel/scheduler.ts"
import type { PaymentCall } from "../observation/observation.ts"
import type { Recorder } from "../observation/recorder.ts"
import { simulatedPayments, SimulatedProvider, type ProviderCondition } from "../payments/layer.ts"
import { durationInMilliseconds } from "../vocabulary/duration.ts"
import type { Json } from "../vocabulary/json.ts"
import type { Process } from "./processes/process.ts"

export class WorldPayments {
  readonly provider = new SimulatedProvider()
  /** Lets a search replace the condition under which the provider answers one call; the identity by default. */
  chooseCondition: (call: PaymentCall, scripted: ProviderCondition) => ProviderCondition = (_, scripted) => scripted
  readonly #recorder: Recorder
  readonly #scheduler: VirtualScheduler
  readonly #currencies: ReadonlyArray<string> | undefined

  constructor(recorder: Recorder, scheduler: VirtualScheduler, currencies: ReadonlyArray<string> | undefined) {
    this.#recorder = recorder
    this.#scheduler = scheduler
    this.#currencies = currencies
  }

  copyStateFrom(earlier: WorldPayments): void {
    this.provider.copyStateFrom(earlier.provider)
  }

  /** Everything that determines the provider's later answers. */
  get memory(): ReadonlyArray<unknown> {
    const { state, earlier, condition, next } = this.provider
    return [state, earlier, condition, next]
  }

  /** The port of one process. A process that has crashed gets no answer. */
  portOf(process: Process): PaymentProvider {
    const { provider, environment, currencies, authenticate } = simulatedPayments(this.provider, this.#currencies)
    const call = <A, E extends { readonly _tag: string }>(
      name: PaymentCall,
      on: string,
      ask: (payments: PaymentProvider) => Effect.Effect<A, E>,
      summary: (answer: A) => Json
    ) => process.whileAlive(this.#observed(name, on, ask, summary))
    return {
      kind: "PROVIDER",
      provider,
      environment,
      currencies,
      openRecipientAccount: (organizationId, returnUrl) =>
        call(
          "openRecipientAccount",
          organizationId,
          (payments) => payments.openRecipientAccount(organizationId, returnUrl),
          ({ accountId }) => accountId
        ),
      readRecipientAccount: (accountId, returnUrl) =>
        call(
          "readRecipientAccount",
          accountId,
          (payments) => payments.readRecipientAccount(accountId, returnUrl),
          ({ payable }) => (payable ? "PAYABLE" : "NOT_PAYABLE")
        ),
      openCheckout: (request) =>
        call(
          "openCheckout",
          request.commerceOrderId,
          (payments) => payments.openCheckout(request),
          ({ checkoutId }) => checkoutId
        ),
      readBack: (request) =>
        call("readBack", request.binding.commerceOrderId, (payments) => payments.readBack(request), summaryOf),
      authenticate
    }
  }

  readonly #observed = Effect.fnUntraced(function* <A, E extends { readonly _tag: string }>(
    this: WorldPayments,
    call: PaymentCall,
    on: string,
    ask: (payments: PaymentProvider) => Effect.Effect<A, E>,
    summary: (answer: A) => Json
  ) {
    yield* this.#scheduler.park(call)
    const condition = this.chooseCondition(call, this.provider.nextCondition())
    const payments = simulatedPayments(this.provider, this.#currencies, () => condition)
    // The provider's clock has no offset.
    const clock = Context.get(this.#scheduler.context, Clock.Clock)
    const answered = yield* Effect.result(Effect.provideService(ask(payments), Clock.Clock, clock))
    const answer = Result.match(answered, { onSuccess: summary, onFailure: ({ _tag }): Json => _tag })
    const fault = faultOf(call, condition)
    const history = yield* CurrentHistory
    history?.record([call, on, answered])
    this.#recorder.observe(
      { kind: "payments", actor: yield* Actor, call, on, answer, ...(fault === undefined ? {} : { fault }) },
      { ofProvider: this.provider.state, ...(isReadback(call, answered) ? { ofReadback: answered.success } : {}) }
    )
    // What happens at the provider meanwhile is not in the answer.
    const { arrivesAfter } = condition
    if (arrivesAfter !== undefined) yield* Effect.sleep(durationInMilliseconds(arrivesAfter))
    return yield* Effect.fromResult(answered)
  })
}

const isReadback = (
  call: PaymentCall,
  answered: Result.Result<unknown, unknown>
): answered is Result.Success<Readback, never> => call === "readBack" && Result.isSuccess(answered)

/** By component: the number of entities, or why it was not read. */
const summaryOf = (readback: Readback): Json =>
  Object.fromEntries(
    components.map((component) => {
      const read = readback[component]
      return [component, read.outcome === "READ" ? read.entities.length : read.reason]
    })
  )

/** How the condition made the answer to a call differ, in one word. */
const faultOf = (call: PaymentCall, condition: ProviderCondition): string | undefined => {
  const { availability = "WORKING", arrivesAfter, losesOpenings, refusesOpenings, readbacks } = condition
  if (availability === "DOWN" || availability === "REFUSING") return availability
  if (call === "openCheckout" && refusesOpenings === true) return "REFUSING"
  if (call === "openCheckout" && losesOpenings === true) return "LOST"
  if (call === "readBack" && readbacks !== undefined) return readbacks === "STALE" ? readbacks : readbacks.fault
  return availability === "SLOW" || arrivesAfter !== undefined ? "SLOW" : undefined
}
