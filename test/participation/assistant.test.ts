import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { acceptParticipation } from "../../src/participation/invitations.ts"
import { createAssistant, listItems, readItemAsPerson } from "../../src/participation/items.ts"
import { unrepeated } from "../../src/replay/replay.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { uuid } from "../support/parties.ts"
import { freshTestService, send } from "../support/service.ts"
import { at } from "../support/time.ts"
import { accepted, assisted, codeOf, invite, noon, readItem, sendNote, task, type World } from "./world.ts"

const notesOf = ({ kim, itemId }: World) =>
  Effect.map(readItemAsPerson(kim, itemId), ({ notes }) => notes.map(({ text }) => text))

layer(freshTestService, { excludeTestServices: true })("a participation assistant", (it) => {
  it.effect("reads its item with its notes, and nothing of the project", () =>
    Effect.gen(function* () {
      const world = yield* assisted
      yield* sendNote(world.token, "One.")
      yield* sendNote(world.token, "Two.")
      const { status, body, text } = yield* readItem(world.token)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        id: world.itemId,
        ...task,
        state: "OPEN",
        acceptedAt: noon,
        notes: [
          { sequence: 1, text: "One.", at: noon },
          { sequence: 2, text: "Two.", at: noon }
        ]
      })
      for (const hidden of [world.projectId, "organization_", "person_", "session_", "invitation_", "Dana", "Logo"]) {
        assert.notInclude(text, hidden)
      }
    }).pipe(at(noon))
  )

  it.effect("adds a note once, however often it sends it", () =>
    Effect.gen(function* () {
      const world = yield* assisted
      const requestId = uuid()
      const answers = yield* Effect.all(
        Array.from({ length: 12 }, () => sendNote(world.token, "Done.", requestId)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [201])
      const first = answers.filter(({ body }) => body.replayed === undefined)
      assert.lengthOf(first, 1)
      for (const { body } of answers) assert.deepInclude(body, { sequence: 1, text: "Done.", at: noon })
      assert.deepStrictEqual(yield* notesOf(world), ["Done."])
      const other = yield* sendNote(world.token, "Not done.", requestId)
      assert.deepStrictEqual([other.status, other.body.error], [409, "REQUEST_ID_CONFLICT"])
    }).pipe(at(noon))
  )

  it.effect("keeps its request ids when it gets another credential, which another item does not share", () =>
    Effect.gen(function* () {
      const world = yield* assisted
      const { kim, dana, projectId, itemId } = world
      const requestId = uuid()
      yield* sendNote(world.token, "Done.", requestId)
      const second = yield* createAssistant(kim, yield* unrepeated(kim.personId), itemId)
      assert.strictEqual((yield* sendNote(second.token, "Done.", requestId)).body.replayed, true)
      const other = yield* acceptParticipation(kim, (yield* invite(dana, projectId)).code)
      const third = yield* createAssistant(kim, yield* unrepeated(kim.personId), other.itemId)
      const elsewhere = yield* sendNote(third.token, "Done.", requestId)
      assert.deepStrictEqual([elsewhere.status, elsewhere.body.replayed], [201, undefined])
      assert.deepStrictEqual(yield* notesOf(world), ["Done."])
    }).pipe(at(noon))
  )

  it.effect("adds a hundred notes and no more; repeating one of them still works", () =>
    Effect.gen(function* () {
      const world = yield* assisted
      const requestId = uuid()
      yield* sendNote(world.token, "1", requestId)
      for (let note = 2; note < limits.notesPerItem; note++) yield* sendNote(world.token, String(note))
      const racing = yield* Effect.all(
        Array.from({ length: 5 }, () => sendNote(world.token, "100")),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(racing.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
      const late = yield* sendNote(world.token, "101")
      assert.deepStrictEqual([late.status, late.body.error], [409, "NOTE_LIMIT"])
      assert.strictEqual((yield* sendNote(world.token, "1", requestId)).status, 201)
      assert.lengthOf((yield* readItem(world.token)).body.notes, 100)
      assert.strictEqual((yield* listItems(world.kim))[0]?.noteCount, 100)
    }).pipe(at(noon))
  )

  it.effect("is told what is wrong with a note", () =>
    Effect.gen(function* () {
      const { token } = yield* assisted
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

layer(freshTestService, { excludeTestServices: true })("an item with its notes", (it) => {
  it.effect("is shown to the person and to the side that invited, and is unknown to everybody else", () =>
    Effect.gen(function* () {
      const { kim, dana, sam, itemId, token } = yield* assisted
      yield* sendNote(token, "One.")
      const own = yield* readItemAsPerson(kim, itemId)
      assert.deepInclude(own, { isOwn: true, assistantUntil: "2026-11-22T12:00:00.000Z" as typeof own.assistantUntil })
      const given = yield* readItemAsPerson(dana, itemId)
      assert.deepInclude(given, { isOwn: false, name: "Kim", assistantUntil: null })
      assert.lengthOf(given.notes, 1)
      assert.strictEqual(yield* codeOf(readItemAsPerson(sam, itemId)), "UNKNOWN_PARTY")
      const nowhere = `item_${uuid()}`
      assert.strictEqual(yield* codeOf(readItemAsPerson(kim, nowhere)), "UNKNOWN_PARTY")
    }).pipe(at(noon))
  )

  it.effect("has no assistant until its person wants one", () =>
    Effect.gen(function* () {
      const { kim, itemId } = yield* accepted
      assert.strictEqual((yield* readItemAsPerson(kim, itemId)).assistantUntil, null)
    }).pipe(at(noon))
  )
})
