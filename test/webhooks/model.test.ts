/** Random sequences of events, changes, workers and receivers agree with a small model of subscriptions. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { renewAs } from "../support/people.ts"
import { addMilliseconds, now, type Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import type { Refusal } from "../../src/vocabulary/refusals.ts"
import { pauseSubscription, resumeSubscription, revokeSubscription } from "../../src/webhooks/change.ts"
import { claimSends } from "../../src/webhooks/claim.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { readHistory } from "../../src/webhooks/history.ts"
import { redeliver } from "../../src/webhooks/redeliver.ts"
import { isSignedBy } from "../../src/webhooks/signature.ts"
import { personCaller } from "../../src/webhooks/subscriber.ts"
import { viewHistory } from "../../src/webhooks/view.ts"
import {
  verificationOf,
  changeWebhook,
  runWorkerPass,
  recordAttemptOnly,
  storedOf,
  subscribeAsAgent,
  TestReceiver
} from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import {
  sendCommand,
  readProject,
  respondTo,
  reviewOf,
  startProject,
  submissionFor,
  type StartedProject
} from "../support/parties.ts"
import { grantAgent } from "../support/people.ts"
import { freshTestService } from "../support/service.ts"
import { at } from "../support/time.ts"
import { createdBody } from "../support/workspace.ts"
import {
  globalActions,
  subscriptionActions,
  afterChange,
  afterCrash,
  afterEvent,
  afterPass,
  afterRedelivery,
  afterRotation,
  anySequence,
  initialModel,
  changeSubscription,
  grantLifetime,
  actionNames,
  isDue,
  numberEvents,
  expectedViewOf,
  situationOf,
  situations,
  subscriptionLifetimes,
  type Model,
  type Step
} from "./model.ts"

interface ReaderState {
  readonly id: string
  secret: string
  /** The reader's checkpoint and the deliveries it has read. */
  checkpoint: string | undefined
  readonly seen: Array<string>
}

interface World {
  readonly started: StartedProject
  readonly start: Instant
  readonly grantId: string
  readonly watched: ReadonlyArray<ReaderState>
  readonly receiver: TestReceiver
  /** The credential of the agent, of the current generation of its grant. */
  token: string
  generation: number
  model: Model
  readonly reached: Map<string, number>
}

const begin = Effect.fnUntraced(function* (reached: Map<string, number>) {
  const started = yield* startProject({
    changes: {
      deadline: addMilliseconds(yield* now, 300 * 86_400_000),
      reviewDeadline: addMilliseconds(yield* now, 310 * 86_400_000)
    }
  })
  const { buyer, projectId } = started
  const start = addMilliseconds(yield* now, 1_000)
  const { token, grantId } = yield* grantAgent({
    personId: buyer.personId,
    organizationId: buyer.organizationId,
    role: "BUYER",
    agentName: "Watcher",
    actions: ["REVIEW_DELIVERY"],
    projectIds: [projectId],
    subjectRequirements: [],
    expiresAt: addMilliseconds(start, grantLifetime * 1_000)
  }).pipe(at(start))
  const watched = yield* Effect.forEach(subscriptionLifetimes, (seconds) =>
    Effect.map(
      subscribeAsAgent(token, [projectId], { expiresAt: addMilliseconds(start, seconds * 1_000) }).pipe(at(start)),
      ({ subscription: { id }, secret }): ReaderState => ({ id, secret, checkpoint: undefined, seen: [] })
    )
  )
  const receiver = new TestReceiver()
  const world: World = {
    started,
    start,
    grantId,
    token,
    watched,
    receiver,
    generation: 1,
    model: initialModel,
    reached
  }
  return world
})

const answerOf = <A, R>(operation: Effect.Effect<A, Refusal, R>) =>
  Effect.match(operation, { onSuccess: () => "DONE", onFailure: ({ code }) => code as string })

const ownerOf = ({ started }: World) => personCaller(onBehalfOf(started.buyer.personId))

