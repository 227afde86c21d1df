import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { acceptParticipation } from "../../src/participation/invitations.ts"
import { createAssistant, listItems, readItemAsPerson } from "../../src/participation/items.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { uuid } from "../support/parties.ts"
import { freshTestService, send } from "../support/service.ts"
import { at } from "../support/time.ts"
import {
  acceptedItem,
  itemWithAssistant,
  refusalCodeOf,
  invite,
  noon,
  readItem,
  sendNote,
  task,
  type ItemFixture
} from "./fixtures.ts"

const notesOf = ({ kim, itemId }: ItemFixture) =>
  Effect.map(readItemAsPerson(kim, itemId), ({ notes }) => notes.map(({ text }) => text))

layer(freshTestService, { excludeTestServices: true })("operations of an assistant", (it) => {
  it.effect("An assistant reads its item with its notes and nothing of the project.", () =>
    Effect.gen(function* () {
      const fixture = yield* itemWithAssistant
      yield* sendNote(fixture.token, "One.")
      yield* sendNote(fixture.token, "Two.")
      const { status, body, text } = yield* readItem(fixture.token)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        id: fixture.itemId,
        ...task,
        state: "OPEN",
        acceptedAt: noon,
        notes: [
          { sequence: 1, text: "One.", at: noon },
          { sequence: 2, text: "Two.", at: noon }
        ]
      })
      for (const hidden of [fixture.projectId, "organization_", "person_", "session_", "invitation_", "Dana", "Logo"]) {
        assert.notInclude(text, hidden)
      }
    }).pipe(at(noon))
  )

  it.effect("Concurrent retries add a note exactly once.", () =>
    Effect.gen(function* () {
      const fixture = yield* itemWithAssistant
      const requestId = uuid()
      const answers = yield* Effect.all(
        Array.from({ length: 12 }, () => sendNote(fixture.token, "Done.", requestId)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [201])
      const first = answers.filter(({ body }) => body.replayed === undefined)
      assert.lengthOf(first, 1)
      for (const { body } of answers) assert.deepInclude(body, { sequence: 1, text: "Done.", at: noon })
      assert.deepStrictEqual(yield* notesOf(fixture), ["Done."])
      const other = yield* sendNote(fixture.token, "Not done.", requestId)
      assert.deepStrictEqual([other.status, other.body.error], [409, "REQUEST_ID_CONFLICT"])
    }).pipe(at(noon))
  )

  it.effect("Request ids belong to the item: a new credential keeps them, another item does not share them.", () =>
    Effect.gen(function* () {
      const fixture = yield* itemWithAssistant
      const { kim, dana, projectId, itemId } = fixture
      const requestId = uuid()
      yield* sendNote(fixture.token, "Done.", requestId)
      const second = yield* createAssistant(kim, yield* nonIdempotentRequest(kim.personId), itemId)
      assert.strictEqual((yield* sendNote(second.token, "Done.", requestId)).body.replayed, true)
      const other = yield* acceptParticipation(kim, (yield* invite(dana, projectId)).code)
      const third = yield* createAssistant(kim, yield* nonIdempotentRequest(kim.personId), other.itemId)
      const onOtherItem = yield* sendNote(third.token, "Done.", requestId)
      assert.deepStrictEqual([onOtherItem.status, onOtherItem.body.replayed], [201, undefined])
      assert.deepStrictEqual(yield* notesOf(fixture), ["Done."])
    }).pipe(at(noon))
  )

  it.effect("The limit is 100 notes of an item; replays are answered beyond it.", () =>
    Effect.gen(function* () {
      const fixture = yield* itemWithAssistant
      const requestId = uuid()
      yield* sendNote(fixture.token, "1", requestId)
      for (let note = 2; note < limits.notesPerItem; note++) yield* sendNote(fixture.token, String(note))
      const racing = yield* Effect.all(
        Array.from({ length: 5 }, () => sendNote(fixture.token, "100")),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(racing.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
      const late = yield* sendNote(fixture.token, "101")
      assert.deepStrictEqual([late.status, late.body.error], [409, "NOTE_LIMIT"])
      assert.strictEqual((yield* sendNote(fixture.token, "1", requestId)).status, 201)
      assert.lengthOf((yield* readItem(fixture.token)).body.notes, 100)
      assert.strictEqual((yield* listItems(fixture.kim)).items[0]?.noteCount, 100)
    }).pipe(at(noon))
  )

  it.effect("An invalid note is refused with 400.", () =>
    Effect.gen(function* () {
      const { token } = yield* itemWithAssistant
      const bodies: ReadonlyArray<object> = [
        {},
        { requestId: uuid() },
        { requestId: uuid(), text: "" },
        { requestId: uuid(), text: "x".repeat(4_001) },
        { requestId: uuid(), text: "x", itemId: "item_1" },
        { requestId: "1", text: "x" },
        { requestId: uuid(), text: "a\u0000b" }
      ]
      for (const body of bodies) {
        const { status, body: error } = yield* send("POST", "/api/participation/item/notes", { token, body })
        assert.deepStrictEqual([status, error.error], [400, "INVALID_REQUEST"], JSON.stringify(body).slice(0, 80))
      }
      assert.strictEqual((yield* sendNote(token, "x".repeat(4_000))).status, 201)
      assert.strictEqual((yield* send("POST", "/api/participation/item", { token, body: {} })).status, 404)
    }).pipe(at(noon))
  )
})

layer(freshTestService, { excludeTestServices: true })("access to an item", (it) => {
  it.effect("An item is readable by its person and the inviting party and unknown to everyone else.", () =>
    Effect.gen(function* () {
      const { kim, dana, sam, itemId, token } = yield* itemWithAssistant
      yield* sendNote(token, "One.")
      const own = yield* readItemAsPerson(kim, itemId)
      assert.deepInclude(own, { isOwn: true, assistantUntil: "2026-11-22T12:00:00.000Z" as typeof own.assistantUntil })
      const invitersView = yield* readItemAsPerson(dana, itemId)
      assert.deepInclude(invitersView, { isOwn: false, name: "Kim", assistantUntil: null })
      assert.lengthOf(invitersView.notes, 1)
      assert.strictEqual(yield* refusalCodeOf(readItemAsPerson(sam, itemId)), "UNKNOWN_PARTY")
      const nowhere = `item_${uuid()}`
      assert.strictEqual(yield* refusalCodeOf(readItemAsPerson(kim, nowhere)), "UNKNOWN_PARTY")
    }).pipe(at(noon))
  )

  it.effect("An item has no assistant until its person creates one.", () =>
    Effect.gen(function* () {
      const { kim, itemId } = yield* acceptedItem
      assert.strictEqual((yield* readItemAsPerson(kim, itemId)).assistantUntil, null)
    }).pipe(at(noon))
  )
})
