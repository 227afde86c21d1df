/** Metrics of partitions, by table. */
import { Effect, Metric } from "effect"
import type { TableState } from "./create-partitions.ts"

const ahead = Metric.gauge("countersign_partitions_ahead", {
  description: "Months after the current one that have a partition, by table, at the last hourly look"
})

const without = Metric.gauge("countersign_rows_without_partition", {
  description: "Rows whose month has no partition, by table, at the last hourly look; 10001 stands for more than 10000"
})

export const recordPartitions = (states: ReadonlyArray<TableState>): Effect.Effect<void> =>
  Effect.forEach(
    states,
    ({ table, monthsAhead, rowsWithoutPartition }) =>
      Effect.andThen(
        Metric.update(Metric.withAttributes(ahead, { table }), monthsAhead),
        Metric.update(Metric.withAttributes(without, { table }), rowsWithoutPartition)
      ),
    { discard: true }
  )
