/** A primary and its standby as the hosts of one DATABASE_URL. */
import { PgConnection } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { migrate } from "../../src/adapters/migrator.ts"
import { makeConnections, type ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { migrations } from "../../src/migrations/all.ts"
import { messageOf } from "../contract/storage/processes.ts"
import { execute } from "../support/postgres.ts"
import { primaryAndStandby, urlOfHosts, type Clusters } from "../support/clusters.ts"
import { spawnCommand } from "../support/server.ts"
import { webhookWakeupOn } from "../support/webhook-wakeup.ts"

class Hosts extends Context.Service<Hosts, Clusters>()("test/Hosts") {}
const hosts = Layer.effect(
  Hosts,
  Effect.tap(Effect.orDie(primaryAndStandby), ({ primary, standby }) =>
    Effect.andThen(primary.start(), standby.start())
  )
)

const bothHosts = ({ primary, standby, password }: Clusters): ConnectionOptions => ({
  url: Redacted.make(urlOfHosts(password, standby, primary))
})

const insertInto = (connection: ConnectionOptions, id: number) =>
  Effect.gen(function* () {
    const connections = yield* makeConnections(connection, 2)
    const insert = `insert into people values (${id})`
    return yield* connections.use((session) =>
      Effect.map(Effect.exit(session.query(insert, [], false)), (exit) => exit._tag)
    )
  }).pipe(Effect.scoped)

/** Runs a start until it reports that it waits, then `meanwhile`; returns the exit code and the whole output. */
const startsWaiting = (url: string, meanwhile: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { child, output, ended } = spawnCommand({ DATABASE_URL: url }, "migrate")
    yield* Effect.addFinalizer(() => Effect.sync(() => void child.kill("SIGKILL")))
    while (!output().includes("waiting") && child.exitCode === null) yield* Effect.sleep(20)
    yield* meanwhile
    return { code: yield* Effect.promise(() => ended), output: output() }
  }).pipe(Effect.scoped)

// Ordered: the last test promotes the standby.
layer(hosts, { excludeTestServices: true })("a standby and its primary as hosts of DATABASE_URL", (it) => {
  it.effect("Migrations, writes and notifications go to the host that takes writes.", () =>
    Effect.gen(function* () {
      const clusters = yield* Hosts
      assert.lengthOf(yield* migrate(bothHosts(clusters), migrations), migrations.length)
      yield* execute(clusters.primary.connection, ["create table people (id bigint primary key)"])
      assert.strictEqual(yield* insertInto(bothHosts(clusters), 1), "Success")
      const [here, there] = [yield* webhookWakeupOn(bothHosts(clusters)), yield* webhookWakeupOn(bothHosts(clusters))]
      const isWoken = Effect.map(Effect.timeoutOption(there.awaitNotification, "10 seconds"), Option.isSome)
      assert.isTrue(yield* isWoken)
      yield* here.notify
      assert.isTrue(yield* isWoken)
    })
  )

  it.effect("A start on a standby alone is refused after a limit, in one sentence that names DATABASE_URL.", () =>
    Effect.gen(function* () {
      const { standby, password } = yield* Hosts
      const exit = yield* Effect.exit(migrate(standby.connection, migrations, { database: 300, lock: 0 }))
      const message = messageOf(exit)
      assert.strictEqual(
        message,
        "DATABASE_URL: no database took writes within 0.3 seconds" +
          ` (127.0.0.1:${standby.port} is a standby, which takes no writes): name the primary`
      )
      assert.notInclude(message, password)
    })
  )

  it.effect("A start waits for a database that is starting up.", () =>
    Effect.gen(function* () {
      const { standby, password } = yield* Hosts
      yield* standby.stop
      // Without hot_standby a standby refuses connections as a server does that starts up.
      yield* standby.start("hot_standby=off")
      const message = messageOf(yield* Effect.exit(migrate(standby.connection, migrations, { database: 300, lock: 0 })))
      assert.match(message, /^DATABASE_URL: no database took writes within .* does not serve yet \(the database system/)
      yield* standby.stop
      yield* standby.start()
      assert.notInclude(message, password)
    })
  )

  it.effect("After a failover a waiting start continues, and open stores write to the promoted host.", () =>
    Effect.gen(function* () {
      const clusters = yield* Hosts
      const { primary, standby, password } = clusters
      const connections = yield* makeConnections(bothHosts(clusters), 2)
      const write = (id: number) =>
        connections.use((session) =>
          Effect.map(Effect.exit(session.query(`insert into people values (${id})`, [], false)), (exit) => exit._tag)
        )
      assert.strictEqual(yield* write(2), "Success")
      yield* primary.stop
      const promote = Effect.flatMap(PgConnection.make(standby.connection), (session) =>
        session.query("select pg_promote()")
      ).pipe(Effect.scoped, Effect.orDie, Effect.asVoid)
      const { code, output } = yield* startsWaiting(urlOfHosts(password, primary, standby), promote)
      assert.strictEqual(code, 0)
      assert.lengthOf(output.match(/waiting up to 30 seconds for a database that takes writes/g) ?? [], 1)
      assert.notInclude(output, password)
      while ((yield* write(3)) !== "Success") yield* Effect.sleep(20)
    })
  )
})
