/** What the service needs of Postgres, each feature probed by itself; `neededBy` is the part that would fail without it. */
import { Deferred, Effect, Fiber } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { webhookWakeupOn } from "../support/webhook-wakeup.ts"
import { Deviation, deviationOf, openSession, type Probe, type ProbeSession } from "./probe.ts"

export interface Feature {
  readonly name: string
  readonly neededBy: string
  readonly probe: (database: ConnectionOptions) => Probe
}

/** A feature that one session shows, or two. */
const feature = (
  name: string,
  neededBy: string,
  probe: (here: ProbeSession, there: ProbeSession) => Generator<Effect.Effect<any, Deviation, any>, void, any>
): Feature => ({
  name,
  neededBy,
  probe: (database) =>
    Effect.gen(function* () {
      const here = yield* openSession(database)
      const there = yield* openSession(database)
      yield* Effect.gen(() => probe(here, there))
    })
})

/** The rows that the probes read and lock. */
export const probeTable = [
  `create table probe (id text collate "C" primary key, n bigint not null, at timestamptz(3) not null, body jsonb not null)`,
  `create index probe_by_due on probe (at, id) where at < '9999-12-31T23:59:59.999Z'`,
  `insert into probe values ('a', 0, '2026-01-01T00:00:00.123Z', '{}'), ('B', 0, '2026-01-02T00:00:00Z', '[1]')`
]

