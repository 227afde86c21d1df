/** Metrics of the reads that a replica may serve. */
import { Effect, Metric } from "effect"

const reads = Metric.counter("countersign_replica_reads_total", {
  description: "Reads that the replica may serve, by the source that served them and the reason",
  incremental: true
})

/** Why the primary served a read. */
export type PrimaryReason = "BEHIND" | "AHEAD" | "UNREACHABLE" | "UNFIT" | "FAILED" | "NO_POSITION"

export const countReplicaRead: Effect.Effect<void> = Metric.update(
  Metric.withAttributes(reads, { source: "replica", reason: "CURRENT" }),
  1
)

export const countPrimaryRead = (reason: PrimaryReason): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(reads, { source: "primary", reason }), 1)
