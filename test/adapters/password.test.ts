/** An unknown name costs the same work as a wrong password, so that the response time does not reveal it. */
import { syncBuiltinESMExports } from "node:module"
import crypto from "node:crypto"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { isPassword, storedPassword } from "../../src/adapters/sign-in/password.ts"

/** Records the calls of scrypt while the scope is open, including those of modules loaded before. */
const recordScrypt = Effect.acquireRelease(
  Effect.sync(() => {
    const work: Array<unknown> = []
    const { scrypt } = crypto
    replaceScrypt(((password, salt, length, options, done) => {
      work.push({ salt: Buffer.from(salt as Buffer).length, length, options })
      scrypt(password, salt, length, options, done)
    }) as typeof scrypt)
    return { work, scrypt }
  }),
  ({ scrypt }) => Effect.sync(() => replaceScrypt(scrypt))
)

const replaceScrypt = (scrypt: typeof crypto.scrypt): void => {
  crypto.scrypt = scrypt
  syncBuiltinESMExports()
}

it.effect("An unknown name costs the same work as a wrong password.", () =>
  Effect.gen(function* () {
    const stored = yield* storedPassword("correct horse battery")
    const { work } = yield* recordScrypt
    assert.isFalse(yield* isPassword(stored, "wrong"))
    assert.isFalse(yield* isPassword(undefined, "wrong"))
    assert.isTrue(yield* isPassword(stored, "correct horse battery"))
    assert.strictEqual(work.length, 3)
    assert.deepStrictEqual(work[1], work[0])
  })
)
