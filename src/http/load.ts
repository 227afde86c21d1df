/** How many requests this process is answering, operations and pages alike: past a bound it says so at once. */
import { Context, Effect, Layer } from "effect"
import { refusal, type Refused } from "../vocabulary/refusals.ts"
import { Transport } from "./transport.ts"

export class Load extends Context.Service<
  Load,
  {
    /** What to answer where no more requests are taken. */
    readonly refuseOverload: () => Refused | undefined
    /** Counts a request while it is answered. */
    readonly counted: <A, E, R>(answer: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("countersign/http/Load") {}

/** One count for each service. */
export const load = Layer.effect(
  Load,
  Effect.gen(function* () {
    const { requestsInFlight } = yield* Transport
    let inFlight = 0
    return {
      refuseOverload: () => (inFlight >= requestsInFlight ? refusal("TEMPORARILY_UNAVAILABLE") : undefined),
      counted: (answer) =>
        Effect.acquireUseRelease(
          Effect.sync(() => inFlight++),
          () => answer,
          () => Effect.sync(() => inFlight--)
        )
    }
  })
)
