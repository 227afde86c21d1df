/** A CPU profile of the server while 8 clients send commands. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Console, Effect } from "effect"
import type { ConnectionOptions } from "../../../src/adapters/postgres-storage/connections.ts"
import { readable } from "../figure.ts"
import { startChild } from "./child-process.ts"
import { lanesFor } from "./clients.ts"
import type { LoadRequest, LoadResult } from "./load.ts"
import { postmasterOf, thisServer } from "./variants.ts"

const spread = { clients: 8, commandsEach: 20, isRace: false }
const commands = 6_000

/** The profiles stay in a temporary directory. */
export const profileCommands = Effect.fnUntraced(function* (database: ConnectionOptions) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-profile-"))
  const server = yield* thisServer(database, { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${directory}` })
  const send = yield* startChild<LoadRequest, LoadResult>("load-client.ts")
  const lanes = yield* server.prepare({ projects: lanesFor(spread, commands) })
  const { done, server: cpu } = yield* send({
    ...spread,
    turns: commands,
    target: { kind: "HTTP", origin: server.origin, lanes },
    serverPid: server.pid,
    postmasterPid: yield* postmasterOf(database)
  })
  // The profiler writes its files only at a normal exit.
  yield* server.stop
  yield* Console.log(
    `${readable(cpu / done)} ms of CPU a command under the profiler; open in a browser's developer tools:`
  )
  for (const file of fs.readdirSync(directory)) yield* Console.log(path.join(directory, file))
}, Effect.scoped)
