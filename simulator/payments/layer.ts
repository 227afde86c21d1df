/** The simulated provider behind the service's port: the state machine with its availability and the faults of its answers. */
import { Effect, Result } from "effect"
import { failedWhole } from "../../src/ports/payment-readback.ts"
import {
  NotificationInvalid,
  ProviderRefused,
  ProviderUnavailable,
  type PaymentProvider,
  type Readback
} from "../../src/ports/payments.ts"
import { now, type Instant } from "../../src/vocabulary/instant.ts"
import { performAct, type ProviderAct } from "./acts.ts"
import { answerAbout, readbackFrom, type AnswerFault } from "./answers.ts"
import { authenticate } from "./notification.ts"
import {
  accountNamed,
  emptyProvider,
  openAccount,
  openCheckout,
  simulatedEnvironment,
  type ProviderState,
  type Refused
} from "./provider.ts"

/** Whether and how the provider answers. */
export interface ProviderCondition {
  readonly availability: "WORKING" | "DOWN" | "SLOW" | "REFUSING"
  /** Openings take effect, and their answers are lost. */
  readonly losesOpenings?: boolean
  /** Readbacks are answered as before the last act, or wrongly. */
  readonly readbacks?: "STALE" | AnswerFault
}

const working: ProviderCondition = { availability: "WORKING" }

/** One provider, shared by all processes of a world. */
export class SimulatedProvider {
  condition: ProviderCondition = working
  #state: ProviderState = emptyProvider
  /** The state before the last act. */
  #earlier: ProviderState = emptyProvider

  get state(): ProviderState {
    return this.#state
  }

  /** The state in which readbacks are answered. */
  get answering(): ProviderState {
    return this.condition.readbacks === "STALE" ? this.#earlier : this.#state
  }

  /** Performs an act, or says why it is impossible. */
  perform(act: ProviderAct, at: Instant): Result.Result<void, Refused> {
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
    this.#state = other.#state
    this.#earlier = other.#earlier
  }
}

/** The port over a provider. */
export const simulatedPayments = (
  provider: SimulatedProvider,
  currencies: ReadonlyArray<string> = ["EUR", "USD", "JPY"]
): PaymentProvider => ({
  kind: "PROVIDER",
  provider: "SIMULATED",
  environment: simulatedEnvironment,
  currencies,
  openRecipientAccount: (organizationId, returnUrl) =>
    whenAvailable(provider, () => {
      const [state, { accountId }] = openAccount(provider.state, organizationId)
      provider.change(state)
      return Effect.succeed({ accountId, onboardingUrl: onboardingUrl(accountId, returnUrl) })
    }),
  readRecipientAccount: (accountId, returnUrl) =>
    whenAvailable(provider, () => {
      const account = accountNamed(provider.state, accountId)
      if (account === undefined) return new ProviderRefused({ reason: "no such account" })
      const { isPayable } = account
      return Effect.succeed({
        payable: isPayable,
        onboardingUrl: isPayable ? null : onboardingUrl(accountId, returnUrl)
      })
    }),
  openCheckout: (request) =>
    whenAvailable(provider, (at) => {
      if (!currencies.includes(request.currency)) return new ProviderRefused({ reason: "no such currency" })
      const opened = openCheckout(provider.state, request, at)
      if (Result.isFailure(opened)) return new ProviderRefused(opened.failure)
      const [state, checkoutId] = opened.success
      provider.change(state)
      return provider.condition.losesOpenings === true
        ? new ProviderUnavailable({ reason: "the answer was lost" })
        : Effect.succeed({ checkoutId, url: `${site}/checkouts/${checkoutId}` })
    }),
  readBack: ({ checkoutId }) =>
    whenAvailable(provider, (at) =>
      Effect.succeed(readbackFrom(answerAbout(provider.answering, checkoutId, at), faultOf(provider)))
    ).pipe(
      Effect.catchTags({
        ProviderUnavailable: (): Effect.Effect<Readback> => Effect.succeed(failedWhole("PROVIDER_UNAVAILABLE")),
        ProviderRefused: (): Effect.Effect<Readback> => Effect.succeed(failedWhole("PROVIDER_REFUSED"))
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
  { condition: { availability } }: SimulatedProvider,
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

const faultOf = ({ condition: { readbacks } }: SimulatedProvider): AnswerFault | undefined =>
  readbacks === "STALE" ? undefined : readbacks

const slowAnswer = "10 seconds"
const site = "https://payments.simulated.test"

const onboardingUrl = (accountId: string, returnUrl: string): string =>
  `${site}/onboarding/${accountId}?return=${encodeURIComponent(returnUrl)}`
