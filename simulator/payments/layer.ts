/** The simulated provider behind the service's port: the state machine with its availability and the faults of its answers. */
import { Effect, Result, Schema } from "effect"
import { failedReadback } from "../../src/ports/payment-readback.ts"
import {
  NotificationInvalid,
  ProviderRefused,
  ProviderUnavailable,
  type PaymentProvider,
  type Readback
} from "../../src/ports/payments.ts"
import { now, type Instant } from "../../src/vocabulary/instant.ts"
import { isDuration } from "../vocabulary/duration.ts"
import { performAct, type ProviderAct } from "./acts.ts"
import { answerAbout, readbackFrom, AnswerFault } from "./answers.ts"
import { authenticate } from "./notification.ts"
import {
  accountNamed,
  emptyProvider,
  openAccount,
  openCheckout,
  simulatedEnvironment,
  type ProviderState,
  type SimulatedRefusal
} from "./provider.ts"

/** Whether and how the provider answers; it works by default. */
export const ProviderCondition = Schema.Struct({
  availability: Schema.optionalKey(Schema.Literals(["WORKING", "DOWN", "SLOW", "REFUSING"])),
  /** Openings take effect, and their answers are lost; or they alone are refused. */
  losesOpenings: Schema.optionalKey(Schema.Boolean),
  refusesOpenings: Schema.optionalKey(Schema.Boolean),
  /** How long an answer takes to arrive; it states what was true when it was given. */
  arrivesAfter: Schema.optionalKey(
    Schema.String.check(Schema.makeFilter((text) => isDuration(text), { expected: "a span of time such as 4s" }))
  ),
  /** Readbacks are answered as before the last act, or wrongly. */
  readbacks: Schema.optionalKey(
    Schema.Union([Schema.Literal("STALE"), AnswerFault]).annotate({
      expected: "STALE, or a map with fault; component-fails and unknown-word also name a component"
    })
  )
})
export type ProviderCondition = typeof ProviderCondition.Type

/** The conditions of the next calls, in their order; those after them are answered under the condition itself. */
export const PlannedCondition = Schema.Struct({
  ...ProviderCondition.fields,
  next: Schema.optionalKey(Schema.Array(ProviderCondition))
})

/** One provider, shared by all processes of a world. */
export class SimulatedProvider {
  condition: ProviderCondition = {}
  /** The conditions of the next calls. */
  next: ReadonlyArray<ProviderCondition> = []
  #state: ProviderState = emptyProvider
  #earlier: ProviderState = emptyProvider

  get state(): ProviderState {
    return this.#state
  }

  /** The state before the last act. */
  get earlier(): ProviderState {
    return this.#earlier
  }

  /** The condition of a call that begins now. */
  nextCondition(): ProviderCondition {
    const [planned = this.condition, ...rest] = this.next
    this.next = rest
    return planned
  }

  /** Performs an act, or says why it is impossible. */
  perform(act: ProviderAct, at: Instant): Result.Result<void, SimulatedRefusal> {
    return Result.map(performAct(this.#state, act, at), (state) => {
      this.#earlier = this.#state
      this.#state = state
    })
  }

  /** Replaces the state by that after a request of the service, which makes no earlier answer stale. */
  change(state: ProviderState): void {
    this.#state = state
  }

  copyStateFrom(other: SimulatedProvider): void {
    this.condition = other.condition
    this.next = other.next
    this.#state = other.#state
    this.#earlier = other.#earlier
  }
}

export const simulatedCurrencies: ReadonlyArray<string> = ["EUR", "USD", "JPY"]

/** The port over a provider; `condition` is read at each call. */
export const simulatedPayments = (
  provider: SimulatedProvider,
  currencies: ReadonlyArray<string> = simulatedCurrencies,
  condition: () => ProviderCondition = () => provider.condition
): PaymentProvider => ({
  kind: "PROVIDER",
  provider: "SIMULATED",
  environment: simulatedEnvironment,
  currencies,
  openRecipientAccount: (organizationId, returnUrl) =>
    whenAvailable(condition(), () => {
      const [state, { accountId }] = openAccount(provider.state, organizationId)
      provider.change(state)
      return Effect.succeed({ accountId, onboardingUrl: onboardingUrl(accountId, returnUrl) })
    }),
  readRecipientAccount: (accountId, returnUrl) =>
    whenAvailable(condition(), () => {
      const account = accountNamed(provider.state, accountId)
      if (account === undefined) return new ProviderRefused({ reason: "no such account" })
      const { isPayable } = account
      return Effect.succeed({
        payable: isPayable,
        onboardingUrl: isPayable ? null : onboardingUrl(accountId, returnUrl)
      })
    }),
  openCheckout: (request) =>
    whenAvailable(condition(), (at) => {
      if (condition().refusesOpenings === true) return new ProviderRefused({ reason: "refusing" })
      if (!currencies.includes(request.currency)) return new ProviderRefused({ reason: "no such currency" })
      const opened = openCheckout(provider.state, request, at)
      if (Result.isFailure(opened)) return new ProviderRefused(opened.failure)
      const [state, checkoutId] = opened.success
      provider.change(state)
      return condition().losesOpenings === true
        ? new ProviderUnavailable({ reason: "the answer was lost" })
        : Effect.succeed({ checkoutId, url: `${site}/checkouts/${checkoutId}` })
    }),
  readBack: ({ checkoutId }) =>
    whenAvailable(condition(), (at) => {
      const { readbacks } = condition()
      return Effect.succeed(
        readbacks === "STALE"
          ? readbackFrom(answerAbout(provider.earlier, checkoutId, at))
          : readbackFrom(answerAbout(provider.state, checkoutId, at), readbacks)
      )
    }).pipe(
      Effect.catchTags({
        ProviderUnavailable: (): Effect.Effect<Readback> => Effect.succeed(failedReadback("PROVIDER_UNAVAILABLE")),
        ProviderRefused: (): Effect.Effect<Readback> => Effect.succeed(failedReadback("PROVIDER_REFUSED"))
      })
    ),
  authenticate: (rawBody, headers, receivedAt) =>
    Effect.mapError(
      Effect.fromResult(authenticate({ rawBody, headers }, receivedAt)),
      ({ reason }) => new NotificationInvalid({ reason })
    )
})

/** The answer of an available provider, at the time at which it answers. */
const whenAvailable = <A>(
  { availability = "WORKING" }: ProviderCondition,
  answer: (at: Instant) => Effect.Effect<A, ProviderUnavailable | ProviderRefused>
): Effect.Effect<A, ProviderUnavailable | ProviderRefused> => {
  switch (availability) {
    case "DOWN":
      return Effect.fail(new ProviderUnavailable({ reason: "down" }))
    case "REFUSING":
      return Effect.fail(new ProviderRefused({ reason: "refusing" }))
    case "SLOW":
      return Effect.andThen(Effect.sleep(slowAnswer), Effect.flatMap(now, answer))
    case "WORKING":
      return Effect.flatMap(now, answer)
  }
}

const slowAnswer = "10 seconds"
const site = "https://payments.simulated.test"

const onboardingUrl = (accountId: string, returnUrl: string): string =>
  `${site}/onboarding/${accountId}?return=${encodeURIComponent(returnUrl)}`
