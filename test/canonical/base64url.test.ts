/** base64url has one spelling for each byte sequence, and only that spelling is accepted. */
import fc from "fast-check"
import { assert, it } from "vitest"
import { fromBase64url, toBase64url } from "../../src/canonical/base64url.ts"

const characters = fc.constantFrom(..."ABCDQRgwxyz0123456789-_", "=", "+", "/", " ", "\n", ".", "é", "\u0000")

it("A text decodes exactly where its bytes encode to the same text", () => {
  const texts = fc.oneof(
    fc.uint8Array({ maxLength: 12 }).map(toBase64url),
    fc.array(characters, { maxLength: 9 }).map((parts) => parts.join("")),
    fc.string({ unit: fc.constantFrom(..."AEIMQUYcgkosw048BCDZ_-"), maxLength: 9 })
  )
  fc.assert(
    fc.property(texts, (text) => {
      const lenient = Buffer.from(text, "base64url")
      const isOnlySpelling = text !== "" && lenient.toString("base64url") === text
      assert.deepStrictEqual(fromBase64url(text), isOnlySpelling ? lenient : undefined)
    }),
    { numRuns: 2_000 }
  )
})
