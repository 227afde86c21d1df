/** A name that nobody has costs what a wrong password costs: the same work, so that its time tells nothing. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import { isPassword, storedPassword } from "../../src/adapters/sign-in/password.ts"

const { work } = vi.hoisted(() => ({ work: [] as Array<unknown> }))

vi.mock(import("node:crypto"), async (importOriginal) => {
  const crypto = await importOriginal()
  const scrypt = ((password, salt, length, options, done) => {
    work.push({ salt: Buffer.from(salt as Buffer).length, length, options })
    crypto.scrypt(password, salt, length, options, done)
  }) as typeof crypto.scrypt
  return { ...crypto, scrypt, default: { ...crypto, scrypt } }
})

it.effect("a name that nobody has is worked for as a wrong password is", () =>
  Effect.gen(function* () {
    const stored = yield* storedPassword("correct horse battery")
    work.length = 0
    assert.isFalse(yield* isPassword(stored, "wrong"))
    assert.isFalse(yield* isPassword(undefined, "wrong"))
    assert.isTrue(yield* isPassword(stored, "correct horse battery"))
    assert.strictEqual(work.length, 3)
    assert.deepStrictEqual(work[1], work[0])
  })
)
