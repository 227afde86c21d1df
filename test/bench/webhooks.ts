/** Webhooks: throughput, latency alone and beside a receiver that never answers, fan-out, and the cost of a long history. */
import { Effect } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { compareClaims } from "./webhook-claims.ts"
import { compareCommits } from "./webhook-commit.ts"
import { compareFanOut } from "./webhook-fan-out.ts"
import { compareIsolation } from "./webhook-isolation.ts"
import { measureLatency } from "./webhook-latency.ts"
import { compareThroughput } from "./webhook-throughput.ts"
import type { Extent } from "./extent.ts"
import type { Section } from "./figure.ts"

export const compareWebhooks = Effect.fnUntraced(function* (database: ConnectionOptions, extent: Extent) {
  const throughput = yield* compareThroughput(database, extent)
  const lag = yield* measureLatency(database, extent)
  const isolation = yield* compareIsolation(database, extent)
  const fanOut = yield* compareFanOut(database, extent)
  const commit = yield* compareCommits(database, extent)
  const { figure, plans } = yield* compareClaims(database, extent)
  return [
    { title: "Webhooks without the network, against empty jobs", ...throughput },
    { title: "Latency from a commit to its webhook at the receiver, over TLS on loopback", figures: [lag] },
    { title: "Latency beside a receiver that never answers, over TLS on loopback", figures: isolation },
    { title: "One event with many subscriptions", figures: [fanOut.figure, commit], notes: [fanOut.statements] },
    { title: "Claims", figures: [figure], notes: plans }
  ] satisfies ReadonlyArray<Section>
})
