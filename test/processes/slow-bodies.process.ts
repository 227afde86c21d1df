/** Requests that their clients never finish: their cost for other clients, and their responses. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { Configuration, siteUrlOf } from "../../src/adapters/configuration.ts"
import { Load } from "../../src/http/load.ts"
import { Transport, transportRules } from "../../src/http/transport.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { installationOn } from "../support/installation.ts"
import { makeAgent, makeParty } from "../support/parties.ts"
import { serveInProcess } from "../support/server.ts"
import { freshService, send } from "../support/service.ts"
import { SlowClients, slowRequests } from "../support/slow-clients.ts"
import { measureBesideSlowBodies, slowKinds } from "./slow-bodies.ts"

/** A service in this process with this limit of requests in flight, slow clients for it, and an agent's token. */
const withSlowClients = <A, E, R>(
  requestsInFlight: number,
  use: (context: {
    readonly slow: SlowClients
    readonly port: number
    readonly origin: string
    readonly token: string
  }) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const { environment } = yield* installationOn(yield* freshService)
    const transport = transportRules({ endsTls: false, trustedProxies: ["127.0.0.1"], requestsInFlight })
    return yield* Effect.gen(function* () {
      const { token } = yield* makeAgent(yield* makeParty("Dana"), "BUYER", ["CREATE_PROJECT"])
      const configuration = yield* Configuration
      const slow = new SlowClients()
      const context = { slow, port: configuration.port, origin: siteUrlOf(configuration), token }
      // They disconnect before the service ends, which would wait for them.
      return yield* Effect.ensuring(
        use(context),
        Effect.sync(() => slow.stop())
      )
    }).pipe(Effect.provide(serveInProcess(environment).pipe(Layer.provide(Layer.succeed(Transport, transport)))))
  }).pipe(Effect.scoped)

/** Waits for a condition; the timeout of the test is the limit. */
const until = (condition: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (condition() ? Effect.void : Effect.andThen(Effect.sleep(10), until(condition))))

const hops = (address: string) => [`X-Forwarded-For: ${address}`, "X-Forwarded-Proto: https"]

describe.concurrent("unfinished requests", () => {
  for (const way of ["directly", "through a proxy"] as const) {
    it.live(`Unfinished requests cost a prompt client no response, ${way}.`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const installation = yield* installationOn(yield* freshService)
          const environment = { ...installation.environment, REQUESTS_IN_FLIGHT: "4" }
          const extent = { sockets: 12, continues: (asked: number) => asked < 5 }
          const outcomes = yield* measureBesideSlowBodies({ ...installation, environment }, way, slowKinds, extent)
          for (const { kind, wrong } of outcomes) assert.deepStrictEqual(wrong, [], kind)
        })
      )
    )
  }

  it.live(
    "An unfinished body does not count as a request in flight, and frees its bytes when its client disconnects.",
    () =>
      withSlowClients(4, ({ slow, port, origin, token }) =>
        Effect.gen(function* () {
          const { bodies, isOverloaded } = yield* Load
          for (const request of Object.values(slowRequests(token, origin, hops("198.51.100.1")))) {
            slow.begin(port, 2, request)
            yield* Effect.sleep(50)
          }
          // All except those that are still sending headers, with one byte each.
          yield* until(() => bodies.count === 8 && bodies.bytes === 8)
          assert.isFalse(isOverloaded())
          slow.stop()
          yield* until(() => bodies.count === 0)
          assert.deepStrictEqual([bodies.bytes, isOverloaded()], [0, false])
          assert.strictEqual((yield* send("GET", "/readyz")).status, 200)
        })
      )
  )

  it.live("A late body is answered with 503 in the documented form, and its connection is closed.", () =>
    withSlowClients(4, ({ slow, port, origin, token }) =>
      Effect.gen(function* () {
        const requests = slowRequests(token, origin, hops("198.51.100.1"))
        slow.begin(port, 1, requests["JSON without a credential"])
        slow.begin(port, 1, requests["chunks without a length"])
        slow.begin(port, 1, requests["a form without a session"])
        slow.begin(port, 1, requests["JSON with a credential"])
        yield* until(() => slow.answers.length === 3)
        // With a credential the timeout is longer.
        assert.strictEqual(slow.open, 1)
        for (const answer of slow.answers) {
          assert.match(answer, /^HTTP\/1\.1 503 /)
          assert.match(answer, /^connection: close\r$/im)
          assert.match(answer, /^retry-after: 1\r$/im)
          assert.include(answer, "The request body took longer than 5 seconds to arrive; send it at once.")
        }
        const isPage = (answer: string) => answer.includes("<html")
        assert.lengthOf(slow.answers.filter(isPage), 1)
        const [answer] = slow.answers.filter((text) => !isPage(text))
        const body: object = JSON.parse(answer!.slice(answer!.indexOf("{")))
        assert.deepInclude(body, { error: "TEMPORARILY_UNAVAILABLE", nextAction: "RETRY_SAVED_REQUEST" })
      })
    )
  )

  it.live("Slow bodies are limited per client address, not per proxy address.", () =>
    withSlowClients(limits.requestsInFlight, ({ slow, port, origin, token }) =>
      Effect.gen(function* () {
        const { bodies } = yield* Load
        const from = (address: string) => slowRequests(token, origin, hops(address))["JSON with a credential"]
        const bound = limits.slowBodiesPerAddress
        slow.begin(port, 4, from("198.51.100.2"))
        slow.begin(port, bound + 2, from("198.51.100.1"))
        yield* until(() => slow.answers.length === 2)
        for (const answer of slow.answers) {
          assert.match(answer, /^HTTP\/1\.1 503 /)
          assert.include(answer, "Limit reached: 64 slow request bodies from one address")
        }
        assert.deepStrictEqual([slow.open, bodies.count], [bound + 4, bound + 4])
        // The metrics count the remaining ones after the check that dropped these.
        const metrics = yield* PrometheusMetrics.format()
        assert.match(metrics, /^countersign_request_bodies_dropped_total\{reason="ADDRESS"\} 2$/m)
        assert.match(metrics, /^countersign_request_bodies_slow \d+$/m)
      })
    )
  )

  it.live("A process that refuses lists is not ready; at its limit of slow bodies it is ready.", () =>
    withSlowClients(1, ({ slow }) =>
      Effect.gen(function* () {
        const { counted, bodies } = yield* Load
        const readiness = Effect.map(send("GET", "/readyz"), ({ status, body }) => [status, body.checks.capacity])
        assert.deepStrictEqual(yield* readiness, [200, true])
        assert.deepStrictEqual(yield* counted("command", readiness), [503, false])
        assert.deepStrictEqual(yield* readiness, [200, true])
        const held = Array.from({ length: limits.slowBodies }, (_, index) => ({
          network: `198.51.100.${index % 200}`,
          isAnonymous: true,
          drop: () => {}
        }))
        for (const body of held) bodies.add(body, 0)
        bodies.sweep(limits.bodyGrace)
        assert.deepStrictEqual([bodies.slowCount, slow.open], [limits.slowBodies, 0])
        assert.deepStrictEqual(yield* readiness, [200, true])
      })
    )
  )
})
