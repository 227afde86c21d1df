import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createAssistant, finishItem } from "../../src/participation/items.ts"
import { ParticipationCredentials } from "../../src/participation/store.ts"
import { endSession, openSession } from "../../src/people/sessions.ts"
import { Storage } from "../../src/ports/storage.ts"
import { fingerprint, unrepeated } from "../../src/replay/replay.ts"
import { isToken, tokenHash } from "../../src/vocabulary/token.ts"
import { freshTestService } from "../support/service.ts"
import { at } from "../support/time.ts"
import { accepted, after, assisted, codeOf, hour, minute, noon, readItem, sendNote } from "./world.ts"

layer(freshTestService, { excludeTestServices: true })("assistant credentials", (it) => {
  it.effect(
    "An assistant's credential is valid for 24 hours, has its own token form and is stored only as a hash.",
    () =>
      Effect.gen(function* () {
        const { kim, itemId } = yield* accepted
        const made = yield* createAssistant(kim, yield* unrepeated(kim.personId), itemId)
        assert.deepInclude(made, { itemId, expiresAt: after(24 * hour) })
        assert.isTrue(isToken("participation", made.token))
        const storage = yield* Storage
        const hash = tokenHash(made.token)
        const row = yield* storage.view((reader) => reader.get(ParticipationCredentials, [hash]))
        const { personId, sessionId } = kim
        const times = { createdAt: noon, expiresAt: made.expiresAt }
        assert.deepStrictEqual(row, { tokenHash: hash, itemId, personId, sessionId, ...times })
      }).pipe(at(noon))
  )

  it.effect("A retry within 10 minutes shows the same token again, also after its use.", () =>
    Effect.gen(function* () {
      const { kim, itemId, request, token } = yield* assisted
      yield* sendNote(token).pipe(at(noon))
      const again = createAssistant(kim, request, itemId)
      assert.strictEqual((yield* again.pipe(at(after(10 * minute - 1)))).token, token)
      assert.strictEqual(yield* codeOf(again).pipe(at(after(10 * minute))), "SECRET_ALREADY_SHOWN")
      assert.strictEqual((yield* readItem(token).pipe(at(after(10 * minute)))).status, 200)
    })
  )

  it.effect("Concurrent retries issue exactly one credential.", () =>
    Effect.gen(function* () {
      const { kim, itemId } = yield* accepted
      const request = yield* unrepeated(kim.personId)
      const made = yield* Effect.all(
        Array.from({ length: 8 }, () => createAssistant(kim, request, itemId)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(made.map(({ token }) => token)).size, 1)
      assert.strictEqual((yield* readItem(made[0]!.token)).status, 200)
    }).pipe(at(noon))
  )

  it.effect("A new request issues another credential and invalidates the earlier one.", () =>
    Effect.gen(function* () {
      const { kim, itemId, request, token } = yield* assisted
      const second = yield* createAssistant(kim, yield* unrepeated(kim.personId), itemId)
      assert.notStrictEqual(second.token, token)
      assert.strictEqual(yield* codeOf(createAssistant(kim, request, itemId)), "SECRET_ALREADY_SHOWN")
      assert.strictEqual((yield* readItem(second.token)).status, 200)
    }).pipe(at(noon))
  )

  it.effect(
    "A credential is refused for another body under the same request id, another person's item, or an ended item.",
    () =>
      Effect.gen(function* () {
        const { kim, sam, dana, itemId, request } = yield* assisted
        const other = { ...request, fingerprint: fingerprint("createAssistant", ["another"], null) }
        assert.strictEqual(yield* codeOf(createAssistant(kim, other, itemId)), "REQUEST_ID_CONFLICT")
        for (const by of [sam, dana]) {
          const foreign = createAssistant(by, yield* unrepeated(by.personId), itemId)
          assert.strictEqual(yield* codeOf(foreign), "UNKNOWN_PARTY")
        }
        yield* finishItem(kim, itemId)
        assert.strictEqual(yield* codeOf(createAssistant(kim, request, itemId)), "SECRET_ALREADY_SHOWN")
        const late = createAssistant(kim, yield* unrepeated(kim.personId), itemId)
        assert.strictEqual(yield* codeOf(late), "ITEM_ENDED")
      }).pipe(at(noon))
  )

  it.effect("Issuing a credential and showing it again require a live session.", () =>
    Effect.gen(function* () {
      const { kim, itemId, request } = yield* assisted
      yield* openSession(kim.token).pipe(at(after(1)))
      const again = createAssistant(kim, request, itemId)
      const fresh = createAssistant(kim, yield* unrepeated(kim.personId), itemId)
      yield* endSession(kim).pipe(at(after(1)))
      assert.strictEqual(yield* codeOf(again).pipe(at(after(2))), "SIGN_IN_REQUIRED")
      assert.strictEqual(yield* codeOf(fresh).pipe(at(after(2))), "SIGN_IN_REQUIRED")
    })
  )
})
