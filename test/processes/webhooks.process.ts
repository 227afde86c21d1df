/** Webhooks with servers and workers as separate processes, and a receiver behind real TLS. */
import { PgConnection, PgTypes } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, type Scope } from "effect"
import { signatureOf } from "../../src/webhooks/signature.ts"
import { readDeliveries, subscribeAsAgent } from "../support/webhooks.ts"
import { host } from "../support/webhook-receiver.ts"
import { installationOn, operator, type Environment, type TestInstallation } from "../support/installation.ts"
import { sendCommand } from "../support/parties.ts"
import { freePort, overSockets, startServer } from "../support/server.ts"
import { freshService } from "../support/service.ts"
import { Service } from "../../src/service.ts"
import { makeArena, nextCommand } from "./arena.ts"
import { respond, startLoggingReceiver, startServerWithoutWorkers, startWorker, until } from "./webhook-processes.ts"

/** Polling is too slow for these tests, so that only a wake-up can succeed. */
const neverPolls = { WEBHOOK_INTERVAL: "1 hour" }

const target = `https://${host}/events`

/** A project with a subscription of its buyer, and an effect that commits its next event. */
const subscribedProject = Effect.gen(function* () {
  const arena = yield* makeArena(1)
  const lane = arena.lanes[0]!
  const { buyerAgent } = arena
  const { subscription, secret } = yield* subscribeAsAgent(buyerAgent.token, [lane.projectId], { target })
  const commitEvent = Effect.gen(function* () {
    const { token, operation, body } = nextCommand(arena, lane)
    lane.view = (yield* sendCommand(token, lane.projectId, operation, body)).body
  })
  const deliveries = Effect.map(readDeliveries(buyerAgent.token, subscription.id), ({ body }) => body.deliveries)
  return { secret, commitEvent, deliveries }
})

const test = (name: string, body: (installation: TestInstallation) => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live(
    name,
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          yield* body(yield* installationOn(yield* freshService))
        })
      ),
    120_000
  )

describe.concurrent("webhook workers", () => {
  test("An event committed in one process is sent at once by a worker in another one.", ({ environment }) =>
    Effect.gen(function* () {
      const receiver = yield* startLoggingReceiver((logged) => respond(logged, 204))
      const [server] = yield* Effect.all(
        [
          startServerWithoutWorkers(environment),
          startWorker({ ...environment, ...neverPolls }, receiver.port, "127.0.0.2")
        ],
        { concurrency: 2 }
      )
      yield* Effect.gen(function* () {
        const project = yield* subscribedProject
        for (let events = 1; events <= 3; events++) {
          yield* project.commitEvent
          yield* until("the webhook", () => receiver.log.length === events)
        }
        for (const { headers, body } of receiver.log) {
          assert.strictEqual(
            headers["service-signature"],
            signatureOf(project.secret, headers["service-timestamp"]!, body)
          )
        }
        assert.strictEqual(new Set(receiver.log.map(({ headers }) => headers["service-delivery-id"])).size, 3)
      }).pipe(Effect.provide(Layer.merge(overSockets(server.origin), operator(environment))))
    }))

  test("On SIGTERM a worker releases its deliveries in progress, and another worker sends them at once.", (installation) =>
    Effect.gen(function* () {
      const { environment, connection } = installation
      const session = yield* PgConnection.make(connection)
      const receiver = yield* startLoggingReceiver((logged) => {
        if (logged.address === "127.0.0.2") respond(logged, 204)
      })
      const longLease = { ...environment, ...neverPolls, WEBHOOK_LEASE: "1 hour", WEBHOOK_TIMEOUT: "30 minutes" }
      const first = yield* startWorker(longLease, receiver.port, "127.0.0.1")
      yield* Effect.gen(function* () {
        const project = yield* subscribedProject
        yield* project.commitEvent
        yield* until("the first attempt", () => receiver.log.length === 1)
        yield* startWorker(longLease, receiver.port, "127.0.0.2")
        yield* untilListening(session, 2)
        first.child.kill("SIGTERM")
        assert.strictEqual(yield* Effect.promise(() => first.ended), 0)
        yield* until("the second attempt", () => receiver.log.length === 2)
        assert.deepStrictEqual(
          receiver.log.map(({ address }) => address),
          ["127.0.0.1", "127.0.0.2"]
        )
        yield* untilDelivered(project.deliveries)
        const [delivery] = yield* project.deliveries
        assert.deepInclude(delivery, { state: "DELIVERED", scheduledAttempts: 2, totalAttempts: 2 })
      }).pipe(Effect.provide(serviceHere(environment)))
    }))

  test("On SIGTERM a server stops its fan-out while it answers the requests in flight.", (installation) =>
    Effect.gen(function* () {
      const { environment, connection } = installation
      const session = yield* PgConnection.make(connection)
      const holder = yield* PgConnection.make(connection)
      const server = yield* startServer({ ...environment, ...neverPolls })
      yield* Effect.gen(function* () {
        const project = yield* subscribedProject
        yield* untilListening(session, 1)
        yield* project.commitEvent
        // The worker beside the server is notified of commits of other processes.
        yield* untilNumbered(session, 1)
        assert.lengthOf(yield* numbered(session), 1)
        const slow = yield* makeArena(1)
        const lane = slow.lanes[0]!
        yield* holder.query("begin")
        const hold = [PgTypes.text(lane.projectId)]
        yield* holder.query("select from projects where project_id = $1 for update", hold)
        const { token, operation, body } = nextCommand(slow, lane)
        const inFlight = yield* Effect.forkChild(
          sendCommand(token, lane.projectId, operation, body).pipe(Effect.provide(overSockets(server.origin)))
        )
        yield* Effect.sleep(300)
        server.child.kill("SIGTERM")
        yield* Effect.sleep(500)
        yield* project.commitEvent
        yield* Effect.sleep(1_000)
        assert.lengthOf(yield* numbered(session), 1)
        assert.isNull(server.child.exitCode)
        yield* holder.query("rollback")
        assert.strictEqual((yield* Fiber.join(inFlight)).status, 200)
        assert.strictEqual(yield* Effect.promise(() => server.ended), 0)
      }).pipe(Effect.provide(serviceHere(environment)))
    }))

  test("A worker that was suspended beyond its lease changes nothing with its late result.", (installation) =>
    Effect.gen(function* () {
      const receiver = yield* startLoggingReceiver((logged) => {
        if (logged.address === "127.0.0.2") respond(logged, 503)
      })
      const { environment, connection } = installation
      const shortLease = {
        ...environment,
        WEBHOOK_INTERVAL: "500 millis",
        WEBHOOK_LEASE: "1500 millis",
        WEBHOOK_TIMEOUT: "1 second",
        WEBHOOK_BACKOFF: "1 hour"
      }
      const metricsPort = String(yield* freePort)
      const first = yield* startWorker({ ...shortLease, METRICS_PORT: metricsPort }, receiver.port, "127.0.0.1")
      const session = yield* PgConnection.make(connection)
      yield* Effect.gen(function* () {
        const project = yield* subscribedProject
        yield* project.commitEvent
        yield* until("the first attempt", () => receiver.log.length === 1)
        first.child.kill("SIGSTOP")
        yield* startWorker(shortLease, receiver.port, "127.0.0.2")
        yield* until("the second attempt", () => receiver.log.length === 2)
        yield* untilSettled(session, 2)
        const before = yield* storedDeliveries(session)
        respond(receiver.log[0]!, 204)
        first.child.kill("SIGCONT")
        yield* Effect.promise(() => untilLateResult(metricsPort))
        assert.deepStrictEqual(yield* storedDeliveries(session), before)
        assert.strictEqual(receiver.log.length, 2)
      }).pipe(Effect.provide(serviceHere(environment)))
    }))
})

