/** Reads of a service whose replica is paused, ahead of its primary, stopped and promoted, over HTTP. */
import * as net from "node:net"
import { assert, describe, it, layer } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Fiber, Layer, Redacted } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { Storage } from "../../src/ports/storage.ts"
import { Organizations } from "../../src/people/store.ts"
import { replicaFindings } from "../../src/adapters/checks/replica.ts"
import { readSettings } from "../../src/adapters/configuration.ts"
import {
  primaryPosition,
  primaryPositionOf,
  replicaPosition
} from "../../src/adapters/postgres-storage/replica-position.ts"
import type { Counts } from "../../src/adapters/postgres-storage/session.ts"
import type { Statement } from "../../src/adapters/postgres-storage/statements.ts"
import { primaryAndStandby, urlOfHosts, type Cluster, type Clusters } from "../support/clusters.ts"
import { makeAgent, makeParty, uuid } from "../support/parties.ts"
import { answerOf, commandAsPerson, createAgreementAsPerson, readProjectAsPerson } from "../support/person-commands.ts"
import { execute, valuesOf } from "../support/postgres.ts"
import {
  countingReads,
  openSession,
  primaryAndReplica,
  promote,
  replicatedStorage,
  untilServedBy,
  valueOf,
  whilePaused
} from "../support/replica.ts"
import { send, testService } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { listWebhooks } from "../support/webhooks.ts"
import { post, read } from "../support/workspace.ts"

class Hosts extends Context.Service<Hosts, Clusters>()("test/Hosts") {}
class Observed extends Context.Service<Observed, { readonly counts: Array<Counts>; connections: number }>()(
  "test/Observed"
) {}

const service = Layer.unwrap(
  Effect.map(primaryAndReplica, (clusters) => {
    const { port, connection } = clusters.standby
    const observed: Observed["Service"] = { counts: [], connections: 0 }
    const stream = () => {
      observed.connections += 1
      return net.connect({ host: "127.0.0.1", port })
    }
    const storage = replicatedStorage(clusters, {
      replica: { ...connection, stream },
      observe: (counts) => void observed.counts.push(counts)
    })
    return Layer.mergeAll(testService(storage), Layer.succeed(Hosts, clusters), Layer.succeed(Observed, observed))
  })
)

interface ListedProject {
  readonly projectId: string
  readonly state: string
  readonly automation: { readonly paused: boolean }
}

const projectsOf = (by: SignedInPerson) =>
  Effect.map(read(by, "/projects"), ({ status, body, text }): ReadonlyArray<ListedProject> => {
    assert.strictEqual(status, 200, text)
    return body.projects
  })

const projectIn = (projects: ReadonlyArray<ListedProject>, projectId: string) =>
  projects.find((project) => project.projectId === projectId)

const parties = Effect.gen(function* () {
  const [buyer, supplier] = [yield* signInNewPerson("Dana"), yield* signInNewPerson("Sam")]
  return { buyer, supplier, projectId: yield* createAgreementAsPerson(buyer, supplier) }
})

const warnings = Effect.map(send("GET", "/readyz"), ({ status, body }): ReadonlyArray<string> => {
  assert.strictEqual(status, 200)
  return body.warnings
})

/** The replica serves the lists of this person again. */
const served = (by: SignedInPerson) => untilServedBy("replica", projectsOf(by))

