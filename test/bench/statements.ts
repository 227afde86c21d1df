/** Statements and round trips of one command, counted by the storage of an in-process service. */
import { Console, Effect } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import * as PostgresStorage from "../../src/adapters/postgres-storage/layer.ts"
import type { Counts } from "../../src/adapters/postgres-storage/session.ts"
import { newestOf } from "../../src/adapters/migrator.ts"
import { migrations } from "../../src/migrations/all.ts"
import { lockTables, tables } from "../../src/tables.ts"
import { makeArena, nextCommand } from "../processes/arena.ts"
import { sendCommand } from "../support/parties.ts"
import { testService } from "../support/service.ts"
import { sum } from "./measure.ts"

const commands = 20

export const countStatements = (connection: ConnectionOptions) => {
  const counted: Array<Counts> = []
  const storage = PostgresStorage.layer({
    connection,
    tables,
    lockTables,
    schemaWanted: newestOf(migrations),
    observe: (counts) => void counted.push(counts)
  })
  return Effect.gen(function* () {
    const arena = yield* makeArena(1)
    const lane = arena.lanes[0]!
    counted.length = 0
    for (let turn = 0; turn < commands; turn++) {
      const { token, operation, body } = nextCommand(arena, lane)
      lane.view = (yield* sendCommand(token, lane.projectId, operation, body)).body
    }
    const each = (count: (counts: Counts) => number) => sum(counted.map(count)) / commands
    yield* Console.log(
      `  a command takes ${each(({ statements }) => statements)} statements in ` +
        `${each(({ roundTrips }) => roundTrips)} round trips, in ${each(() => 1)} transactions and views: ` +
        counted
          .slice(-Math.round(each(() => 1)))
          .map(({ statements, roundTrips }) => `${statements} in ${roundTrips}`)
          .join(", ")
    )
  }).pipe(Effect.provide(testService(storage)))
}
