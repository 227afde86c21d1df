/** Concurrency of two servers on one database: workers, readers of histories, owners and commits. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Ref } from "effect"
import { now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { claimSends, type LeasedSend } from "../../src/webhooks/claim.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { sendWebhook } from "../../src/webhooks/send.ts"
import type { ProjectParties, ProposalParties } from "../../src/access/scope.ts"
import type { HttpApp, Ports } from "../../src/service.ts"
import {
  changeWebhook,
  outboxOf,
  readDeliveries,
  storedOf,
  subscribeAsAgent,
  subscriptionTo,
  createWebhook,
  TestReceiver
} from "../support/webhooks.ts"
import {
  buyerActions,
  sendCommand,
  confirmAgreement,
  creationInput,
  makeAgent,
  makeParty,
  readProject,
  respondTo,
  reviewOf,
  startProject,
  submissionFor,
  supplierActions,
  type StartedProject
} from "../support/parties.ts"
import { freshService, postgresStorage, send, testService } from "../support/service.ts"
import { createdBody } from "../support/workspace.ts"

type Environment = HttpApp | Ports | ProjectParties | ProposalParties
type Server = Context.Context<Environment>

/** Servers that share one database, like two processes. */
class Servers extends Context.Service<Servers, readonly [Server, Server]>()("countersign/test/Servers") {}

const twoServers = Layer.effect(
  Servers,
  Effect.gen(function* () {
    const connection = yield* freshService
    const build = Layer.build(Layer.fresh(testService(postgresStorage(connection))))
    return [yield* build, yield* build] as const
  })
)

const unbounded = { concurrency: "unbounded" } as const
const times = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Runs an effect on one of the servers. */
const on = <A, E>(server: Server, effect: Effect.Effect<A, E, Environment>) => Effect.provideContext(effect, server)

/** Commits the project's event with this number: response, submission, requested changes, submission, and so on. */
const advance = Effect.fnUntraced(function* (started: StartedProject, step: number) {
  const { buyerAgent, supplierAgent, projectId } = started
  const supplying = step === 0 || step % 2 === 1
  const { token } = supplying ? supplierAgent : buyerAgent
  const view = yield* readProject(token, projectId)
  if (step === 0) return createdBody(yield* sendCommand(token, projectId, "respond", respondTo(view, started)))
  if (supplying) return createdBody(yield* sendCommand(token, projectId, "submit", submissionFor(view)))
  return createdBody(yield* sendCommand(token, projectId, "review", reviewOf(view, "REQUEST_CHANGES")))
})

const commitEvents = (started: StartedProject, events: number) =>
  Effect.forEach(times(events), (step) => advance(started, step), { discard: true })

const capacity = { places: limits.webhookBatch, failing: limits.webhookBatch / 2 }

/** Projects and one agent that reads them all. */
const watchedProjects = Effect.fnUntraced(function* (count: number) {
  const first = yield* startProject()
  const others = yield* Effect.forEach(times(count - 1), () => startProject())
  return { projects: [first, ...others], first }
})

