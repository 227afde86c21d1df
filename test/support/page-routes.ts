/** The paths of the pages for people, from the routes. */
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { workspace } from "../../src/workspace/routes.ts"

export interface PageAddress {
  readonly method: string
  /** The path with `:name` for each id. */
  readonly path: string
}

export const pageAddresses: Effect.Effect<ReadonlyArray<PageAddress>> = Effect.gen(function* () {
  const found: Array<PageAddress> = []
  const router = yield* HttpRouter.make
  const noting = HttpRouter.HttpRouter.of({
    ...router,
    add: (method, path) => Effect.sync(() => void found.push({ method, path }))
  })
  // Adding the routes does not run their handlers, so the services they need are not used.
  const pages = workspace as Layer.Layer<never, never, HttpRouter.HttpRouter>
  yield* Layer.build(Layer.provide(pages, Layer.succeed(HttpRouter.HttpRouter, noting)))
  return found
}).pipe(Effect.scoped, Effect.provideService(HttpRouter.RouterConfig, {}))