// Ordered: each test leaves a replica that can serve, and the last one promotes it.
layer(service, { excludeTestServices: true })("a service with a replica", (it) => {
  it.effect("The replica serves a list once it has replayed, with one round trip more than its reads.", () =>
    Effect.gen(function* () {
      const { buyer, projectId } = yield* parties
      yield* served(buyer)
      const { counts } = yield* Observed
      const { value, served: by } = yield* countingReads(projectsOf(buyer))
      assert.isDefined(projectIn(value, projectId))
      assert.deepStrictEqual(by, { replica: 1 })
      // The session of the person on the primary, then the list: position, BEGIN, snapshot, three reads, COMMIT.
      assert.deepStrictEqual(counts.at(-1), { statements: 7, roundTrips: 4 })
      assert.deepStrictEqual(yield* warnings, [])
    })
  )

  it.effect("While replay is paused, no list is older than what its caller wrote or another caller was answered.", () =>
    Effect.gen(function* () {
      const clusters = yield* Hosts
      const { buyer, supplier, projectId } = yield* parties
      yield* served(buyer)
      const view = yield* readProjectAsPerson(buyer, projectId)
      yield* whilePaused(
        clusters,
        Effect.gen(function* () {
          const written = yield* createAgreementAsPerson(buyer, supplier)
          const own = yield* countingReads(projectsOf(buyer))
          assert.isDefined(projectIn(own.value, written))
          assert.deepStrictEqual(own.served, { BEHIND: 1 })
          assert.include((yield* warnings).join(), "has not replayed what the primary shows")

          const answered = yield* commandAsPerson(supplier, projectId, "respond", answerOf(view, supplier))
          assert.strictEqual(answered.status, 200, answered.text)
          assert.strictEqual((yield* readProjectAsPerson(buyer, projectId)).project.state, "LOCKED")
          for (const reader of [buyer, supplier]) {
            assert.strictEqual(projectIn(yield* projectsOf(reader), projectId)?.state, "LOCKED")
          }
        })
      )
      yield* served(supplier)
      assert.strictEqual(projectIn(yield* projectsOf(supplier), projectId)?.state, "LOCKED")
      assert.deepStrictEqual(yield* warnings, [])
    })
  )

  it.effect("A revocation and a pause hold for every read that begins after they were acknowledged.", () =>
    Effect.gen(function* () {
      const clusters = yield* Hosts
      const party = yield* makeParty("Ada")
      const agent = yield* makeAgent(party, "BUYER", ["CREATE_PROJECT"])
      const { buyer, supplier, projectId } = yield* parties
      yield* untilServedBy("replica", listWebhooks(agent.token))
      yield* whilePaused(
        clusters,
        Effect.gen(function* () {
          yield* revokeGrant(onBehalfOf(party.personId), agent)
          const refused = yield* countingReads(listWebhooks(agent.token))
          assert.deepStrictEqual([refused.value.status, refused.value.body.error], [401, "AUTH_INVALID"])
          assert.deepStrictEqual(refused.served, { BEHIND: 1 })
        })
      )
      yield* served(supplier)
      yield* whilePaused(
        clusters,
        Effect.gen(function* () {
          const paused = yield* post(buyer, `/projects/${projectId}/pause`, { requestId: uuid(), reason: "Wait." })
          assert.strictEqual(paused.status, 200, paused.text)
          const seen = yield* countingReads(projectsOf(supplier))
          assert.isTrue(projectIn(seen.value, projectId)?.automation.paused)
          assert.deepStrictEqual(seen.served, { BEHIND: 1 })
        })
      )
      yield* served(supplier)
      assert.isTrue(projectIn(yield* projectsOf(supplier), projectId)?.automation.paused)
    })
  )

  it.effect("A commit that waits for its synchronous standby is shown by no list, though the replica has it.", () =>
    Effect.gen(function* () {
      const clusters = yield* Hosts
      const { buyer, supplier, projectId } = yield* parties
      yield* served(buyer)
      const view = yield* readProjectAsPerson(buyer, projectId)
      yield* waitForStandbyNamed(clusters, "'absent'")
      const waiting = yield* Effect.forkChild(commandAsPerson(supplier, projectId, "respond", answerOf(view, supplier)))
      const replayed = `select state from projects where project_id = '${projectId}'`
      yield* Effect.gen(function* () {
        while ((yield* valueOf(clusters.standby, replayed)) !== "LOCKED") yield* Effect.sleep(10)
        const seen = yield* countingReads(projectsOf(buyer))
        assert.strictEqual(projectIn(seen.value, projectId)?.state, view.project.state)
        assert.deepStrictEqual(seen.served, { AHEAD: 1 })
      }).pipe(Effect.ensuring(waitForStandbyNamed(clusters, "''")))
      assert.strictEqual((yield* Fiber.join(waiting)).status, 200)
      yield* served(buyer)
      assert.strictEqual(projectIn(yield* projectsOf(buyer), projectId)?.state, "LOCKED")
    })
  )

  it.effect("A long write transaction does not keep the replica from serving.", () =>
    Effect.gen(function* () {
      const { primary } = yield* Hosts
      const { buyer } = yield* parties
      const session = yield* openSession(primary)
      yield* Effect.orDie(session.query("begin", [], false))
      yield* Effect.orDie(session.query("select pg_current_xact_id()", [], false))
      // A later transaction has ended, so that the replica has seen both ids.
      const { projectId } = yield* parties
      yield* served(buyer)
      assert.isUndefined(projectIn(yield* projectsOf(buyer), projectId))
      yield* Effect.orDie(session.query("rollback", [], false))
    })
  )

  it.effect("A rollback, which Postgres flushes later, does not keep the replica from serving.", () =>
    Effect.gen(function* () {
      const { primary } = yield* Hosts
      const { buyer } = yield* parties
      const session = yield* openSession(primary)
      yield* served(buyer)
      for (const statement of ["begin", "create table unused ()", "rollback"]) {
        yield* Effect.orDie(session.query(statement, [], false))
      }
      assert.deepStrictEqual((yield* countingReads(projectsOf(buyer))).served, { replica: 1 })
    })
  )

  it.effect("A role without privileges can compare the two, and learns the timeline of the replica.", () =>
    Effect.gen(function* () {
      const { primary, standby } = yield* Hosts
      yield* execute(primary.connection, ["create role plain login password 'plain'"])
      while ((yield* valueOf(standby, "select count(*)::int from pg_roles where rolname = 'plain'")) === 0) {
        yield* Effect.sleep(10)
      }
      const asPlain = ({ connection }: Cluster) => ({
        connection: { ...connection, username: "plain", password: Redacted.make("plain") }
      })
      const [position] = yield* rowsOf(asPlain(primary), primaryPosition)
      const { cluster, timeline } = primaryPositionOf(position!)
      const [replica] = yield* rowsOf(asPlain(standby), replicaPosition)
      assert.deepStrictEqual(replica!.slice(0, 2), [cluster, timeline])
    })
  )

  it.effect("doctor compares the replica with the primary.", () =>
    Effect.gen(function* () {
      const clusters = yield* Hosts
      const { buyer } = yield* parties
      yield* served(buyer)
      assert.deepStrictEqual(yield* findingsOn(clusters), [
        "OK READ_DATABASE_URL: the replica has what the primary shows"
      ])
      yield* whilePaused(
        clusters,
        Effect.gen(function* () {
          yield* signInNewPerson("Ada")
          assert.deepStrictEqual(yield* findingsOn(clusters), [
            "PROBLEM READ_DATABASE_URL: the replica has not replayed what the primary shows: the primary would serve its reads"
          ])
        })
      )
      const { primary, standby, password } = clusters
      const hosts = Redacted.make(urlOfHosts(password, primary, standby))
      assert.match(
        (yield* findingsOn({ ...clusters, standby: { ...standby, connection: { url: hosts } } }))[0]!,
        /^OK /
      )
      const [alone] = yield* findingsOn({ ...clusters, standby: primary })
      assert.match(alone!, /^PROBLEM READ_DATABASE_URL: the replica cannot be reached .* is no standby/)
    })
  )

  it.effect("The replica serves on after the log was switched to its next segment.", () =>
    Effect.gen(function* () {
      const { primary } = yield* Hosts
      const { buyer } = yield* parties
      yield* execute(primary.connection, ["select pg_switch_wal()::text"])
      yield* served(buyer)
    })
  )

  it.effect("A view whose connection to the replica ends is repeated on the primary.", () =>
    Effect.gen(function* () {
      const { standby } = yield* Hosts
      const { buyer } = yield* parties
      yield* served(buyer)
      const storage = yield* Storage
      let runs = 0
      const end =
        "select pg_terminate_backend(pid) from pg_stat_activity" +
        " where application_name = 'countersign' and state = 'idle in transaction'"
      const { value, served: by } = yield* countingReads(
        storage.view(
          (reader) =>
            Effect.gen(function* () {
              runs += 1
              if (runs === 1) yield* execute(standby.connection, [end])
              return yield* reader.get(Organizations, [buyer.organizationId])
            }),
          { replica: true }
        )
      )
      assert.strictEqual(value?.organizationId, buyer.organizationId)
      assert.deepStrictEqual([runs, by], [2, { UNREACHABLE: 1 }])
    })
  )

  it.effect("While the replica is down the primary serves; once it is up again, the replica does.", () =>
    Effect.gen(function* () {
      const { standby } = yield* Hosts
      const { buyer, projectId } = yield* parties
      yield* served(buyer)
      yield* standby.stop
      const observed = yield* Observed
      const before = observed.connections
      const reads = 20
      for (let index = 0; index < reads; index++) {
        const { value, served: by } = yield* countingReads(projectsOf(buyer))
        assert.isDefined(projectIn(value, projectId))
        assert.deepStrictEqual(by, { UNREACHABLE: 1 })
      }
      assert.isBelow(observed.connections - before, reads, "attempts to connect")
      assert.match(
        (yield* warnings).join(),
        /^the replica of READ_DATABASE_URL cannot be reached: the primary serves its reads$/
      )
      yield* standby.start()
      yield* served(buyer)
      assert.deepStrictEqual(yield* warnings, [])
    })
  )

  it.effect("A replica that was promoted serves nothing more.", () =>
    Effect.gen(function* () {
      const clusters = yield* Hosts
      const { buyer, supplier } = yield* parties
      yield* served(buyer)
      yield* promote(clusters)
      while ((yield* valueOf(clusters.standby, "select pg_is_in_recovery()")) === true) yield* Effect.sleep(10)
      const lost = "delete from project_sides"
      yield* execute(clusters.standby.connection, ["set session_replication_role = replica", lost])
      const written = yield* createAgreementAsPerson(buyer, supplier)
      const { value, served: by } = yield* countingReads(projectsOf(buyer))
      assert.isDefined(projectIn(value, written))
      assert.deepStrictEqual(by, { UNFIT: 1 })
      assert.include((yield* warnings).join(), "is no standby any more")
    })
  )
})

