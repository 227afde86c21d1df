import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { createHash } from "node:crypto"
import { isToken, tokenFrom, tokenHash } from "../../src/vocabulary/token.ts"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const secret = createHash("sha256").update("a secret").digest("hex")
const token = tokenFrom("agent", secret)

const anySecret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString("hex"))
const check = <A>(arbitrary: fc.Arbitrary<A>, property: (value: A) => void) =>
  fc.assert(fc.property(arbitrary, property), { numRuns: 500, seed: 20260101 })

describe("tokens", () => {
  it("A token is dda_, 43 characters of the secret and 6 of a checksum", () => {
    check(anySecret, (one) => assert.match(tokenFrom("agent", one), /^dda_[0-9A-Za-z]{49}$/))
    assert.match(tokenFrom("agent", "0".repeat(64)), /^dda_0{43}/)
    assert.match(tokenFrom("agent", "f".repeat(64)), /^dda_[0-9A-Za-z]{49}$/)
  })

  it("A token is recognized, and two secrets give two tokens", () => {
    check(anySecret, (one) => assert.isTrue(isToken("agent", tokenFrom("agent", one))))
    check(fc.uniqueArray(anySecret, { minLength: 2, maxLength: 2 }), ([one = "", other = ""]) =>
      assert.notStrictEqual(tokenFrom("agent", one), tokenFrom("agent", other))
    )
  })

  it.each([...token].map((_, place) => place))(
    "A token with another character at position %i fails its checksum",
    (place) => {
      for (const character of alphabet) {
        if (character === token[place]) continue
        assert.isFalse(isToken("agent", token.slice(0, place) + character + token.slice(place + 1)))
      }
    }
  )

  it("A token with two neighbouring characters exchanged fails its checksum", () => {
    for (let place = 4; place < token.length - 1; place++) {
      if (token[place] === token[place + 1]) continue
      const exchanged = token.slice(0, place) + token[place + 1] + token[place] + token.slice(place + 2)
      assert.isFalse(isToken("agent", exchanged), exchanged)
    }
  })

  it.each([
    "",
    "dda_",
    token.slice(0, -1),
    `${token}0`,
    ` ${token}`,
    `${token}\n`,
    token.toLowerCase(),
    token.replace("dda_", "dpa_"),
    token.replace("dda_", "dda-"),
    `dda_${"0".repeat(49)}`,
    "dda_" + "é".repeat(49)
  ])("%j is not a token", (value) => {
    assert.isFalse(isToken("agent", value))
  })

  it("A token is stored as the SHA-256 of its bytes", () => {
    assert.strictEqual(tokenHash(token), createHash("sha256").update(token).digest("hex"))
  })
})
