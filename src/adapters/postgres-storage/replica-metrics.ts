/** Metrics of the reads that a replica may serve. */
import { counterBy } from "../../vocabulary/metric.ts"

/** Why the primary served a read. */
export type PrimaryReason = "BEHIND" | "AHEAD" | "UNREACHABLE" | "UNFIT" | "FAILED" | "NO_POSITION"

const countRead = counterBy<{ source: "replica"; reason: "CURRENT" } | { source: "primary"; reason: PrimaryReason }>(
  "countersign_replica_reads_total",
  "Reads that the replica may serve, by the source that served them and the reason"
)

export const countReplicaRead = countRead({ source: "replica", reason: "CURRENT" })

export const countPrimaryRead = (reason: PrimaryReason) => countRead({ source: "primary", reason })
