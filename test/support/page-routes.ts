/** The addresses of the pages for people, from the routes themselves. */
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { workspace } from "../../src/workspace/routes.ts"

export interface PageAddress {
  readonly method: string
  /** With `:name` for each id. */
  readonly path: string
}

export const pageAddresses: Effect.Effect<ReadonlyArray<PageAddress>> = Effect.gen(function* () {
  const found: Array<PageAddress> = []
  const router = yield* HttpRouter.make
  const noting = HttpRouter.HttpRouter.of({
    ...router,
    add: (method, path) => Effect.sync(() => void found.push({ method, path }))
  })
  // What answers the routes need is not asked for by adding them.
  const pages = workspace as Layer.Layer<never, never, HttpRouter.HttpRouter>
  yield* Layer.build(Layer.provide(pages, Layer.succeed(HttpRouter.HttpRouter, noting)))
  return found
}).pipe(Effect.scoped, Effect.provideService(HttpRouter.RouterConfig, {}))
