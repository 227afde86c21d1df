/** Concurrent duplicates of the creation that takes the last quota slot, at two servers of one database. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { limits } from "../../src/vocabulary/limits.ts"
import { createWebhook, subscribeAsAgent, subscriptionTo } from "../support/webhooks.ts"
import { startProject } from "../support/parties.ts"
import { times } from "../support/queued-deliveries.ts"
import { freshService, postgresStorage, testService, type TestContext } from "../support/service.ts"

class Servers extends Context.Service<Servers, readonly [TestContext, TestContext]>()(
  "countersign/test/ServersAtLimit"
) {}

const twoServers = Layer.effect(
  Servers,
  Effect.gen(function* () {
    const connection = yield* freshService
    const build = Layer.build(Layer.fresh(testService(postgresStorage(connection))))
    return [yield* build, yield* build] as const
  })
)

layer(twoServers, { excludeTestServices: true })("the creation that takes the last quota slot", (it) => {
  it.effect(
    "A duplicate of the creation that takes the last quota slot is a replay at every server, concurrently or later.",
    () =>
      Effect.gen(function* () {
        const [one, other] = yield* Servers
        const { token, body } = yield* Effect.gen(function* () {
          const { buyerAgent, projectId } = yield* startProject()
          yield* Effect.forEach(times(limits.subscriptionsPerOwner - 1), () =>
            subscribeAsAgent(buyerAgent.token, [projectId])
          )
          return { token: buyerAgent.token, body: yield* subscriptionTo(projectId) }
        }).pipe(Effect.provideContext(one))
        const asked = createWebhook(token, body)
        const servers = [one, other, one, other, one, other]
        const atOnce = yield* Effect.forEach(servers, (server) => Effect.provideContext(asked, server), {
          concurrency: "unbounded"
        })
        const answers = [...atOnce, yield* Effect.provideContext(asked, other)]
        assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [201])
        assert.strictEqual(new Set(answers.map((answer) => answer.body.subscription.id)).size, 1)
        assert.lengthOf(
          answers.filter((answer) => answer.body.replayed === true),
          servers.length
        )
      })
  )
})
