/** A service that requires a synchronous standby, on a primary that has one, loses it, and has one again. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { migrate } from "../../src/adapters/migrator.ts"
import * as PostgresStorage from "../../src/adapters/postgres-storage/layer.ts"
import { migrations } from "../../src/migrations/all.ts"
import { schemaRangeOf } from "../../src/migrations/migration.ts"
import { signIn } from "../../src/people/sessions.ts"
import { lockTables, tables } from "../../src/tables.ts"
import { primaryAndStandby, type Cluster, type Clusters } from "../support/clusters.ts"
import { valueOf as valueOfMetric } from "../support/metrics.ts"
import { uuid } from "../support/parties.ts"
import { createAgreementAsPerson, materialsOf, readProjectAsPerson } from "../support/person-commands.ts"
import { answerOf, commandAsPerson } from "../support/person-commands.ts"
import { execute, valuesOf } from "../support/postgres.ts"
import { send, testService } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { post } from "../support/workspace.ts"

class Hosts extends Context.Service<Hosts, Clusters>()("test/Hosts") {}

const replicated = Effect.gen(function* () {
  const clusters = yield* Effect.orDie(primaryAndStandby)
  const { primary, standby } = clusters
  yield* primary.start()
  yield* standby.start()
  yield* migrate(primary.connection, migrations)
  yield* waitForStandby(clusters, true)
  return clusters
})

const valueOf = ({ connection }: Cluster, query: string) =>
  Effect.map(valuesOf(connection, query), (rows) => (rows as ReadonlyArray<ReadonlyArray<unknown>>)[0]![0])

/** Sets or empties `synchronous_standby_names`, as a cluster manager does, and waits until new commits follow it. */
const waitForStandby = ({ primary }: Clusters, waits: boolean) =>
  Effect.gen(function* () {
    const names = waits ? "*" : ""
    yield* execute(primary.connection, [
      `alter system set synchronous_standby_names = '${names}'`,
      "select pg_reload_conf()"
    ])
    const state = "select current_setting('synchronous_standby_names') || (select count(*) from pg_stat_replication)"
    while ((yield* valueOf(primary, state)) !== `${names}${waits ? 1 : 0}`) yield* Effect.sleep(20)
  })

const service = Layer.unwrap(
  Effect.map(Effect.orDie(replicated), (clusters) => {
    const storage = PostgresStorage.layer({
      connection: clusters.primary.connection,
      tables,
      lockTables,
      schema: schemaRangeOf(migrations),
      requireStandby: true
    })
    return Layer.merge(testService(storage), Layer.succeed(Hosts, clusters))
  })
)

const readiness = Effect.map(send("GET", "/readyz"), ({ status, body }) => [status, body.checks.replication])

const pause = (by: SignedInPerson, projectId: string) =>
  post(by, `/projects/${projectId}/pause`, { requestId: uuid(), reason: "Wait." })

const parties = Effect.gen(function* () {
  const [buyer, supplier] = [yield* signInNewPerson("Dana"), yield* signInNewPerson("Sam")]
  return { buyer, supplier, projectId: yield* createAgreementAsPerson(buyer, supplier) }
})

