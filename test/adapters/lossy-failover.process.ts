/** A failover to a standby that lacks the last commits: the process that has seen them signs no number twice. */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Redacted, Schedule } from "effect"
import { migrate } from "../../src/adapters/migrator.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { migrations } from "../../src/migrations/all.ts"
import { inView } from "../../src/ports/storage/run.ts"
import { Projects } from "../../src/projects/store.ts"
import { primaryAndStandby, urlOfHosts } from "../support/clusters.ts"
import { materialsOf, commandAsPerson, readProjectAsPerson, runToLocked } from "../support/person-commands.ts"
import { valuesOf } from "../support/postgres.ts"
import { postgresStorage, testService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, outcome } from "../support/workspace.ts"

/** Repeats the query until this is its first value: a standby that starts accepts connections late. */
const untilAnswered = (connection: ConnectionOptions, query: string, value: string) =>
  Effect.repeat(Effect.exit(valuesOf(connection, query)), {
    until: (exit) => Exit.isSuccess(exit) && String(exit.value[0]) === value,
    schedule: Schedule.spaced("50 millis")
  })

it.live(
  "After a failover that lost commits, a process signs nothing on a project whose later head it has seen, and marks it.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { primary, standby, password } = yield* Effect.orDie(primaryAndStandby)
        const hosts = { url: Redacted.make(urlOfHosts(password, primary, standby)) }
        yield* primary.start()
        yield* migrate(hosts, migrations)
        yield* standby.start()
        yield* Effect.gen(function* () {
          const pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
          const projectId = yield* runToLocked(pair)
          const locked = yield* readProjectAsPerson(pair.supplier, projectId)
          yield* untilAnswered(standby.connection, "select event_count from projects", "2")
          yield* standby.stop
          createdBody(yield* commandAsPerson(pair.supplier, projectId, "submit", materialsOf(locked)))
          yield* primary.stop
          yield* standby.start()
          yield* untilAnswered(standby.connection, "select pg_promote()", "true")

          const refused = yield* Effect.repeat(
            commandAsPerson(pair.supplier, projectId, "submit", materialsOf(locked)),
            { until: ({ status }) => status !== 503, schedule: Schedule.spaced("100 millis") }
          )
          assert.deepStrictEqual(outcome(refused), [409, "PROJECT_READ_ONLY"])
          const row = yield* inView((reader) => reader.get(Projects, [projectId]))
          assert.deepInclude(row, { eventCount: 2, headEventHash: locked.project.headEventHash })
          assert.deepInclude(row?.lostHead, { sequence: 3, epoch: null })
        }).pipe(Effect.provide(testService(postgresStorage(hosts))))
      })
    ),
  120_000
)