const rowsOf = ({ connection }: Pick<Cluster, "connection">, { sql }: Statement) =>
  Effect.map(valuesOf(connection, sql), (rows) => rows as ReadonlyArray<ReadonlyArray<unknown>>)

const urlOf = ({ connection }: Cluster): string => Redacted.value(connection.url!)

const settingsOf = ({ primary, standby }: Clusters) =>
  Effect.provideService(
    readSettings,
    ConfigProvider.ConfigProvider,
    ConfigProvider.fromEnvRecord({ DATABASE_URL: urlOf(primary), READ_DATABASE_URL: urlOf(standby) })
  )

const findingsOn = (clusters: Clusters) =>
  Effect.map(Effect.flatMap(settingsOf(clusters), replicaFindings), (findings) =>
    findings.map(({ outcome, message }) => `${outcome} ${message}`)
  )

/** Sets the names of synchronous standbys, and waits until new commits follow it. */
const waitForStandbyNamed = ({ primary }: Clusters, names: string) =>
  Effect.gen(function* () {
    yield* execute(primary.connection, [
      `alter system set synchronous_standby_names = ${names}`,
      "select pg_reload_conf()"
    ])
    const state = "select current_setting('synchronous_standby_names')"
    while (`'${yield* valueOf(primary, state)}'` !== names) yield* Effect.sleep(20)
  })

describe("a replica of another cluster", () => {
  it.live("A standby of another cluster serves nothing, though it has replayed more.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const clusters = yield* primaryAndReplica
        const others = yield* Effect.orDie(primaryAndStandby)
        yield* others.primary.start()
        yield* others.standby.start()
        const far = Array.from({ length: 5 }, () => [
          "create table padding as select 1 as one",
          "drop table padding",
          "select pg_switch_wal()::text"
        ]).flat()
        yield* execute(others.primary.connection, far)
        const storage = replicatedStorage({ ...clusters, standby: others.standby })
        yield* Effect.gen(function* () {
          const { buyer, projectId } = yield* parties
          yield* untilServedBy("UNFIT", projectsOf(buyer))
          assert.isDefined(projectIn(yield* projectsOf(buyer), projectId))
          assert.include((yield* warnings).join(), "is a copy of another cluster")
        }).pipe(Effect.provide(testService(storage)))
      })
    )
  )
})