/** Commits the next event of the project, by the party whose turn it is. */
const commitNext = Effect.fnUntraced(function* ({ started }: World) {
  const { supplierAgent, buyerAgent, projectId } = started
  const view = yield* readProject(supplierAgent.token, projectId)
  const { state } = view.project
  const done = yield* state === "AWAITING_SUPPLIER"
    ? sendCommand(supplierAgent.token, projectId, "respond", respondTo(view, started))
    : state === "SUBMITTED"
      ? sendCommand(buyerAgent.token, projectId, "review", reviewOf(view, "REQUEST_CHANGES"))
      : sendCommand(supplierAgent.token, projectId, "submit", submissionFor(view))
  return String(createdBody(done).project.events.at(-1).sequence)
})

/** Runs passes until nothing more is sent, and verifies received webhooks with the current secrets. */
const pass = Effect.fnUntraced(function* (world: World, isAcknowledged: boolean, pick: number) {
  const { receiver, watched, model } = world
  const failures = [500, 301, "CONNECTION", "TLS", 404] as const
  receiver.last = isAcknowledged ? 200 + (pick % 5) : failures[pick % failures.length]!
  const from = receiver.received.length
  while ((yield* runWorkerPass.pipe(Effect.provide(receiver.layer))) > 0);
  const expected = model.subscriptions.flatMap((before, index) => {
    const one = numberEvents(before, model.now)
    if (situationOf(one, model) !== "ACTIVE") return []
    const due = one.deliveries.filter((delivery) => isDue(delivery, model.now) && delivery.scheduled < 8)
    return due.map(({ event }) => `${index}: ${event}`)
  })
  const got = receiver.received.slice(from)
  const found = got.map((received) => {
    const by = watched.findIndex(({ secret }) => isSignedBy(secret, verificationOf(received)))
    assert.notStrictEqual(by, -1, "what was received is signed with a secret of this moment")
    return `${by}: ${JSON.parse(received.body).sequence}`
  })
  assert.deepStrictEqual(found.toSorted(), expected.toSorted())
  world.model = afterPass(model, isAcknowledged)
})

/** A worker claims, records its attempts, and dies. */
const crash = Effect.fnUntraced(function* (world: World) {
  yield* fanOutDue()
  world.model = {
    ...world.model,
    subscriptions: world.model.subscriptions.map((one) => numberEvents(one, world.model.now))
  }
  const { sends } = yield* claimSends({ places: limits.webhookBatch, failing: limits.webhookBatch / 2 })
  for (const [index, { id }] of world.watched.entries()) {
    const { model } = world
    const one = model.subscriptions[index]!
    const own = sends.filter(({ subscriptionId }) => subscriptionId === id)
    const isActive = situationOf(one, model) === "ACTIVE"
    const due = isActive ? one.deliveries.filter((delivery) => isDue(delivery, model.now)) : []
    const spent = due.filter(({ scheduled }) => scheduled >= 8)
    const places = one.isFailing ? limits.webhookAttemptsPerFailing : limits.webhookAttemptsPerSubscription
    assert.isAtMost(own.length, Math.min(due.length - spent.length, places))
    assert.strictEqual(own.length > 0, due.length - spent.length > 0)
    const { deliveries } = yield* storedOf(id)
    const events = yield* Effect.forEach(own, (send) =>
      Effect.map(recordAttemptOnly(send), (recorded) => {
        assert.isTrue(recorded.isRecorded)
        return one.deliveries[deliveries.findIndex(({ deliveryId }) => deliveryId === send.deliveryId)]!.event
      })
    )
    world.model = afterCrash(
      changeSubscription(model, index, (before) => ({
        ...before,
        deliveries: before.deliveries.map((delivery) =>
          spent.includes(delivery) &&
          deliveries.some((row, place) => row.state === "EXHAUSTED" && before.deliveries[place] === delivery)
            ? { ...delivery, state: "EXHAUSTED" as const }
            : delivery
        )
      })),
      index,
      events
    )
  }
})

