import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createAssistant, finishItem } from "../../src/participation/items.ts"
import { ParticipationCredentials } from "../../src/participation/store.ts"
import { endSession, openSession } from "../../src/people/sessions.ts"
import { Storage } from "../../src/ports/storage.ts"
import { fingerprint, nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { isToken, tokenHash } from "../../src/vocabulary/token.ts"
import { freshTestService } from "../support/service.ts"
import { at } from "../support/time.ts"
import {
  acceptedItem,
  millisecondsAfterNoon,
  itemWithAssistant,
  refusalCodeOf,
  hour,
  minute,
  noon,
  readItem,
  sendNote
} from "./fixtures.ts"

layer(freshTestService, { excludeTestServices: true })("assistant credentials", (it) => {
  it.effect(
    "An assistant's credential is valid for 24 hours, has its own token form and is stored only as a hash.",
    () =>
      Effect.gen(function* () {
        const { kim, itemId } = yield* acceptedItem
        const made = yield* createAssistant(kim, yield* nonIdempotentRequest(kim.personId), itemId)
        assert.deepInclude(made, { itemId, expiresAt: millisecondsAfterNoon(24 * hour) })
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
      const { kim, itemId, request, token } = yield* itemWithAssistant
      yield* sendNote(token).pipe(at(noon))
      const again = createAssistant(kim, request, itemId)
      assert.strictEqual((yield* again.pipe(at(millisecondsAfterNoon(10 * minute - 1)))).token, token)
      assert.strictEqual(
        yield* refusalCodeOf(again).pipe(at(millisecondsAfterNoon(10 * minute))),
        "SECRET_ALREADY_SHOWN"
      )
      assert.strictEqual((yield* readItem(token).pipe(at(millisecondsAfterNoon(10 * minute)))).status, 200)
    })
  )

  it.effect("Concurrent retries issue exactly one credential.", () =>
    Effect.gen(function* () {
      const { kim, itemId } = yield* acceptedItem
      const request = yield* nonIdempotentRequest(kim.personId)
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
      const { kim, itemId, request, token } = yield* itemWithAssistant
      const second = yield* createAssistant(kim, yield* nonIdempotentRequest(kim.personId), itemId)
      assert.notStrictEqual(second.token, token)
      assert.strictEqual(yield* refusalCodeOf(createAssistant(kim, request, itemId)), "SECRET_ALREADY_SHOWN")
      assert.strictEqual((yield* readItem(second.token)).status, 200)
    }).pipe(at(noon))
  )

  it.effect(
    "A credential is refused for another body under the same request id, another person's item, or an ended item.",
    () =>
      Effect.gen(function* () {
        const { kim, sam, dana, itemId, request } = yield* itemWithAssistant
        const other = { ...request, fingerprint: fingerprint("createAssistant", ["another"], null) }
        assert.strictEqual(yield* refusalCodeOf(createAssistant(kim, other, itemId)), "REQUEST_ID_CONFLICT")
        for (const by of [sam, dana]) {
          const foreign = createAssistant(by, yield* nonIdempotentRequest(by.personId), itemId)
          assert.strictEqual(yield* refusalCodeOf(foreign), "UNKNOWN_PARTY")
        }
        yield* finishItem(kim, itemId)
        assert.strictEqual(yield* refusalCodeOf(createAssistant(kim, request, itemId)), "SECRET_ALREADY_SHOWN")
        const late = createAssistant(kim, yield* nonIdempotentRequest(kim.personId), itemId)
        assert.strictEqual(yield* refusalCodeOf(late), "ITEM_ENDED")
      }).pipe(at(noon))
  )

  it.effect("Issuing a credential and showing it again require a live session.", () =>
    Effect.gen(function* () {
      const { kim, itemId, request } = yield* itemWithAssistant
      yield* openSession(kim.token).pipe(at(millisecondsAfterNoon(1)))
      const again = createAssistant(kim, request, itemId)
      const fresh = createAssistant(kim, yield* nonIdempotentRequest(kim.personId), itemId)
      yield* endSession(kim).pipe(at(millisecondsAfterNoon(1)))
      assert.strictEqual(yield* refusalCodeOf(again).pipe(at(millisecondsAfterNoon(2))), "SIGN_IN_REQUIRED")
      assert.strictEqual(yield* refusalCodeOf(fresh).pipe(at(millisecondsAfterNoon(2))), "SIGN_IN_REQUIRED")
    })
  )
})