layer(twoServers, { excludeTestServices: true })("two workers", (it) => {
  it.effect("Two workers send every delivery exactly once.", () =>
    Effect.gen(function* () {
      const [one, other] = yield* Servers
      const receiver = new TestReceiver()
      const subscriptions = yield* on(
        one,
        Effect.gen(function* () {
          const started = yield* startProject()
          const made = yield* Effect.forEach(times(6), () =>
            subscribeAsAgent(started.buyerAgent.token, [started.projectId])
          )
          yield* commitEvents(started, 4)
          return made.map(({ subscription }) => subscription.id)
        })
      )
      const taken = yield* Ref.make<ReadonlyArray<LeasedSend>>([])
      const pass = Effect.gen(function* () {
        yield* fanOutDue()
        const { sends } = yield* claimSends(capacity)
        yield* Ref.update(taken, (before) => [...before, ...sends])
        yield* Effect.forEach(sends, sendWebhook, { ...unbounded, discard: true })
      }).pipe(Effect.provide(receiver.layer))
      const worker = (server: Server) => on(server, Effect.repeat(pass, { times: 9 }))
      yield* Effect.all([worker(one), worker(other), worker(one), worker(other)], unbounded)
      yield* worker(one)
      const deliveries = (yield* Effect.forEach(subscriptions, (id) => on(one, storedOf(id)))).flatMap(
        (stored) => stored.deliveries
      )
      assert.lengthOf(deliveries, 24)
      for (const { state, totalAttempts } of deliveries)
        assert.deepStrictEqual([state, totalAttempts], ["DELIVERED", 1])
      const sent = receiver.received.map(({ headers }) => headers["service-delivery-id"])
      assert.lengthOf(sent, 24)
      assert.strictEqual(new Set(sent).size, 24)
      assert.lengthOf(yield* Ref.get(taken), 24)
    })
  )

  it.effect("Two workers and two readers of a history number every event once, in one order.", () =>
    Effect.gen(function* () {
      const [one, other] = yield* Servers
      const { token, id, projectId } = yield* on(
        one,
        Effect.gen(function* () {
          const started = yield* startProject()
          const { subscription } = yield* subscribeAsAgent(started.buyerAgent.token, [started.projectId])
          yield* commitEvents(started, 6)
          return { token: started.buyerAgent.token, id: subscription.id, projectId: started.projectId }
        })
      )
      const acts = [one, other].flatMap((server) => [
        on(server, fanOutDue()),
        on(server, Effect.asVoid(readDeliveries(token, id))),
        on(server, fanOutDue())
      ])
      yield* Effect.all(acts, unbounded)
      const { deliveries, subscription } = yield* on(one, storedOf(id))
      assert.deepStrictEqual(
        deliveries.map(({ number }) => number),
        [1, 2, 3, 4, 5, 6]
      )
      assert.strictEqual(subscription.deliveryCount, 6)
      const outbox = yield* on(one, outboxOf(projectId))
      assert.deepStrictEqual(
        deliveries.map(({ eventId }) => eventId),
        outbox.map(({ eventId }) => eventId)
      )
    })
  )
})

