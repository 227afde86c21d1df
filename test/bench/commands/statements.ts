/** Statements, round trips and transactions of operations, counted by the storage of an in-process service. */
import { Effect } from "effect"
import type { ConnectionOptions } from "../../../src/adapters/postgres-storage/connections.ts"
import * as PostgresStorage from "../../../src/adapters/postgres-storage/layer.ts"
import type { Counts } from "../../../src/adapters/postgres-storage/session.ts"
import { schemaRangeOf } from "../../../src/migrations/migration.ts"
import { migrations } from "../../../src/migrations/all.ts"
import { lockTables, tables } from "../../../src/tables.ts"
import { makeArena, nextCommand } from "../../processes/arena.ts"
import { readProject, sendCommand, submissionFor } from "../../support/parties.ts"
import { testService } from "../../support/service.ts"
import { renderTable } from "../figure.ts"
import { sum } from "../measure.ts"

/** What one operation sends to Postgres, a transaction or a view each. */
export interface OperationCounts {
  readonly operation: string
  readonly units: ReadonlyArray<Counts>
}

/** Counts every operation once, after each was sent once before: the first use of a credential is recorded. */
export const countOperations = (connection: ConnectionOptions) => {
  let counted: Array<Counts> = []
  const storage = PostgresStorage.layer({
    connection,
    tables,
    lockTables,
    schema: schemaRangeOf(migrations),
    observe: (counts) => void counted.push(counts)
  })
  return Effect.gen(function* () {
    const arena = yield* makeArena(1)
    const lane = arena.lanes[0]!
    const { token } = arena.supplierAgent
    const locked = lane.view
    const command = Effect.suspend(() => {
      const { token, operation, body } = nextCommand(arena, lane)
      return Effect.map(sendCommand(token, lane.projectId, operation, body), ({ body }) => (lane.view = body))
    })
    const operations = {
      submit: command,
      review: command,
      readProject: readProject(token, lane.projectId),
      "a stale head": sendCommand(token, lane.projectId, "submit", submissionFor(locked))
    }
    const counts: Array<OperationCounts> = []
    for (const isCounted of [false, true]) {
      for (const [operation, run] of Object.entries(operations)) {
        counted = []
        yield* run
        if (isCounted) counts.push({ operation, units: counted })
      }
    }
    return counts
  }).pipe(Effect.provide(testService(storage)))
}

export const renderOperations = (counts: ReadonlyArray<OperationCounts>): string =>
  renderTable(
    "Statements of an operation",
    ["", "statements", "round trips", "transactions and views", "each"],
    counts.map(({ operation, units }) => [
      operation,
      String(sum(units.map(({ statements }) => statements))),
      String(sum(units.map(({ roundTrips }) => roundTrips))),
      String(units.length),
      units.map(({ statements, roundTrips }) => `${statements} in ${roundTrips}`).join(", ")
    ])
  )
