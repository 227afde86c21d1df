/** Callbacks: how fast they are taken and acknowledged, how soon they arrive, and what a long history costs. */
import { Effect } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { compareClaims } from "./callback-claims.ts"
import { measureLag } from "./callback-lag.ts"
import { comparePace } from "./callback-pace.ts"
import type { Extent } from "./extent.ts"
import { renderFigures } from "./figure.ts"

export const compareCallbacks = Effect.fnUntraced(function* (database: ConnectionOptions, extent: Extent) {
  const pace = yield* comparePace(database, extent)
  const lag = yield* measureLag(database, extent)
  const { figure, plans } = yield* compareClaims(database, extent)
  return [
    renderFigures("Callbacks a second, against jobs that do nothing a second", pace),
    renderFigures("From a commit to its callback at the receiver, over TLS on loopback", [lag]),
    renderFigures("Claims", [figure]),
    ...plans
  ].join("\n")
})