layer(twoServers, { excludeTestServices: true })("a reader with a checkpoint", (it) => {
  it.effect("A reader skips no delivery and sees none twice while commits to several projects land.", () =>
    Effect.gen(function* () {
      const [one, other] = yield* Servers
      const { projects, readers } = yield* on(
        one,
        Effect.gen(function* () {
          const { projects, first } = yield* watchedProjects(3)
          const watcher = yield* makeAgent(first.buyer, "BUYER", buyerActions, [first.projectId])
          // Each project has its own buyer; the agents of each side read their own projects.
          const subscribers = [
            watcher,
            ...projects.flatMap(({ buyerAgent, supplierAgent }) => [buyerAgent, supplierAgent])
          ]
          const scopes = [first, ...projects.flatMap((project) => [project, project])]
          const readers = yield* Effect.forEach(subscribers, ({ token }, index) =>
            Effect.map(subscribeAsAgent(token, [scopes[index]!.projectId]), ({ subscription }) => ({
              token,
              id: subscription.id,
              projectId: scopes[index]!.projectId
            }))
          )
          return { projects, readers }
        })
      )
      const isDone = yield* Ref.make(false)
      const committing = Effect.ensuring(
        Effect.all(
          projects.map((started, index) => on(index % 2 === 0 ? one : other, commitEvents(started, 8))),
          unbounded
        ),
        Ref.set(isDone, true)
      )
      const reading = (server: Server, { token, id }: (typeof readers)[0]) =>
        on(
          server,
          Effect.gen(function* () {
            const seen: Array<string> = []
            let after: string | undefined
            for (;;) {
              const wasDone = yield* Ref.get(isDone)
              const { body } = yield* readDeliveries(token, id, after)
              seen.push(...body.deliveries.map(({ event }: any) => `${event.projectId} ${event.sequence}`))
              after = body.checkpoint
              if (wasDone && body.next === null) return seen
            }
          })
        )
      const pass = Effect.gen(function* () {
        while (!(yield* Ref.get(isDone))) yield* fanOutDue()
      })
      const [, , seen] = yield* Effect.all(
        [
          committing,
          on(other, pass),
          Effect.all(
            readers.map((reader, index) => reading(index % 2 === 0 ? other : one, reader)),
            unbounded
          )
        ],
        unbounded
      )
      for (const [index, { projectId }] of readers.entries()) {
        assert.deepStrictEqual(
          seen[index],
          times(8).map((step) => `${projectId} ${step + 2}`)
        )
      }
    })
  )

  it.effect("A reader of several projects sees the events of each in order, for any order of commits.", () =>
    Effect.gen(function* () {
      const [one, other] = yield* Servers
      const { projects, token, id } = yield* on(
        one,
        Effect.gen(function* () {
          const buyer = yield* makeParty("Dana")
          const buyerAgent = yield* makeAgent(buyer, "BUYER", buyerActions)
          const projects = yield* Effect.forEach(times(4), () =>
            Effect.gen(function* () {
              const supplier = yield* makeParty("Sam")
              const body = creationInput(supplier, yield* confirmAgreement, yield* now)
              const view = createdBody(
                yield* send("POST", "/api/agents/v1/projects", { token: buyerAgent.token, body })
              )
              const projectId = view.project.taskId as string
              const supplierAgent = yield* makeAgent(supplier, "SUPPLIER", supplierActions, [projectId])
              return { buyer, supplier, buyerAgent, supplierAgent, projectId, created: view } satisfies StartedProject
            })
          )
          const { subscription } = yield* subscribeAsAgent(
            buyerAgent.token,
            projects.map(({ projectId }) => projectId)
          )
          return { projects, token: buyerAgent.token, id: subscription.id }
        })
      )
      const isDone = yield* Ref.make(false)
      const committing = Effect.ensuring(
        Effect.all(
          projects.map((started, index) => on(index % 2 === 0 ? one : other, commitEvents(started, 6))),
          unbounded
        ),
        Ref.set(isDone, true)
      )
      const reading = on(
        other,
        Effect.gen(function* () {
          const seen: Array<readonly [string, number]> = []
          let after: string | undefined
          for (;;) {
            const wasDone = yield* Ref.get(isDone)
            const { body } = yield* readDeliveries(token, id, after)
            seen.push(...body.deliveries.map(({ event }: any) => [event.projectId, event.sequence] as const))
            after = body.checkpoint
            if (wasDone && body.next === null) return seen
          }
        })
      )
      const [, seen] = yield* Effect.all([committing, reading], unbounded)
      assert.lengthOf(seen, 24)
      for (const { projectId } of projects) {
        const sequences = seen.filter(([id]) => id === projectId).map(([, sequence]) => sequence)
        assert.deepStrictEqual(sequences, [2, 3, 4, 5, 6, 7])
      }
    })
  )
})

