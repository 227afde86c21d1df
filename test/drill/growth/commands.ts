/** Commands over HTTP to a server on the full database and to one on the empty database, in turns. */
import { Effect } from "effect"
import type { ConnectionOptions } from "../../../src/adapters/postgres-storage/connections.ts"
import { inDatabase } from "../../bench/backlog.ts"
import { startChild } from "../../bench/commands/child-process.ts"
import { lanesFor } from "../../bench/commands/clients.ts"
import type { LoadRequest, LoadResult } from "../../bench/commands/load.ts"
import { type ServerVariant, thisServer } from "../../bench/commands/variants.ts"
import { type Cost, type Pair, pairsInTurns } from "./cost.ts"

export interface CommandRounds {
  readonly rounds: number
  /** Commands of a round, and those of each server before the first one. */
  readonly commands: number
  readonly warmUp: number
}

const spread = { clients: 4, commandsEach: 20, isRace: false }

export const measureCommands = Effect.fnUntraced(function* (
  databases: Pair<ConnectionOptions>,
  postmasterPid: number,
  { rounds, commands, warmUp }: CommandRounds
) {
  // The processes that prepare projects number their people from 0, as this one does.
  for (const database of [databases.full, databases.empty]) {
    yield* inDatabase(database, ["update persons set subject = person_id"])
  }
  const full = yield* thisServer(databases.full)
  const empty = yield* thisServer(databases.empty)
  const send = yield* startChild<LoadRequest, LoadResult>("load-client.ts")
  const round = Effect.fnUntraced(function* (server: ServerVariant, turns: number) {
    const lanes = yield* server.prepare({ projects: lanesFor(spread, turns) })
    const target = { kind: "HTTP", origin: server.origin, lanes } as const
    const result = yield* send({ ...spread, turns, target, serverPid: server.pid, postmasterPid })
    const { milliseconds, done } = result
    return { milliseconds, server: result.server / done, postgres: result.postgres / done } satisfies Cost
  })
  yield* round(full, warmUp)
  yield* round(empty, warmUp)
  return yield* pairsInTurns(rounds, { full: round(full, commands), empty: round(empty, commands) })
}, Effect.scoped)