/** The reader continues from its checkpoint to the end. */
const read = Effect.fnUntraced(function* (world: World, index: number) {
  const watched = world.watched[index]!
  for (;;) {
    const history = viewHistory(yield* readHistory(ownerOf(world), watched.id, watched.checkpoint))
    watched.seen.push(...history.deliveries.map(({ event }) => String(event.sequence)))
    watched.checkpoint = history.checkpoint
    if (history.next === null) break
  }
  world.model = changeSubscription(world.model, index, (one) => numberEvents(one, world.model.now))
  assert.deepStrictEqual(
    watched.seen,
    world.model.subscriptions[index]!.deliveries.map(({ event }) => event)
  )
})

const changes = {
  PAUSE: pauseSubscription,
  RESUME: resumeSubscription,
  REVOKE: revokeSubscription
} as const

const runStep = Effect.fnUntraced(function* (world: World, { name, pick }: Step) {
  const { watched, started } = world
  const index = pick % watched.length
  const one = watched[index]!
  switch (name) {
    case "PAUSE":
    case "RESUME":
    case "REVOKE": {
      const [expected, model] = afterChange(world.model, index, name)
      assert.strictEqual(yield* answerOf(changes[name](ownerOf(world), one.id)), expected)
      return void (world.model = model)
    }
    case "ROTATE": {
      // Only the agent itself may use its secret.
      const { body } = yield* changeWebhook(world.token, one.id, "rotate-secret")
      assert.strictEqual(body.error ?? "DONE", afterRotation(world.model, index))
      if (body.secret !== undefined) one.secret = body.secret
      return
    }
    case "EVENT":
      return void (world.model = afterEvent(world.model, yield* commitNext(world)))
    case "PASS":
      return yield* pass(world, true, pick)
    case "PASS_AND_FAIL":
    case "FAIL_FOR_HOURS":
      return yield* pass(world, false, pick)
    case "CRASH":
      return yield* crash(world)
    case "READ":
      return yield* read(world, index)
    case "REDELIVER": {
      const { deliveries } = yield* storedOf(one.id)
      if (deliveries.length === 0) return
      const place = pick % deliveries.length
      const [expected, model] = afterRedelivery(world.model, index, place)
      assert.strictEqual(yield* answerOf(redeliver(ownerOf(world), one.id, deliveries[place]!.deliveryId)), expected)
      return void (world.model = model)
    }
    case "RENEW": {
      const expiresAt = addMilliseconds(world.start, (world.model.now + grantLifetime) * 1_000)
      const { personId } = started.buyer
      const expectedGeneration = world.generation++
      const renewed = yield* renewAs({ personId, grantId: world.grantId, expectedGeneration, expiresAt })
      world.token = "token" in renewed ? renewed.token : assert.fail("the renewal shows its token")
      return void (world.model = { ...world.model, grantEnds: world.model.now + grantLifetime })
    }
    case "WAIT":
  }
})

/** Compares every delivery with the model; attempts are gapless, unique and within their limits. */
const compare = Effect.fnUntraced(function* (world: World) {
  const { model } = world
  for (const [index, { id }] of world.watched.entries()) {
    const one = model.subscriptions[index]!
    const situation = situationOf(one, model)
    const { deliveries, attempts } = yield* storedOf(id)
    assert.lengthOf(deliveries, one.deliveries.length)
    for (const [place, row] of deliveries.entries()) {
      const numbers = attempts.filter(({ deliveryId }) => deliveryId === row.deliveryId).map(({ attempt }) => attempt)
      assert.deepStrictEqual(
        numbers,
        Array.from({ length: row.totalAttempts }, (_, count) => count + 1)
      )
      assert.isAtMost(row.scheduledAttempts, limits.webhookAttempts)
      assert.isAtMost(row.totalAttempts, limits.webhookAttemptsTotal)
      assert.strictEqual(row.number, place + 1)
    }
    if (one.waiting.length > 0) continue
    const history = viewHistory(yield* readHistory(ownerOf(world), id, undefined))
    assert.deepStrictEqual(
      history.deliveries.map(({ event, state, scheduledAttempts, totalAttempts, held }) => ({
        event: String(event.sequence),
        state,
        scheduled: scheduledAttempts,
        total: totalAttempts,
        isHeld: held === true
      })),
      one.deliveries.map((delivery) => expectedViewOf(delivery, situation, model))
    )
  }
})

