/**
 * Spans of operations. `Effect.fn` with a name captures a stack and makes a span at every call, whether or not a collector
 * receives them; these functions do neither while `References.TracerEnabled` is false.
 */
import { Effect, References, type Tracer } from "effect"

/** In the place of `Effect.fn(name)`: a function whose calls are spans of this name. */
export const traced = (name: string): Effect.fn.Untraced => {
  const span = Effect.withSpan(name)
  const inSpan = <A, E, R>(call: Effect.Effect<A, E, R>) => whereTraced(call, span)
  return (...parts: ReadonlyArray<unknown>) => Reflect.apply(Effect.fnUntraced, undefined, [...parts, inSpan])
}

/** The effect in a span whose options are computed only where it is made. */
export const withTracedSpan =
  (name: string, options: () => Tracer.SpanOptions) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    whereTraced(self, (effect) => Effect.withSpan(effect, name, options()))

const whereTraced = <A, E, R>(
  self: Effect.Effect<A, E, R>,
  span: (self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => Effect.withFiber((fiber) => (fiber.getRef(References.TracerEnabled) ? span(self) : self))
