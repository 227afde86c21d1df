/** The load of this process, operations and pages alike: requests in flight, and request bodies still arriving. */
import { Clock, Context, Effect, FiberSet, Layer } from "effect"
import { limits } from "../vocabulary/limits.ts"
import { refusal, type Refusal } from "../vocabulary/refusals.ts"
import { ArrivingBodies, type ArrivingBody } from "./arriving-bodies.ts"
import { countDroppedBody, countShedRequest, recordArrivingBodies } from "./metrics.ts"
import { ClassOfRequest, type RequestClass } from "./request-class.ts"
import { Transport } from "./transport.ts"

export class Load extends Context.Service<
  Load,
  {
    /** The refusal while no more requests of a class are accepted. */
    readonly refuseOverload: (requestClass: RequestClass) => Effect.Effect<Refusal | undefined>
    /** Counts a request as in flight while it is processed. */
    readonly counted: <A, E, R>(requestClass: RequestClass, answer: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Reads the body of a counted request: until it has arrived, the body counts as arriving and the request not as in
     * flight. Refuses afterwards where more requests are in flight than its class allows.
     */
    readonly receiving: <A, E, R>(
      body: ArrivingBody,
      reading: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | Refusal, R>
    readonly bodies: ArrivingBodies
    /** True while lists are refused. */
    readonly isOverloaded: () => boolean
  }
>()("countersign/http/Load") {}

/** One count for each service. */
export const load = Layer.effect(
  Load,
  Effect.gen(function* () {
    const { requestsInFlight } = yield* Transport
    const { bodies, add: addBody } = yield* sweptBodies
    // Stop controls are counted by themselves: however many there are, they refuse no other request.
    let inFlight = 0
    let stops = 0
    const countOf = (requestClass: RequestClass) => (requestClass === "stop" ? stops : inFlight)
    const add = (requestClass: RequestClass, change: 1 | -1) => {
      if (requestClass === "stop") stops += change
      else inFlight += change
    }
    const bounds = boundsOf(requestsInFlight)
    /** Counts and refuses a request of a class. */
    const shed = (requestClass: RequestClass) =>
      Effect.as(countShedRequest({ class: requestClass }), refuseClass(requestClass, bounds[requestClass]))
    return {
      refuseOverload: (requestClass) =>
        Effect.suspend(() => (countOf(requestClass) >= bounds[requestClass] ? shed(requestClass) : Effect.undefined)),
      counted: (requestClass, answer) =>
        Effect.acquireUseRelease(
          Effect.sync(() => add(requestClass, 1)),
          () => Effect.provideService(answer, ClassOfRequest, requestClass),
          () => Effect.sync(() => add(requestClass, -1))
        ),
      receiving: (body, reading) =>
        Effect.flatMap(ClassOfRequest, (requestClass) =>
          Effect.acquireUseRelease(
            Effect.sync(() => {
              add(requestClass, -1)
              addBody(body)
            }),
            () => reading,
            () =>
              Effect.sync(() => {
                add(requestClass, 1)
                bodies.remove(body)
              })
          ).pipe(
            Effect.tap(() =>
              Effect.suspend(() =>
                countOf(requestClass) > bounds[requestClass] ? Effect.flip(shed(requestClass)) : Effect.void
              )
            )
          )
        ),
      bodies,
      isOverloaded: () => inFlight >= bounds.list
    }
  })
)

/** How many requests may be in flight when one more of a class begins. */
const boundsOf = (requestsInFlight: number): Readonly<Record<RequestClass, number>> => ({
  list: requestsInFlight,
  read: Math.ceil(requestsInFlight * limits.readsInFlightFactor),
  command: Math.ceil(requestsInFlight * limits.commandsInFlightFactor),
  stop: requestsInFlight * limits.stopsInFlightFactor
})

const refuseClass = (requestClass: RequestClass, bound: number) =>
  refusal("TEMPORARILY_UNAVAILABLE", {
    detail: `Limit reached: ${bound} requests in flight, past which a ${requestClass} is refused; nothing has changed, so retry the saved request unchanged.`,
    retryAfter: 1
  })

/** The arriving bodies, and one fiber that sweeps them while there are any: nearly every body arrives before the first sweep. */
const sweptBodies = Effect.gen(function* () {
  const fork = yield* FiberSet.makeRuntime()
  const clock = yield* Clock.Clock
  const instant = () => Number(clock.monotonicTimeNanosUnsafe()) / 1_000_000
  const bodies = new ArrivingBodies(
    { slow: limits.slowBodies, slowPerAddress: limits.slowBodiesPerAddress, bytes: limits.arrivingBodyBytes },
    (reason) => void fork(countDroppedBody({ reason }))
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
