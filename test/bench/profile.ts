/** A CPU profile of the server while 32 clients send commands. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Console, Effect } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { installationOn } from "../support/installation.ts"
import { startServer } from "../support/server.ts"
import { ownLanes, perSecond, runClients } from "./clients.ts"
import { serviceBeside } from "./commands.ts"
import { readable } from "./figure.ts"
import { prepareLanes, sendCommands } from "./http-commands.ts"

const clients = 32
const seconds = 10
const commandsEach = 20
const projects = 800

/** The profiles stay in a temporary directory. */
export const profileCommands = Effect.fnUntraced(function* (database: ConnectionOptions) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-profile-"))
  const installation = yield* installationOn(database)
  const lanes = yield* prepareLanes(projects).pipe(Effect.provide(serviceBeside(installation)))
  const server = yield* startServer({
    ...installation.environment,
    NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${directory}`
  })
  const { take, close } = sendCommands(server.origin, clients)
  const turn = ownLanes([...lanes], commandsEach, take)
  const tally = yield* Effect.promise(() => runClients(clients, seconds, turn).finally(close))
  // The profiler writes its files only at a normal exit.
  server.child.kill("SIGTERM")
  yield* Effect.promise(() => server.ended)
  const files = fs.readdirSync(directory).map((file) => path.join(directory, file))
  yield* Console.log(
    `${readable(perSecond(tally))} commands per second under the profiler; open in a browser's developer tools:`
  )
  yield* Console.log(files.join("\n"))
})
