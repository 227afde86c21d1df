/** One run of an effect for all of its simultaneous callers. */
import { Deferred, Effect, type Scope } from "effect"

/** Each call is answered by a run that began after it: calls during a run share the next one. */
export const coalesced = <A>(run: Effect.Effect<A>): Effect.Effect<Effect.Effect<A>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    let next: Deferred.Deferred<A> | undefined
    let isRunning = false
    const runAll = Effect.gen(function* () {
      while (next !== undefined) {
        const current = next
        next = undefined
        yield* Deferred.into(run, current)
      }
      isRunning = false
    })
    return Effect.suspend(() => {
      const answer = (next ??= Deferred.makeUnsafe<A>())
      if (isRunning) return Deferred.await(answer)
      isRunning = true
      return Effect.andThen(Effect.forkIn(runAll, scope), Deferred.await(answer))
    })
  })
