/** A server logs no token, hash, key or password, whatever requests it gets and whatever fails. */
import { PgConnection } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { tokenHash } from "../../src/vocabulary/token.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { installationOn, operator } from "../support/installation.ts"
import { sendCommand, readProject, reviewOf, startProject, runToSubmitted } from "../support/parties.ts"
import { overSockets, startServer } from "../support/server.ts"
import { freshService, send } from "../support/service.ts"

const agents = "/api/agents/v1"

it.live("No output of a server contains secrets, in normal operation and during failures.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const installation = yield* installationOn(yield* freshService)
      const { environment, connection, secrets } = installation
      const { origin, output, child, ended } = yield* startServer(environment)
      const tokens = yield* Effect.gen(function* () {
        const started = yield* startProject()
        const view = yield* runToSubmitted(started)
        const { buyerAgent, supplierAgent, projectId } = started
        yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(view, "ACCEPT"))
        yield* misuse(buyerAgent.token, projectId)
        yield* causeFailures(connection, buyerAgent.token, projectId)
        return [buyerAgent.token, supplierAgent.token]
      }).pipe(Effect.provide(overSockets(origin)), Effect.provide(operator(environment)))
      child.kill("SIGTERM")
      yield* Effect.promise(() => ended)

      const logged = output()
      assert.include(logged, "storage unavailable")
      assert.include(logged, "defect")
      const canaries = [...tokens, ...tokens.map(tokenHash), ...secrets]
      assert.isAtLeast(canaries.length, connection.password === undefined ? 5 : 6)
      for (const canary of canaries) assert.isFalse(logged.includes(canary), `${canary.slice(0, 6)}… was logged`)
    })
  )
)

/** A client sends its token in wrong places. */
const misuse = Effect.fnUntraced(function* (token: string, projectId: string) {
  yield* send("GET", `${agents}/me?access_token=${token}`)
  yield* send("GET", `${agents}/projects/${token}`, { token })
  yield* send("GET", `/${token}`)
  yield* send("GET", `${agents}/me`, { token: `${token}0` })
  yield* send("POST", `${agents}/projects/${projectId}/submit`, { token, raw: `{"token": "${token}"` })
  yield* send("POST", `${agents}/projects`, { token, body: { [token]: token } })
})

/** A table is locked for too long, then renamed in part: the second is a defect, which is logged in full. */
const causeFailures = Effect.fnUntraced(function* (connection: ConnectionOptions, token: string, projectId: string) {
  const session = yield* Effect.orDie(PgConnection.make(connection))
  const run = (statement: string) => Effect.orDie(session.query(statement, [], false))
  yield* run("begin")
  yield* run("lock table grants in access exclusive mode")
  assert.strictEqual((yield* readProject(token, projectId)).error, "TEMPORARILY_UNAVAILABLE")
  yield* run("rollback")
  yield* run("alter table grants rename column generation to former_generation")
  assert.strictEqual((yield* send("GET", `${agents}/me`, { token })).status, 500)
})
