/** How much this process is doing, operations and pages alike: requests in flight, and request bodies that arrive. */
import { Context, Effect, Layer } from "effect"
import { limits } from "../vocabulary/limits.ts"
import { refusal, type Refused } from "../vocabulary/refusals.ts"
import { ArrivingBodies } from "./arriving-bodies.ts"
import { Transport } from "./transport.ts"

export class Load extends Context.Service<
  Load,
  {
    /** The refusal while no more requests are accepted. */
    readonly refuseOverload: () => Refused | undefined
    /** Counts a request as in flight while it is answered. */
    readonly counted: <A, E, R>(answer: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Takes a counted request out of the count while it waits for its client, and back in afterwards; refuses where the
     * process has reached its bound meanwhile.
     */
    readonly uncounted: <A, E, R>(waiting: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Refused, R>
    readonly bodies: ArrivingBodies
    /** True at the bound of requests in flight or of arriving bodies. */
    readonly isOverloaded: () => boolean
  }
>()("countersign/http/Load") {}

/** One count for each service. */
export const load = Layer.effect(
  Load,
  Effect.gen(function* () {
    const { requestsInFlight } = yield* Transport
    const bodies = new ArrivingBodies({
      slow: limits.slowBodies,
      slowPerAddress: limits.slowBodiesPerAddress,
      bytes: limits.arrivingBodyBytes
    })
    let inFlight = 0
    const enter = Effect.sync(() => void (inFlight += 1))
    const leave = Effect.sync(() => void (inFlight -= 1))
    const overload = refusal("TEMPORARILY_UNAVAILABLE")
    return {
      refuseOverload: () => (inFlight >= requestsInFlight ? overload : undefined),
      counted: (answer) =>
        Effect.acquireUseRelease(
          enter,
          () => answer,
          () => leave
        ),
      uncounted: (waiting) =>
        Effect.acquireUseRelease(
          leave,
          () => waiting,
          () => enter
        ).pipe(Effect.tap(() => (inFlight > requestsInFlight ? Effect.fail(overload) : Effect.void))),
      bodies,
      isOverloaded: () => inFlight >= requestsInFlight || bodies.isFull
    }
  })
)
