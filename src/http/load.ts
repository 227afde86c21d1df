/** The load of this process, operations and pages alike: requests in flight, and request bodies still arriving. */
import { Clock, Context, Effect, FiberSet, Layer } from "effect"
import { limits } from "../vocabulary/limits.ts"
import { refusal, type Refusal } from "../vocabulary/refusals.ts"
import { ArrivingBodies, type ArrivingBody } from "./arriving-bodies.ts"
import { countDroppedBody, recordArrivingBodies } from "./metrics.ts"
import { Transport } from "./transport.ts"

export class Load extends Context.Service<
  Load,
  {
    /** The refusal while no more requests are accepted. */
    readonly refuseOverload: () => Refusal | undefined
    /** Counts a request as in flight while it is processed. */
    readonly counted: <A, E, R>(answer: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Reads the body of a counted request: until it has arrived, the body counts as arriving and the request not as in
     * flight. Refuses afterwards where the process has reached its limit of requests in flight.
     */
    readonly receiving: <A, E, R>(
      body: ArrivingBody,
      reading: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | Refusal, R>
    readonly bodies: ArrivingBodies
    /** True at the limit of requests in flight. */
    readonly isOverloaded: () => boolean
  }
>()("countersign/http/Load") {}

/** One count for each service. */
export const load = Layer.effect(
  Load,
  Effect.gen(function* () {
    const { requestsInFlight } = yield* Transport
    const { bodies, add } = yield* sweptBodies
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
      receiving: (body, reading) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            inFlight -= 1
            add(body)
          }),
          () => reading,
          () =>
            Effect.sync(() => {
              inFlight += 1
              bodies.remove(body)
            })
        ).pipe(Effect.tap(() => (inFlight > requestsInFlight ? Effect.fail(overload) : Effect.void))),
      bodies,
      isOverloaded: () => inFlight >= requestsInFlight
    }
  })
)

/** The arriving bodies, and one fiber that sweeps them while there are any: nearly every body arrives before the first sweep. */
const sweptBodies = Effect.gen(function* () {
  const fork = yield* FiberSet.makeRuntime()
  const clock = yield* Clock.Clock
  const instant = () => Number(clock.monotonicTimeNanosUnsafe()) / 1_000_000
  const bodies = new ArrivingBodies(
    { slow: limits.slowBodies, slowPerAddress: limits.slowBodiesPerAddress, bytes: limits.arrivingBodyBytes },
    (reason) => void fork(countDroppedBody(reason))
  )
  let isSweeping = false
  const sweep = Effect.suspend(() => {
    bodies.sweep(instant())
    const continues = bodies.count > 0
    isSweeping = continues
    return Effect.as(recordArrivingBodies(bodies.count, bodies.slowCount), continues)
  })
  const sweeping = Effect.andThen(Effect.sleep(limits.bodySweep), sweep).pipe(
    Effect.repeat({ while: (continues) => continues })
  )
  const add = (body: ArrivingBody) => {
    bodies.add(body, instant())
    if (isSweeping) return
    isSweeping = true
    fork(sweeping)
  }
  return { bodies, add }
})
