import { createHash } from "node:crypto"
import { assert, describe, expect, it } from "vitest"
import { chainHash, chainHashOf } from "../../src/canonical/chain.ts"
import { digestOf, isDigest, sha256Hex } from "../../src/canonical/digest.ts"
import { canonicalBytes, canonicalMembers, canonicalText, joinMembers } from "../../src/canonical/jcs.ts"
import { corpusFile, corpusFiles } from "../corpora/external-files.ts"
import { describeCorpus } from "./corpora.ts"

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

describeCorpus("jcs/input", "JCS vectors", () => {
  it.each(corpusFiles("jcs/input"))("The canonical form of %s matches the vector", (name) => {
    const value: unknown = JSON.parse(Buffer.from(corpusFile("jcs/input", name)).toString())
    expect(Buffer.from(canonicalBytes(value)).equals(corpusFile("jcs/output", name))).toBe(true)
  })
})

describe("canonical form", () => {
  it.each([undefined, () => 1, Number.NaN, Number.POSITIVE_INFINITY, 1n, "\ud800", { "\ud800": 1 }])(
    "canonicalText throws on %s, which has no JSON form",
    (value) => assert.throws(() => canonicalText(value))
  )

  it("The canonical form distinguishes composed and decomposed characters", () =>
    assert.notStrictEqual(canonicalText("é"), canonicalText("e\u0301")))

  it("Canonical members join to the canonical form, also for inherited names and names with escapes", () => {
    const value: unknown = JSON.parse('{"b":[1,{"z":0,"a":"\\n"}],"__proto__":{"x":1},"a\\"":null,"€":1,"😀":2,"1":3}')
    assert.strictEqual(joinMembers(canonicalMembers(value as object)), canonicalText(value))
    assert.strictEqual(joinMembers(canonicalMembers({})), "{}")
  })
})

describe("digests", () => {
  it("Digests are SHA-256 in lower-case hexadecimal digits", () => {
    assert.strictEqual(sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    assert.strictEqual(
      sha256Hex(new Uint8Array([0xff])),
      createHash("sha256")
        .update(new Uint8Array([0xff]))
        .digest("hex")
    )
    assert.strictEqual(digestOf({ b: 1, a: "é" }), sha256('{"a":"é","b":1}'))
  })

  it.each(["A".repeat(64), `sha256:${"a".repeat(64)}`, "a".repeat(63), "a".repeat(65), `${"a".repeat(64)}\n`, 1, null])(
    "%s is not a digest",
    (value) => assert.isFalse(isDigest(value))
  )
})

describe("chain hash", () => {
  const event = { schema: "x", issuedAt: "2026-11-21T09:00:00.000Z", payload: { issuedAt: "kept" }, a: 1 }

  it("The chain hash is the digest of the payload without its own issuedAt", () => {
    const expected = sha256('{"a":1,"payload":{"issuedAt":"kept"},"schema":"x"}')
    assert.strictEqual(chainHash(event), expected)
    assert.strictEqual(chainHashOf(canonicalMembers(event)), expected)
  })

  it("The chain hash is independent of issuedAt and depends on every other member", () => {
    assert.strictEqual(chainHash({ ...event, issuedAt: "other" }), chainHash(event))
    assert.notStrictEqual(chainHash({ ...event, a: 2 }), chainHash(event))
    assert.notStrictEqual(chainHash({ ...event, payload: {} }), chainHash(event))
  })
})
