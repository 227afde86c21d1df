/** `countersign listen` as a process: beside a server and a program of a developer, and beside a scripted service. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { signatureOf } from "../../src/webhooks/signature.ts"
import { installationOn, operator } from "../support/installation.ts"
import { startLocalProgram, type LocalAnswer, type ReceivedRequest } from "../support/local-program.ts"
import { readProject, sendCommand } from "../support/parties.ts"
import { type CommandProcess, freePort, overSockets, spawnCommand, startServer } from "../support/server.ts"
import { freshService } from "../support/service.ts"
import { readDeliveries, subscribeAsAgent } from "../support/webhooks.ts"
import { makeArena, nextCommand } from "./arena.ts"
import { until } from "./webhook-processes.ts"

/** `countersign listen` with these settings; it is killed with the scope. */
const startListening = (
  { service, token, secret }: { readonly service: string; readonly token: string; readonly secret: string },
  ...options: ReadonlyArray<string>
): Effect.Effect<CommandProcess, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawnCommand(
        { COUNTERSIGN_URL: service, COUNTERSIGN_TOKEN: token, COUNTERSIGN_WEBHOOK_SECRET: secret },
        "listen",
        ...options
      )
    ),
    ({ child, ended }) => Effect.promise(() => (child.kill("SIGKILL"), ended))
  )

/** The exit code after Ctrl+C, and the checkpoint that is printed last. */
const interrupt = (listening: CommandProcess) =>
  Effect.promise(async () => {
    listening.child.kill("SIGINT")
    const code = await listening.ended
    return { code, checkpoint: /continue with --from (\S+)\n$/.exec(listening.output())?.[1] }
  })

const untilPrinted = (listening: CommandProcess, text: string) =>
  until(`${text} in ${listening.output()}`, () => listening.output().includes(text))

describe("countersign listen beside a server", () => {
  it.live(
    "It forwards each new event as a delivery that is sent now, and continues from the checkpoint that it prints.",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { environment } = yield* installationOn(yield* freshService)
          const server = yield* startServer(environment)
          const program = yield* startLocalProgram((_, before) => (before === 0 ? 500 : 204))
          yield* Effect.gen(function* () {
            const arena = yield* makeArena(1)
            const lane = arena.lanes[0]!
            const { token } = arena.buyerAgent
            const { subscription, secret } = yield* subscribeAsAgent(token, [lane.projectId])
            const commitEvent = Effect.gen(function* () {
              const { token, operation, body } = nextCommand(arena, lane)
              lane.view = (yield* sendCommand(token, lane.projectId, operation, body)).body
            })
            const untilQueued = (count: number) =>
              Effect.gen(function* () {
                while ((yield* readDeliveries(token, subscription.id)).body.deliveries.length < count) {
                  yield* Effect.sleep(50)
                }
              })
            yield* commitEvent
            yield* untilQueued(1)
            const target = ["--subscription", subscription.id, "--forward", `${program.origin}/hooks`]
            const first = yield* startListening({ service: server.origin, token, secret }, ...target)
            yield* untilPrinted(first, "1 earlier deliveries skipped")
            yield* commitEvent
            yield* untilPrinted(first, "-> 204 in ")
            assert.match(first.output(), /-> 500 in \d+ ms; attempt 1 of 8, again in 1 s\n/)

            const { project } = yield* readProject(token, lane.projectId)
            const [, delivery] = (yield* readDeliveries(token, subscription.id)).body.deliveries
            for (const { method, url, headers, body } of program.requests) {
              assert.deepStrictEqual([method, url], ["POST", "/hooks"])
              assert.strictEqual(body, canonicalText({ ...delivery.event, currentNextAction: project.nextAction }))
              const { "service-timestamp": timestamp = "", ...more } = headers as Record<string, string>
              assert.deepInclude(more, {
                "content-type": "application/json",
                "service-event-id": delivery.event.id,
                "service-delivery-id": delivery.deliveryId,
                "service-signature": signatureOf(secret, timestamp, body)
              })
            }
            const { code, checkpoint } = yield* interrupt(first)
            assert.strictEqual(code, 0)

            yield* commitEvent
            const second = yield* startListening(
              { service: server.origin, token, secret },
              ...target,
              "--from",
              checkpoint!
            )
            yield* untilPrinted(second, "-> 204 in ")
            assert.strictEqual(yield* interrupt(second).pipe(Effect.map(({ code }) => code)), 0)
            assert.lengthOf(program.requests, 3)
            assert.lengthOf([...new Set(program.requests.map(({ headers }) => headers["service-event-id"]))], 2)
          }).pipe(Effect.provide(Layer.merge(overSockets(server.origin), operator(environment))))
        })
      ),
    180_000
  )
})

const event = { type: "record.changed", id: "event_1", projectId: "delivery_1", later: "a member of a later version" }

const pageOf = (events: ReadonlyArray<object>, checkpoint: string): LocalAnswer => ({
  status: 200,
  body: JSON.stringify({
    deliveries: events.map((one) => ({ deliveryId: "whd_1", event: one })),
    next: null,
    checkpoint
  })
})

const refusalOf = (status: number, error: string): LocalAnswer => ({
  status,
  body: JSON.stringify({ error, detail: `${error}.`, retryable: false })
})

const project: LocalAnswer = { status: 200, body: JSON.stringify({ project: { nextAction: { party: "BUYER" } } }) }

