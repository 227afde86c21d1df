/**
 * 520 clients that never complete their requests, and one that sends its requests normally: 30 seconds of each kind,
 * directly and through a trusted proxy. An argument replaces the 30 seconds.
 */
import { Console, Effect } from "effect"
import { measureBesideSlowBodies, slowKinds, type Outcome } from "../processes/slow-bodies.ts"
import { installationOn } from "../support/installation.ts"
import { temporaryDatabase } from "./database.ts"

export const bodies = Effect.gen(function* () {
  const seconds = process.argv.map(Number).find((given) => given > 0) ?? 30
  const extent = { sockets: 520, continues: (_: number, elapsed: number) => elapsed < seconds * 1000 }
  const installation = yield* installationOn(yield* temporaryDatabase)
  const wrong: Array<string> = []
  for (const way of ["directly", "through a proxy"] as const) {
    const outcomes = yield* Effect.scoped(measureBesideSlowBodies(installation, way, slowKinds, extent))
    for (const outcome of outcomes)
      yield* Console.log(`${way}, ${extent.sockets} × ${outcome.kind}: ${figuresOf(outcome)}`)
    wrong.push(...outcomes.flatMap(({ kind, wrong }) => wrong.map((text) => `${way}, ${kind}: ${text}`)))
  }
  return wrong
})

const figuresOf = ({ statuses, milliseconds, slowStatuses }: Outcome): string => {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const at = (share: number) =>
    `${sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(1)} ms`
  return [
    `${milliseconds.length} responses`,
    `p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`,
    listed(statuses),
    `slow clients: ${listed(slowStatuses) || "no response"}`
  ].join("; ")
}

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([what, count]) => `${count} × ${what}`).join(", ")