// Ordered: each test leaves the standby as the next one needs it.
layer(service, { excludeTestServices: true })("a service that requires a synchronous standby", (it) => {
  it.effect("With a synchronous standby the service is ready and commands commit.", () =>
    Effect.gen(function* () {
      const { buyer, supplier, projectId } = yield* parties
      assert.deepStrictEqual(yield* readiness, [200, true])
      const view = yield* readProjectAsPerson(buyer, projectId)
      const answered = yield* commandAsPerson(supplier, projectId, "respond", answerOf(view, supplier))
      assert.strictEqual(answered.status, 200, answered.text)
    })
  )

  it.effect("Without one, commands and replays are refused with 503, and people read, sign in, pause and revoke.", () =>
    Effect.gen(function* () {
      const clusters = yield* Hosts
      const { buyer, supplier, projectId } = yield* parties
      const view = yield* readProjectAsPerson(buyer, projectId)
      const response = answerOf(view, supplier)
      assert.strictEqual((yield* commandAsPerson(supplier, projectId, "respond", response)).status, 200)
      yield* clusters.standby.stop
      yield* waitForStandby(clusters, false)

      assert.deepStrictEqual(yield* readiness, [503, false])
      const current = yield* readProjectAsPerson(buyer, projectId)
      assert.strictEqual(current.project.state, "LOCKED")
      for (const [operation, body] of [
        ["respond", response],
        ["submit", materialsOf(current)]
      ] as const) {
        const refused = yield* commandAsPerson(supplier, projectId, operation, body)
        assert.deepStrictEqual([refused.status, refused.body.error], [503, "TEMPORARILY_UNAVAILABLE"], operation)
      }
      assert.deepStrictEqual(yield* readProjectAsPerson(buyer, projectId), current)
      yield* signIn(buyer.identity, { isInvited: false })
      assert.strictEqual((yield* pause(buyer, projectId)).status, 200)
    })
  )

  it.effect(
    "A command that waits for the standby when it is given up has no acknowledgement, and its replay has.",
    () =>
      Effect.gen(function* () {
        const clusters = yield* Hosts
        yield* clusters.standby.start()
        yield* waitForStandby(clusters, true)
        const { buyer, supplier, projectId } = yield* parties
        const view = yield* readProjectAsPerson(buyer, projectId)
        const response = answerOf(view, supplier)
        const lostBefore = yield* notReplicated
        yield* clusters.standby.stop
        const waiting = yield* Effect.forkChild(commandAsPerson(supplier, projectId, "respond", response))
        yield* untilCommitWaits(clusters)
        yield* waitForStandby(clusters, false)
        const unacknowledged = yield* Fiber.join(waiting)
        assert.strictEqual(unacknowledged.status, 503)
        assert.strictEqual((yield* notReplicated) - lostBefore, 1)
        assert.strictEqual((yield* readProjectAsPerson(buyer, projectId)).project.state, "LOCKED")

        yield* clusters.standby.start()
        yield* waitForStandby(clusters, true)
        const replayed = yield* commandAsPerson(supplier, projectId, "respond", response)
        assert.deepStrictEqual([replayed.status, replayed.body.replayed], [200, true])
      })
  )

  it.effect("A commit that a standby has not confirmed has no acknowledgement, though the server shows it.", () =>
    Effect.gen(function* () {
      const clusters = yield* Hosts
      const { buyer, supplier, projectId } = yield* parties
      const view = yield* readProjectAsPerson(buyer, projectId)
      const response = answerOf(view, supplier)
      yield* clusters.standby.stop
      const waiting = yield* Effect.forkChild(commandAsPerson(supplier, projectId, "respond", response))
      yield* untilCommitWaits(clusters)
      // As when the server recovers from a crash: the commit stands, and its wait has ended.
      const end = "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"
      yield* valueOf(clusters.primary, end)
      const unacknowledged = yield* Fiber.join(waiting)
      assert.strictEqual(unacknowledged.status, 503)
      assert.strictEqual((yield* readProjectAsPerson(buyer, projectId)).project.state, "LOCKED")

      yield* clusters.standby.start()
      yield* waitForStandby(clusters, true)
      const replayed = yield* commandAsPerson(supplier, projectId, "respond", response)
      assert.deepStrictEqual([replayed.status, replayed.body.replayed], [200, true])
    })
  )
})

const notReplicated = valueOfMetric("countersign_indeterminate_commits_total", { outcome: "NOT_REPLICATED" })

const untilCommitWaits = ({ primary }: Clusters) =>
  Effect.gen(function* () {
    const waits = "select count(*)::int from pg_stat_activity where wait_event = 'SyncRep'"
    while ((yield* valueOf(primary, waits)) === 0) yield* Effect.sleep(20)
  })