/** Answers a reading of the history by `history`, which gets `after`, and any other reading with the project. */
const scripted =
  (history: (after: string | null, before: number) => LocalAnswer) =>
  ({ url }: ReceivedRequest, before: number): LocalAnswer =>
    url.includes("/deliveries") ? history(new URL(url, "http://x").searchParams.get("after"), before) : project

const run = (name: string, body: Effect.Effect<void, never, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(body), 180_000)

const target = (origin: string) => ["--subscription", "whs_1", "--forward", origin]

describe.concurrent("countersign listen beside a scripted service", () => {
  run(
    "It waits for a program that is down, and forwards the event once the program listens.",
    Effect.gen(function* () {
      const service = yield* startLocalProgram(scripted((after) => pageOf(after === null ? [event] : [], "c1")))
      const port = yield* freePort
      const options = [...target(`http://localhost:${port}`), "--from", "start"]
      const listening = yield* startListening({ service: service.origin, token: "t", secret: "s" }, ...options)
      yield* untilPrinted(listening, "is not reachable (ECONNREFUSED)")
      const program = yield* startLocalProgram(() => 204, port)
      yield* untilPrinted(listening, "-> 204 in ")
      assert.deepInclude(JSON.parse(program.requests[0]!.body), { ...event, currentNextAction: { party: "BUYER" } })
      assert.deepInclude(yield* interrupt(listening), { code: 0, checkpoint: "c1" })
    })
  )

  run(
    "A program that does not answer in ten seconds gets the event again, and a redirection is not followed.",
    Effect.gen(function* () {
      const service = yield* startLocalProgram(scripted((after) => pageOf(after === null ? [event] : [], "c1")))
      const answers: ReadonlyArray<LocalAnswer> = [undefined, { status: 302, headers: { location: "/other" } }, 200]
      const program = yield* startLocalProgram((_, before) => answers[before])
      const options = [...target(program.origin), "--from", "start"]
      const listening = yield* startListening({ service: service.origin, token: "t", secret: "s" }, ...options)
      yield* untilPrinted(listening, "-> 200 in ")
      assert.include(listening.output(), "-> no answer in 10 s; attempt 1 of 8, again in 1 s")
      assert.match(listening.output(), /-> 302 in \d+ ms; attempt 2 of 8, again in 2 s/)
      assert.deepStrictEqual([...new Set(program.requests.map(({ url }) => url))], ["/"])
    })
  )

  run(
    "After WEBHOOK_CURSOR_RESET_REQUIRED it reads the history once from its first delivery.",
    Effect.gen(function* () {
      const service = yield* startLocalProgram(
        scripted((after) =>
          after === "whd_old"
            ? refusalOf(409, "WEBHOOK_CURSOR_RESET_REQUIRED")
            : pageOf(after === null ? [event] : [], "c1")
        )
      )
      const program = yield* startLocalProgram(() => 204)
      const options = [...target(program.origin), "--from", "whd_old"]
      const listening = yield* startListening({ service: service.origin, token: "t", secret: "s" }, ...options)
      yield* untilPrinted(listening, "-> 204 in ")
      assert.include(listening.output(), "the history is read from its first delivery, once")
      assert.deepInclude(yield* interrupt(listening), { code: 0, checkpoint: "c1" })
    })
  )

  run(
    "It waits while the service is unavailable, and ends with 1 and its checkpoint once the token is revoked.",
    Effect.gen(function* () {
      const unavailable = { status: 503, headers: { "retry-after": "1" }, body: "{}" }
      const ofProxy = { status: 503, body: "<h1>Service Unavailable</h1>" }
      const service = yield* startLocalProgram(
        scripted((_, before) => [unavailable, ofProxy, pageOf([], "c1")][before] ?? refusalOf(401, "AUTH_INVALID"))
      )
      const listening = yield* startListening(
        { service: service.origin, token: "t", secret: "s" },
        ...target("http://127.0.0.1:9")
      )
      assert.strictEqual(yield* Effect.promise(() => listening.ended), 1)
      assert.include(listening.output(), "does not answer (status 503)")
      assert.include(listening.output(), "continue with --from c1\n")
      assert.include(listening.output(), "countersign: AUTH_INVALID: AUTH_INVALID.")
      for (const { headers } of service.requests) assert.strictEqual(headers.authorization, "Bearer t")
    })
  )

  run(
    "Interrupted before it read a page, it prints the checkpoint that it began from.",
    Effect.gen(function* () {
      const service = yield* startLocalProgram(() => 502)
      const options = [...target("http://127.0.0.1:9"), "--from", "c0"]
      const listening = yield* startListening({ service: service.origin, token: "t", secret: "s" }, ...options)
      yield* untilPrinted(listening, "does not answer (status 502)")
      assert.deepInclude(yield* interrupt(listening), { code: 0, checkpoint: "c0" })
    })
  )

  run(
    "A state file that cannot be written ends it with 1, the file's problem and the checkpoint.",
    Effect.gen(function* () {
      const service = yield* startLocalProgram(scripted(() => pageOf([], "c1")))
      const options = [...target("http://127.0.0.1:9"), "--state", "/dev/null/state"]
      const listening = yield* startListening({ service: service.origin, token: "t", secret: "s" }, ...options)
      assert.strictEqual(yield* Effect.promise(() => listening.ended), 1)
      assert.match(listening.output(), /countersign: --state: .*\/dev\/null/)
      assert.include(listening.output(), "continue with --from c1\n")
      assert.notInclude(listening.output(), "    at ")
    })
  )
})
