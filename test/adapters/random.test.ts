/** Random bytes from a pool. */
import { assert, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { layer } from "../../src/adapters/random.ts"

it.effect("Ten thousand ids and draws of every size across many pools are all different", () =>
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    const ids = yield* Effect.forEach(Array.from({ length: 10_000 }), () => random.uuidV4())
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    for (const size of [0, 1, 16, 32, 63, 64, 65, 4_096, 4_097, 70_000]) {
      const [one, other] = [yield* random.randomBytes(size), yield* random.randomBytes(size)]
      expect([one.length, other.length]).toEqual([size, size])
      if (size >= 16) assert.notDeepEqual(one, other)
    }
  }).pipe(Effect.provide(layer))
)

it.effect("A later draw does not change bytes that were drawn before", () =>
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    const bytes = yield* random.randomBytes(32)
    const copy = Uint8Array.from(bytes)
    yield* Effect.forEach(Array.from({ length: 1_000 }), () => random.randomBytes(32))
    expect(bytes).toEqual(copy)
    assert.isTrue(bytes.some((byte) => byte !== 0))
  }).pipe(Effect.provide(layer))
)