/** The process of the test commits and notifies, as a server does. */
const serviceHere = (environment: Environment) => Service.pipe(Layer.provideMerge(operator(environment)))

/** A worker that begins to listen polls once; a delivery found then was not found by a notification. */
const untilListening = (session: PgConnection.PgConnection, workers: number) =>
  Effect.gen(function* () {
    const listeners =
      "select from pg_stat_activity where query like 'LISTEN%callbacks%' and datname = current_database()"
    for (let attempts = 0; attempts < 500; attempts++) {
      if ((yield* session.queryValues(listeners, [], false)).length === workers) break
      yield* Effect.sleep(20)
    }
    yield* Effect.sleep(500)
  })

const untilDelivered = <E, R>(deliveries: Effect.Effect<any, E, R>) =>
  Effect.gen(function* () {
    for (let attempts = 0; attempts < 500; attempts++) {
      const [delivery] = yield* deliveries
      if (delivery.state === "DELIVERED") return
      yield* Effect.sleep(20)
    }
  })

const numbered = (session: PgConnection.PgConnection) => session.queryValues("select number from webhook_deliveries")

const untilNumbered = (session: PgConnection.PgConnection, deliveries: number) =>
  Effect.gen(function* () {
    for (let attempts = 0; attempts < 500 && (yield* numbered(session)).length < deliveries; attempts++)
      yield* Effect.sleep(20)
  })

const untilSettled = (session: PgConnection.PgConnection, attempt: number) =>
  Effect.gen(function* () {
    const settled = "select outcome from webhook_attempts where attempt = $1 and outcome is not null"
    for (let attempts = 0; attempts < 500; attempts++) {
      if ((yield* session.queryValues(settled, [PgTypes.int8(BigInt(attempt))])).length > 0) return
      yield* Effect.sleep(20)
    }
  })

/** Every row that a result could change. */
const storedDeliveries = (session: PgConnection.PgConnection) =>
  Effect.all([
    session.queryValues("select to_jsonb(d)::text from webhook_deliveries d"),
    session.queryValues("select to_jsonb(a)::text from webhook_attempts a order by attempt"),
    session.queryValues("select failures, flights::text from webhook_subscriptions")
  ])

const untilLateResult = async (port: string): Promise<void> => {
  for (let attempts = 0; attempts < 500; attempts++) {
    const project = await fetch(`http://127.0.0.1:${port}/metrics`).then((response) => response.text())
    if (/^countersign_webhook_late_results_total\S* 1$/m.test(project)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error("no late result was counted")
}
