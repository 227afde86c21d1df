/** Metrics of partitions, by table. */
import { Effect } from "effect"
import { gaugeBy } from "../../vocabulary/metric.ts"
import type { TableState } from "./create-partitions.ts"

const recordAhead = gaugeBy<{ table: string }>(
  "countersign_partitions_ahead",
  "Months after the current one that have a partition, by table, at the last hourly look"
)

const recordWithout = gaugeBy<{ table: string }>(
  "countersign_rows_without_partition",
  "Rows whose month has no partition, by table, at the last hourly look; 10001 stands for more than 10000"
)

export const recordPartitions = (states: ReadonlyArray<TableState>): Effect.Effect<void> =>
  Effect.forEach(
    states,
    ({ table, monthsAhead, rowsWithoutPartition }) =>
      Effect.andThen(recordAhead({ table }, monthsAhead), recordWithout({ table }, rowsWithoutPartition)),
    { discard: true }
  )
