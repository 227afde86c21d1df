/** Partitions of the database of this process. They exist in Postgres only, so no other part of the service knows of them. */
import { Context, Data, Effect, Layer, Schedule } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { now } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { Refusal } from "../../vocabulary/refusals.ts"
import type { DatabaseNotUsable } from "../database-start.ts"
import type { ConnectionOptions } from "../postgres-storage/connections.ts"
import { sqlMessage } from "../sql-message.ts"
import { archive, type ArchiveInput, type MovedPartition } from "./archive.ts"
import { createPartitions, readStates, type TableState } from "./create-partitions.ts"
import { monthOf } from "./month.ts"
import { recordPartitions } from "./partition-metrics.ts"
import { openStatements } from "./statements.ts"

/** Partitions could not be changed; what was changed before stays. `message` is a sentence. */
export class PartitionsFailed extends Data.TaggedError("PartitionsFailed")<{ readonly message: string }> {}

export class Partitions extends Context.Service<
  Partitions,
  {
    /** Makes the partitions of the coming months, and of rows without one: of `everyRow`, or of few enough. */
    create(everyRow: boolean): Effect.Effect<ReadonlyArray<TableState>, PartitionsFailed>
    /** The same without a change. */
    readonly read: Effect.Effect<ReadonlyArray<TableState>, PartitionsFailed>
    /** Moves partitions to a tablespace, one after another; repeated after a failure, it moves those that are left. */
    archive(input: ArchiveInput): Effect.Effect<ReadonlyArray<MovedPartition>, PartitionsFailed | Refusal>
  }
>()("countersign/adapters/Partitions") {}

export const layer = (connection: ConnectionOptions): Layer.Layer<Partitions> =>
  Layer.succeed(Partitions, {
    create: (everyRow) =>
      Effect.gen(function* () {
        const current = monthOf(yield* now)
        return yield* createPartitions(yield* openStatements(connection), current, everyRow)
      }).pipe(Effect.scoped, Effect.mapError(asFailure)),
    read: Effect.gen(function* () {
      const current = monthOf(yield* now)
      return yield* readStates(yield* openStatements(connection), current)
    }).pipe(Effect.scoped, Effect.mapError(asFailure)),
    archive: (input) =>
      Effect.gen(function* () {
        const current = monthOf(yield* now)
        return yield* archive(yield* openStatements(connection), input, current)
      }).pipe(
        Effect.scoped,
        Effect.mapError((error) => (error instanceof Refusal ? error : asFailure(error)))
      )
  })

/** A pass that fails is logged and repeated; the metrics then say what is missing. */
export const partitionPass = Effect.flatMap(Partitions, ({ create, read }) =>
  Effect.flatMap(create(false), recordPartitions).pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(
        Effect.logError("partitions of coming months were not made", cause),
        Effect.ignoreCause(Effect.flatMap(read, recordPartitions))
      )
    )
  )
)

/** For `serve` and `worker`: once at the start, and then every hour. */
export const partitionWorker = Layer.effectDiscard(
  Effect.forkScoped(Effect.repeat(partitionPass, Schedule.spaced(limits.partitionInterval)))
)

const asFailure = (error: SqlError | DatabaseNotUsable): PartitionsFailed =>
  new PartitionsFailed({
    message: isSqlError(error)
      ? `${sqlMessage(error)}; what was changed before stays: run the command again`
      : error.message
  })