export const features: ReadonlyArray<Feature> = [
  feature("transactional DDL", "migrations", function* (here) {
    yield* here.run("begin")
    yield* here.run("create table undone (id bigint primary key)")
    yield* here.run("rollback")
    yield* here.returns("select to_regclass('undone')::text", undefined)
  }),
  feature("byte order by collate C", "cursors and lock order", function* (here) {
    yield* here.returns("select string_agg(id, '' order by id) from probe", "Ba")
  }),
  feature("timestamptz(3), jsonb and partial indexes", "the tables", function* (here) {
    yield* here.returns("select (extract(milliseconds from at) = 123)::text from probe where id = 'a'", "true")
    yield* here.returns("select body::text from probe where id = 'B'", "[1]")
    yield* here.returns("select count(*)::text from pg_indexes where indexname = 'probe_by_due'", "1")
  }),
  feature("partitions by range, attached to a table", "the partitions of months", function* (here) {
    yield* here.run("create table months (id bigint not null, at timestamptz not null) partition by range (at)")
    yield* here.run("create table months_before (like months including all)")
    yield* here.run("insert into months_before values (1, '2026-01-05')")
    yield* here.run("begin")
    yield* here.run("lock table months in access exclusive mode")
    yield* here.run("alter table months attach partition months_before for values from (minvalue) to ('2026-02-01')")
    yield* here.run("commit")
    yield* here.run("create table months_default partition of months default")
    yield* here.run("insert into months values (2, '2031-01-01')")
    yield* here.returns(
      "select string_agg(tableoid::regclass::text, ' ' order by id) from months",
      "months_before months_default"
    )
  }),
  feature("settings of a session", "the bounds of every session", function* (here, there) {
    yield* here.run("select set_config('statement_timeout', '5s', false)")
    yield* there.run("select set_config('statement_timeout', '7s', false)")
    yield* here.returns("select current_setting('statement_timeout')", "5s")
    yield* here.run("select set_config('idle_in_transaction_session_timeout', '5s', false)")
    yield* here.returns("select current_setting('idle_in_transaction_session_timeout')", "5s")
  }),
  feature("has_parameter_privilege", "deadlock_timeout, for a role that may set it", function* (here) {
    yield* here.run("select has_parameter_privilege('deadlock_timeout', 'SET')")
  }),
  feature("statement_timeout", "the bounds of every session", function* (here) {
    yield* here.run("begin")
    yield* here.run("set local statement_timeout = '50ms'")
    yield* here.fails("select pg_sleep(20)", "57014")
    yield* here.run("rollback")
  }),
  feature("read committed, a snapshot for each statement", "locks before reads", function* (here, there) {
    yield* here.run("begin isolation level read committed")
    yield* here.returns("select n::text from probe where id = 'a'", "0")
    yield* there.run("update probe set n = 1 where id = 'a'")
    yield* here.returns("select n::text from probe where id = 'a'", "1")
    yield* here.run("commit")
    yield* there.run("update probe set n = 0 where id = 'a'")
  }),
  feature("one snapshot in repeatable read", "views", function* (here, there) {
    yield* here.run("begin isolation level repeatable read read only")
    yield* here.returns("select n::text from probe where id = 'B'", "0")
    yield* there.run("update probe set n = 1 where id = 'B'")
    yield* here.returns("select n::text from probe where id = 'B'", "0")
    yield* here.run("commit")
    yield* there.run("update probe set n = 0 where id = 'B'")
  }),
  feature("advisory locks of a transaction, shared and exclusive", "authority locks", function* (here, there) {
    yield* here.run("begin")
    yield* there.run("begin")
    yield* here.run("select pg_advisory_xact_lock_shared(4201)")
    yield* there.run("select pg_advisory_xact_lock_shared(4201)")
    yield* there.run("set local lock_timeout = '50ms'")
    yield* there.fails("select pg_advisory_xact_lock(4201)", "55P03")
    yield* there.run("rollback")
    yield* here.run("rollback")
  }),
  feature("advisory locks of a session", "one migrating process at a time", function* (here, there) {
    yield* here.returns("select pg_try_advisory_lock(4202)::text", "true")
    yield* there.returns("select pg_try_advisory_lock(4202)::text", "false")
    yield* here.returns("select pg_advisory_unlock(4202)::text", "true")
  }),
  feature(
    "advisory locks of a session with two keys",
    "a contract that older sessions exclude",
    function* (here, there) {
      yield* here.returns("select pg_try_advisory_lock_shared(4203, 1)::text", "true")
      yield* there.returns("select pg_try_advisory_lock_shared(4203, 1)::text", "true")
      const both = "select string_agg(pg_try_advisory_lock(4203, number)::text, ' ' order by number)"
      yield* there.returns(`${both} from generate_series(1, 2) as number`, "false true")
      yield* there.returns(
        "select count(*)::text from pg_locks where locktype = 'advisory' and granted and objsubid = 2 and classid = 4203" +
          " and objid = 1 and mode = 'ShareLock' and database = (select oid from pg_database where datname = current_database())",
        "2"
      )
      yield* there.returns("select pg_advisory_unlock(4203, 2)::text", "true")
      for (const session of [here, there]) {
        yield* session.returns("select pg_advisory_unlock_shared(4203, 1)::text", "true")
      }
    }
  ),
  feature("indexes built concurrently", "migrations beside running processes", function* (here, there) {
    const create = "create index concurrently probe_by_n on probe (n, id)"
    const isValid = "select indisvalid::text from pg_index where indexrelid = to_regclass('probe_by_n')"
    yield* there.run("begin")
    yield* there.run("update probe set n = n where id = 'a'")
    const building = yield* here.sends(create)
    // It becomes visible, waits for the open transaction, and that transaction can still write.
    const visible = Effect.repeat(there.run(isValid), { until: (found) => found !== undefined })
    yield* within(create, Effect.raceFirst(visible, Fiber.join(building)))
    yield* there.returns(isValid, "false")
    yield* there.run("update probe set n = n where id = 'B'")
    yield* there.run("commit")
    yield* Fiber.join(building)
    yield* there.returns(isValid, "true")
    yield* here.run("drop index concurrently probe_by_n")
  }),
  feature("for no key update returns the row as of its grant", "locks of projects", function* (here, there) {
    yield* here.run("begin")
    yield* here.run("update probe set n = 5 where id = 'a'")
    yield* there.run("begin isolation level read committed")
    const locking = "select n::text from probe where id = 'a' for no key update"
    const waiting = yield* there.sends(locking)
    yield* here.run("commit")
    const n = yield* Fiber.join(waiting)
    yield* there.run("rollback")
    yield* here.run("update probe set n = 0 where id = 'a'")
    if (n !== "5") yield* new Deviation({ statement: locking, answer: `${n}, not 5` })
  }),
  feature("skip locked in a claim", "leases of workers", function* (here, there) {
    const claim =
      "update probe set n = n where id = any(array(select id from probe where at <= now()" +
      " order by at, id limit 1 for no key update skip locked)) returning id"
    yield* here.run("begin")
    yield* here.returns(claim, "a")
    yield* there.run("begin")
    yield* there.returns(claim, "B")
    yield* there.run("rollback")
    yield* here.run("rollback")
  }),
  feature("writes in common table expressions", "one statement for the writes of a command", function* (here) {
    yield* here.run("begin")
    yield* here.fails(
      "with w0 as (update probe set n = 1 where id = 'none' returning 1), c0 as (select 1 / count(*) from w0) select * from c0",
      "22012"
    )
    yield* here.run("rollback")
  }),
  feature("unnest of several arrays, lateral joins and empty lists", "combined reads", function* (here) {
    yield* here.returns(
      "select found.n::text from unnest(array['a'], array[1]) as asked (id, k)," +
        " lateral (select * from probe where id = asked.id limit 1) as found",
      "0"
    )
    yield* here.returns("select count(*)::text from (select) as asked left join (select from probe) as r on true", "2")
    yield* here.returns("select exists (select from probe where id = 'a' and n is not distinct from 0)::text", "true")
  }),
  feature("the name of a violated constraint", "races for one idempotency key", function* (here) {
    const insert = "insert into probe values ('a', 0, now(), '{}')"
    const failed = yield* Effect.flip(Effect.asVoid(here.connection.query(insert, [], false))).pipe(
      Effect.mapError(() => new Deviation({ statement: insert, answer: "succeeded" }))
    )
    const { cause } = failed.reason
    if (!(cause instanceof Error) || !("constraint" in cause) || cause.constraint !== "probe_pkey") {
      yield* deviationOf(insert)(failed)
    }
  }),
  feature("ids and states of transactions", "outcomes of lost commits", function* (here, there) {
    yield* here.run("begin")
    const id = yield* here.run("select pg_current_xact_id()::text")
    yield* there.returns(`select pg_xact_status('${id}'::xid8)`, "in progress")
    yield* here.run("commit")
    yield* there.returns(`select pg_xact_status('${id}'::xid8)`, "committed")
  }),
  feature("prepared statements of a session", "every command", function* (here, there) {
    const statement = "select $1::text || n::text from probe where id = 'a'"
    const prepared = Effect.mapError(here.connection.queryValues(statement, ["n"], true), deviationOf(statement))
    yield* prepared
    // Another session takes what a pooler would have lent to the first.
    yield* there.run("begin")
    yield* prepared
    yield* there.run("rollback")
  }),
  feature("state of the server", "a pool that leaves a standby", function* (here) {
    yield* here.returns("select pg_is_in_recovery()::text", "false")
    yield* here.returns("select current_setting('transaction_read_only')", "off")
    yield* here.run("select (extract(epoch from clock_timestamp()) * 1000)::double precision")
  }),
  {
    name: "listen and notify",
    neededBy: "wakeups of workers in other processes, which otherwise poll",
    probe: (database) =>
      Effect.gen(function* () {
        const [here, there] = [yield* webhookWakeupOn(database), yield* webhookWakeupOn(database)]
        // The first wakeup tells that the connection listens.
        const heard = yield* Deferred.make<void>()
        yield* within("listen countersign_callbacks", there.awaitNotification)
        yield* Effect.forkChild(Effect.andThen(there.awaitNotification, Deferred.succeed(heard, undefined)))
        yield* here.notify
        yield* within("notify countersign_callbacks", Deferred.await(heard))
      })
  },
  feature(
    "sessions of others in pg_stat_activity",
    "diagnosis of locks; cut connections in the soak",
    function* (here, there) {
      const pid = yield* there.run("select pg_backend_pid()::text")
      yield* here.returns(`select count(*)::text from pg_stat_activity where pid = ${pid}`, "1")
      yield* here.run("select count(*)::text from pg_locks where locktype = 'advisory'")
    }
  )
]

const within = (statement: string, waiting: Effect.Effect<unknown, Deviation>) =>
  Effect.flatMap(Effect.timeoutOption(waiting, "10 seconds"), (heard) =>
    heard._tag === "Some" ? Effect.void : Effect.fail(new Deviation({ statement, answer: "nothing for 10 seconds" }))
  )