/** Before a pass, time advances so that deferred sends are due again and a dead worker's lease has expired. */
const minute = 61

const withDelays = (steps: ReadonlyArray<Step>): ReadonlyArray<readonly [Step, seconds: number]> =>
  steps.flatMap((step): ReadonlyArray<readonly [Step, number]> => {
    switch (step.name) {
      case "WAIT":
        return [[step, step.hours * 3_600]]
      case "FAIL_FOR_HOURS":
        return Array.from({ length: 8 }, () => [step, 17 * 60] as const)
      case "PASS":
      case "PASS_AND_FAIL":
      case "CRASH":
        return [[step, minute]]
      default:
        return [[step, 1]]
    }
  })

const changesDeliveries: ReadonlySet<Step["name"]> = new Set(["PASS", "PASS_AND_FAIL", "CRASH", "REDELIVER"])

const runSequence = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, reached: Map<string, number>) {
  const world = yield* begin(reached)
  const trail: Array<string> = []
  for (const [step, seconds] of withDelays(steps)) {
    world.model = { ...world.model, now: world.model.now + seconds }
    count(world, step)
    trail.push(`${step.name} ${step.pick % world.watched.length}`)
    const told = `after ${trail.join(", ")}`
    const looking = changesDeliveries.has(step.name) ? compare(world) : Effect.void
    yield* Effect.andThen(runStep(world, step), looking).pipe(
      at(addMilliseconds(world.start, world.model.now * 1_000)),
      Effect.catchDefect((defect) => Effect.die(new Error(`${told}: ${String(defect)}`, { cause: defect })))
    )
  }
  world.model = { ...world.model, now: world.model.now + 1 }
  const last = Effect.gen(function* () {
    for (const index of world.watched.keys()) yield* read(world, index)
    yield* compare(world)
    // Nothing of this sequence is sent in the next one.
    for (const { id } of world.watched) yield* answerOf(revokeSubscription(ownerOf(world), id))
  })
  yield* last.pipe(at(addMilliseconds(world.start, world.model.now * 1_000)))
})

const count = ({ model, watched, reached }: World, { name, pick }: Step) => {
  const isForAll = (globalActions as ReadonlyArray<string>).includes(name)
  const touched = isForAll ? model.subscriptions : [model.subscriptions[pick % watched.length]!]
  const note = (what: string) => reached.set(what, (reached.get(what) ?? 0) + 1)
  for (const pair of new Set(touched.map((one) => `${situationOf(one, model)} x ${name}`))) note(pair)
  for (const one of touched) {
    const found = new Set(one.deliveries.map(({ state }) => `${state} in ${situationOf(one, model)} x ${name}`))
    for (const outcome of found) note(outcome)
  }
}

const sequences = fc.sample(anySequence, { numRuns: 12, seed: 29 })

const runSequences = (chosen: ReadonlyArray<ReadonlyArray<Step>>, reached: Map<string, number>) =>
  Effect.forEach(chosen, (steps) => runSequence(steps, reached), { discard: true })

const pairs = situations.flatMap((situation) => actionNames.map((name) => `${situation} x ${name}`))

it.live(
  "Deliveries match the model for random sequences of actions, and every reader sees each delivery once.",
  () =>
    Effect.gen(function* () {
      const reached = new Map<string, number>()
      yield* runSequences(sequences, reached).pipe(Effect.provide(memoryTestService))
      const wanted = [
        ...pairs,
        ...["DELIVERED", "EXHAUSTED", "PENDING"].map((state) => `${state} in ACTIVE x REDELIVER`)
      ]
      console.log(wanted.map((one) => `${one}: ${reached.get(one) ?? 0}`).join("\n"))
      assert.deepStrictEqual(
        wanted.filter((one) => !reached.has(one)),
        []
      )
      assert.lengthOf(pairs, situations.length * (subscriptionActions.length + globalActions.length))
    }),
  120_000
)

it.live(
  "Deliveries match the model for a random sequence of actions on Postgres.",
  () => runSequences(sequences.slice(0, 1), new Map()).pipe(Effect.provide(freshTestService), Effect.scoped),
  120_000
)
