import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { removeAccount } from "../../src/access/account.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { endSession, openSession, signIn } from "../../src/people/sessions.ts"
import {
  createAssistant,
  endAssistant,
  finishItem,
  readItemAsPerson,
  withdrawItem
} from "../../src/participation/items.ts"
import { Storage } from "../../src/ports/storage.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import type { Refusal } from "../../src/vocabulary/refusals.ts"
import { toMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { freshService, freshTestService, postgresStorage, testService, type TestContext } from "../support/service.ts"
import { at } from "../support/time.ts"
import {
  millisecondsAfterNoon,
  itemWithAssistant,
  refusalCodeOf,
  hour,
  minute,
  noon,
  readItem,
  sendNote,
  type ItemFixture
} from "./fixtures.ts"

type Services = TestContext extends Context.Context<infer R> ? R : never

/** Every operation of a person that ends an assistant's credential. */
const endings: ReadonlyArray<readonly [string, (fixture: ItemFixture) => Effect.Effect<unknown, Refusal, Services>]> = [
  ["the person signs out", ({ kim }) => endSession(kim)],
  ["the person is done", ({ kim, itemId }) => finishItem(kim, itemId)],
  ["the inviting side withdraws the item", ({ dana, itemId }) => withdrawItem(dana, itemId)],
  ["the person ends the credential", ({ kim, itemId }) => endAssistant(kim, itemId)],
  [
    "the person makes another one",
    ({ kim, itemId }) =>
      Effect.flatMap(nonIdempotentRequest(kim.personId), (request) => createAssistant(kim, request, itemId))
  ],
  ["the person removes their account", ({ kim }) => removeAccount(kim)],
  [
    "the person signs in as another person",
    ({ sam, kim }) => signIn(sam.identity, { current: kim.token, isInvited: false })
  ]
]

const assertEnded = Effect.fnUntraced(function* (token: string) {
  for (const { status, body } of [yield* readItem(token), yield* sendNote(token)]) {
    assert.deepStrictEqual([status, body.error], [401, "AUTH_INVALID"])
  }
})

const isLive = (token: string) => Effect.map(readItem(token), ({ status }) => status === 200)

layer(freshTestService, { excludeTestServices: true })("end of an assistant's credential", (it) => {
  it.effect.each(endings)("An assistant's credential ends when %s.", ([, end]) =>
    Effect.gen(function* () {
      const fixture = yield* itemWithAssistant
      assert.isTrue(yield* isLive(fixture.token))
      yield* end(fixture)
      yield* assertEnded(fixture.token)
    }).pipe(at(millisecondsAfterNoon(1)))
  )

  it.effect(
    "An assistant's credential ends after its session is idle for an hour; the assistant does not extend it.",
    () =>
      Effect.gen(function* () {
        const { token } = yield* itemWithAssistant
        for (let minutes = 5; minutes < 60; minutes += 5) {
          assert.strictEqual((yield* sendNote(token).pipe(at(millisecondsAfterNoon(minutes * minute)))).status, 201)
        }
        assert.isTrue(yield* isLive(token).pipe(at(millisecondsAfterNoon(hour - 1))))
        yield* assertEnded(token).pipe(at(millisecondsAfterNoon(hour)))
      })
  )

  it.effect("An assistant's credential ends after 12 hours of its session, despite the person's activity.", () =>
    Effect.gen(function* () {
      const { token, kim } = yield* itemWithAssistant
      for (let half = 1; half < 24; half++)
        yield* openSession(kim.token).pipe(at(millisecondsAfterNoon((half * hour) / 2)))
      yield* openSession(kim.token).pipe(at(millisecondsAfterNoon(limits.sessionLifetime - 1)))
      assert.isTrue(yield* isLive(token).pipe(at(millisecondsAfterNoon(limits.sessionLifetime - 1))))
      yield* assertEnded(token).pipe(at(millisecondsAfterNoon(limits.sessionLifetime)))
    })
  )

  it.effect("An assistant's credential ends after 24 hours, although its session was renewed.", () =>
    Effect.gen(function* () {
      const { token, kim } = yield* itemWithAssistant
      let current = kim.token
      for (let half = 1; half < 48; half++) {
        const renewed = yield* signIn(kim.identity, { current, isInvited: false }).pipe(
          at(millisecondsAfterNoon((half * hour) / 2))
        )
        assert.strictEqual(renewed.sessionId, kim.sessionId)
        current = renewed.token
      }
      assert.isTrue(yield* isLive(token).pipe(at(millisecondsAfterNoon(24 * hour - 1))))
      yield* assertEnded(token).pipe(at(millisecondsAfterNoon(24 * hour)))
    })
  )

  it.effect("An assistant's credential ends with its session, although the person has another one.", () =>
    Effect.gen(function* () {
      const { token, kim } = yield* itemWithAssistant
      yield* signIn(kim.identity, { isInvited: false })
      assert.isTrue(yield* isLive(token))
      yield* endSession(kim)
      yield* assertEnded(token)
    }).pipe(at(noon))
  )

  it.effect("An assistant's credential survives the end of another item of the person.", () =>
    Effect.gen(function* () {
      const first = yield* itemWithAssistant
      const second = yield* itemWithAssistant
      yield* finishItem(first.kim, first.itemId)
      assert.isTrue(yield* isLive(second.token))
    }).pipe(at(noon))
  )
})

/** The effect that runs once before the service's next transaction. */
const beforeNext: { first: Effect.Effect<unknown, Refusal> } = { first: Effect.void }

const storageWithInterruption = (inner: Layer.Layer<Storage>) =>
  Layer.effect(
    Storage,
    Effect.map(Storage, (storage) => ({
      ...storage,
      transaction: (plan, body) =>
        Effect.suspend(() => {
          const { first } = beforeNext
          beforeNext.first = Effect.void
          return Effect.andThen(Effect.orDie(first), storage.transaction(plan, body))
        })
    }))
  ).pipe(Layer.provide(inner))

const serviceWithInterruption = Layer.unwrap(
  Effect.map(freshService, (connection) => testService(storageWithInterruption(postgresStorage(connection))))
)

layer(serviceWithInterruption, { excludeTestServices: true })("endings between authentication and commit", (it) => {
  it.effect.each(endings)("No note is written if, between authentication and commit, %s.", ([, end]) =>
    Effect.gen(function* () {
      const fixture = yield* itemWithAssistant
      const services = yield* Effect.context<Services>()
      beforeNext.first = Effect.provideContext(end(fixture), services)
      const { status, body } = yield* sendNote(fixture.token)
      assert.deepStrictEqual([status, body.error], [401, "AUTH_INVALID"])
      assert.deepStrictEqual((yield* readItemAsPerson(fixture.dana, fixture.itemId)).notes, [])
    }).pipe(at(millisecondsAfterNoon(1)))
  )

  it.effect("A withdrawal is refused if the person's membership ends before the commit.", () =>
    Effect.gen(function* () {
      const { dana, itemId, token } = yield* itemWithAssistant
      const services = yield* Effect.context<Services>()
      const leave = endMembership("OPERATOR", { membershipId: dana.membershipId })
      beforeNext.first = Effect.provideContext(leave, services)
      assert.strictEqual(yield* refusalCodeOf(withdrawItem(dana, itemId)), "UNKNOWN_PARTY")
      assert.isTrue(yield* isLive(token))
    }).pipe(at(millisecondsAfterNoon(1)))
  )

  it.effect("No note is written if the session expires between authentication and commit.", () =>
    Effect.gen(function* () {
      const { token, dana, itemId } = yield* itemWithAssistant
      const clock = yield* Clock.Clock
      let time = millisecondsAfterNoon(hour - 1)
      const movingClock: Clock.Clock = Object.assign(Object.create(clock), {
        currentTimeMillisUnsafe: () => toMilliseconds(time),
        currentTimeMillis: Effect.sync(() => toMilliseconds(time))
      })
      beforeNext.first = Effect.sync(() => void (time = millisecondsAfterNoon(hour)))
      const { status, body } = yield* Effect.provideService(sendNote(token), Clock.Clock, movingClock)
      assert.deepStrictEqual([status, body.error], [401, "AUTH_INVALID"])
      const { notes } = yield* readItemAsPerson(dana, itemId).pipe(at(millisecondsAfterNoon(hour)))
      assert.deepStrictEqual(notes, [])
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("acknowledged endings", (it) => {
  it.effect.each(endings)("No note is written after it is acknowledged that %s.", ([, end]) =>
    Effect.gen(function* () {
      const fixture = yield* itemWithAssistant
      const notes = Effect.all(
        Array.from({ length: 20 }, () => sendNote(fixture.token)),
        { concurrency: "unbounded" }
      )
      const ending = Effect.andThen(end(fixture), readItemAsPerson(fixture.dana, fixture.itemId))
      const [answers, seen] = yield* Effect.all([notes, ending], { concurrency: "unbounded" })
      const { item } = yield* readItemAsPerson(fixture.dana, fixture.itemId)
      assert.strictEqual(item.noteCount, seen.item.noteCount)
      assert.lengthOf(
        answers.filter(({ status }) => status === 201),
        item.noteCount
      )
    }).pipe(at(millisecondsAfterNoon(1)))
  )
})

layer(freshTestService, { excludeTestServices: true })("ending an item", (it) => {
  it.effect("Ending an item is idempotent, and ending it in another way is refused.", () =>
    Effect.gen(function* () {
      const { kim, itemId, dana } = yield* itemWithAssistant
      const done = yield* finishItem(kim, itemId).pipe(at(millisecondsAfterNoon(1)))
      assert.deepInclude(done, { state: "DONE", endedAt: millisecondsAfterNoon(1), credentialHash: null })
      assert.deepStrictEqual(yield* finishItem(kim, itemId).pipe(at(millisecondsAfterNoon(2))), done)
      assert.strictEqual(
        yield* refusalCodeOf(withdrawItem(dana, itemId)).pipe(at(millisecondsAfterNoon(2))),
        "ITEM_ENDED"
      )
      const other = yield* itemWithAssistant
      const { item } = yield* withdrawItem(other.dana, other.itemId).pipe(at(millisecondsAfterNoon(1)))
      assert.deepInclude(item, { state: "WITHDRAWN", endedAt: millisecondsAfterNoon(1) })
      assert.deepStrictEqual(
        (yield* withdrawItem(other.dana, other.itemId).pipe(at(millisecondsAfterNoon(2)))).item,
        item
      )
      assert.strictEqual(
        yield* refusalCodeOf(finishItem(other.kim, other.itemId)).pipe(at(millisecondsAfterNoon(2))),
        "ITEM_ENDED"
      )
    })
  )

  it.effect("An item can be finished only by its person and withdrawn only by the inviting party.", () =>
    Effect.gen(function* () {
      const { kim, dana, sam, itemId, token } = yield* itemWithAssistant
      const operations = [
        finishItem(dana, itemId),
        finishItem(sam, itemId),
        withdrawItem(kim, itemId),
        withdrawItem(sam, itemId),
        endAssistant(dana, itemId)
      ]
      for (const operation of operations)
        assert.strictEqual(yield* refusalCodeOf<unknown, Services>(operation), "UNKNOWN_PARTY")
      assert.isTrue(yield* isLive(token))
    }).pipe(at(noon))
  )

  it.effect("Ending an item requires a live session at commit.", () =>
    Effect.gen(function* () {
      const { kim, dana, itemId, token } = yield* itemWithAssistant
      yield* endSession(dana)
      assert.strictEqual(yield* refusalCodeOf(withdrawItem(dana, itemId)), "SIGN_IN_REQUIRED")
      assert.isTrue(yield* isLive(token))
      yield* endSession(kim)
      assert.strictEqual(yield* refusalCodeOf(finishItem(kim, itemId)), "SIGN_IN_REQUIRED")
    }).pipe(at(noon))
  )
})
