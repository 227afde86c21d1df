/** A process of an earlier epoch detects it once; a connection that cannot read the epoch implies nothing about it. */
import * as net from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { type ConnectionOptions, makeConnections } from "../../src/adapters/postgres-storage/connections.ts"
import { migrations } from "../../src/migrations/all.ts"
import { schemaRangeOf } from "../../src/migrations/migration.ts"
import { execute } from "../support/postgres.ts"
import { freshService } from "../support/service.ts"

/** The same connection, with a count of the sockets opened for it. */
const countingSockets = ({ path, host, port, ...rest }: ConnectionOptions) => {
  const sockets = { opened: 0 }
  const stream = () => {
    sockets.opened += 1
    return net.connect(path === undefined ? { host: host ?? "127.0.0.1", port: port ?? 5432 } : { path })
  }
  const place = { ...(path === undefined ? {} : { path }), ...(host === undefined ? {} : { host }) }
  return { sockets, connection: { ...rest, ...place, ...(port === undefined ? {} : { port }), stream } }
}

const schema = schemaRangeOf(migrations)

/** The reason why no connection is given, or "USED". */
const use = (connections: Effect.Success<ReturnType<typeof makeConnections>>) =>
  Effect.map(
    connections.use(() => Effect.succeed("USED" as const)),
    (result) => (result === "USED" ? result : result.failure.reason)
  )

it.live("A process of an earlier epoch opens no further connection once it has detected that.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { connection, sockets } = countingSockets(yield* freshService)
      const connections = yield* makeConnections(connection, 1, { epoch: "an earlier epoch", schema })
      assert.match(yield* use(connections), /start it again$/)
      assert.match(yield* use(connections), /start it again$/)
      assert.strictEqual(sockets.opened, 1)
    })
  )
)

it.live("A process that cannot read the epoch is not told to restart, and serves once it can.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* freshService
      const connections = yield* makeConnections(connection, 1, { epoch: "", schema })
      yield* execute(connection, ["alter table countersign_installation rename to hidden"])
      const reason = yield* use(connections)
      assert.match(reason, /^the epoch of the installation cannot be read: .*countersign_installation/)
      assert.notMatch(reason, /start it again/)
      yield* execute(connection, ["alter table hidden rename to countersign_installation"])
      assert.strictEqual(yield* use(connections), "USED")
    })
  )
)