layer(twoServers, { excludeTestServices: true })("subscription changes concurrent to commits", (it) => {
  it.effect("An event is queued for exactly the subscriptions that were acknowledged before it and active.", () =>
    Effect.gen(function* () {
      const [one, other] = yield* Servers
      const started = yield* on(one, startProject())
      const { token } = started.buyerAgent
      const body = yield* on(one, subscriptionTo(started.projectId))
      const early = yield* on(
        one,
        Effect.forEach(times(3), () => subscribeAsAgent(token, [started.projectId]))
      )
      const [toPause, toRevoke, kept] = early.map(({ subscription }) => subscription.id)
      const order = yield* Ref.make<ReadonlyArray<string>>([])
      const note = (what: string) => Ref.update(order, (before) => [...before, what])
      const noted = (what: string, act: Effect.Effect<unknown, never, HttpApp | Ports>) =>
        Effect.gen(function* () {
          yield* note(`begin ${what}`)
          yield* act
          yield* note(`end ${what}`)
        })
      const events = 6
      const [, late] = yield* Effect.all(
        [
          on(
            one,
            Effect.forEach(times(events), (step) => noted(`event ${step + 2}`, advance(started, step)))
          ),
          on(
            other,
            Effect.gen(function* () {
              yield* noted("pause", changeWebhook(token, toPause!, "pause"))
              yield* noted("revoke", changeWebhook(token, toRevoke!, "revoke"))
              let id = ""
              yield* noted(
                "create",
                Effect.map(createWebhook(token, body), (answer) => {
                  id = createdBody(answer).subscription.id
                })
              )
              return id
            })
          )
        ],
        unbounded
      )
      yield* on(one, fanOutDue())
      const seen = yield* Ref.get(order)
      const sequencesOf = (id: string) =>
        Effect.gen(function* () {
          const outbox = yield* outboxOf(started.projectId)
          const { deliveries } = yield* storedOf(id)
          return deliveries.map(({ eventId }) => outbox.find((event) => event.eventId === eventId)!.sequence)
        })
      const all = times(events).map((step) => step + 2)
      assert.deepStrictEqual(yield* on(one, sequencesOf(kept!)), all)
      const before = (first: string, second: string) => seen.indexOf(first) < seen.indexOf(second)
      for (const [id, what] of [
        [toPause!, "pause"],
        [toRevoke!, "revoke"]
      ] as const) {
        const got = yield* on(one, sequencesOf(id))
        for (const sequence of all) {
          if (before(`end ${what}`, `begin event ${sequence}`)) assert.notInclude(got, sequence)
          if (before(`end event ${sequence}`, `begin ${what}`)) assert.include(got, sequence)
        }
        assert.deepStrictEqual(got, all.slice(0, got.length))
      }
      const got = yield* on(one, sequencesOf(late))
      for (const sequence of all) {
        if (before("end create", `begin event ${sequence}`)) assert.include(got, sequence)
        if (before(`end event ${sequence}`, "begin create")) assert.notInclude(got, sequence)
      }
      assert.deepStrictEqual(got, all.slice(all.length - got.length))
    })
  )

  it.effect("Concurrent creations take no more than the 50 quota slots of an owner.", () =>
    Effect.gen(function* () {
      const [one, other] = yield* Servers
      const started = yield* on(one, startProject())
      const { token } = started.buyerAgent
      yield* on(
        one,
        Effect.forEach(times(limits.subscriptionsPerOwner - 2), () => subscribeAsAgent(token, [started.projectId]))
      )
      const answers = yield* Effect.all(
        times(6).map((index) =>
          on(
            index % 2 === 0 ? one : other,
            Effect.flatMap(subscriptionTo(started.projectId), (body) => createWebhook(token, body))
          )
        ),
        unbounded
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 429, 429, 429, 429])
      const same = yield* on(
        one,
        Effect.map(startProject(), ({ buyerAgent, projectId }) => ({ buyerAgent, projectId }))
      )
      const body = yield* on(one, subscriptionTo(same.projectId))
      const repeated = yield* Effect.all(
        times(6).map((index) => on(index % 2 === 0 ? one : other, createWebhook(same.buyerAgent.token, body))),
        unbounded
      )
      assert.deepStrictEqual([...new Set(repeated.map(({ status }) => status))], [201])
      assert.strictEqual(new Set(repeated.map((answer) => answer.body.subscription.id)).size, 1)
      assert.lengthOf(
        repeated.filter((answer) => answer.body.secret !== undefined),
        1
      )
    })
  )
})
