import { createPublicKey, sign } from "node:crypto"
import { CompactSign, compactVerify, importJWK } from "jose"
import { assert, describe, expect, it } from "vitest"
import { canonicalBytes, canonicalText } from "../../src/canonical/jcs.ts"
import { compactJws, importEd25519, readJws, signingInput, verifyEd25519 } from "../../src/canonical/jws.ts"
import { base64url, keyPair, signBytes } from "../verifier/signing.ts"
import { corpusFile } from "../corpora/external-files.ts"
import { describeCorpus } from "./corpora.ts"

const key = keyPair(7)
const typ = "service.result-record/v1"
const payload = canonicalBytes({ schema: typ, issuedAt: "2026-11-21T09:00:00.000Z", text: "é😀" })
const header = canonicalText({ alg: "EdDSA", kid: "k1", typ })
const valid = signBytes(header, payload, key.privateKey)
const [headerPart, payloadPart, signaturePart] = valid.split(".") as [string, string, string]

const imported = (jwk: unknown) => {
  const reading = importEd25519(jwk)
  if (!reading.ok) throw new Error(reading.code)
  return reading.key
}

const verdict = (compact: string): string => {
  const reading = readJws(compact)
  if (!reading.ok) return reading.code
  return verifyEd25519(imported(key.jwk), reading.signingInput, reading.signature) ? "accepted" : "SIGNATURE_INVALID"
}

describe("interoperability of JWS with jose", () => {
  it("Own signatures equal those of jose byte for byte", async () => {
    const input = signingInput({ kid: "k1", typ }, payload)
    const ours = compactJws(input, sign(null, Buffer.from(input), key.privateKey))
    const theirs = await new CompactSign(payload)
      .setProtectedHeader({ alg: "EdDSA", kid: "k1", typ })
      .sign(key.privateKey)
    assert.strictEqual(ours, theirs)
    assert.strictEqual(ours, valid)
  })

  it("Own verification and jose accept each other's signatures", async () => {
    const verified = await compactVerify(valid, await importJWK(key.jwk, "EdDSA"), { algorithms: ["EdDSA"] })
    expect(Buffer.from(verified.payload).equals(payload)).toBe(true)
    assert.strictEqual(verdict(valid), "accepted")
    const reading = readJws(valid)
    assert.isTrue(reading.ok && Buffer.from(reading.payload).equals(payload) && reading.header.kid === "k1")
  })
})

const signedWith = (text: string): string => signBytes(text, payload, key.privateKey)
const withMembers = (members: object): string => signedWith(canonicalText({ alg: "EdDSA", kid: "k1", typ, ...members }))

const group = 2n ** 252n + 27742317777372353535851937790883648493n
const malleated = (): string => {
  const signature = Buffer.from(signaturePart, "base64url")
  const s = BigInt(`0x${Buffer.from(signature.subarray(32).toReversed()).toString("hex")}`) + group
  const bytes = Buffer.from(s.toString(16).padStart(64, "0"), "hex").toReversed()
  return `${headerPart}.${payloadPart}.${base64url(Buffer.concat([signature.subarray(0, 32), bytes]))}`
}
/** A last character that decodes to the same bytes: its unused bits are set. */
const trailingBits = (segment: string): string => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  const last = alphabet.indexOf(segment.at(-1)!)
  assert.notStrictEqual(segment.length % 4, 0, "the segment has unused bits")
  return segment.slice(0, -1) + alphabet[last + 1]
}
const signatureOf = (bytes: Uint8Array): string => `${headerPart}.${payloadPart}.${base64url(bytes)}`

/** Malicious headers and spellings; each is signed with the right key where possible. */
const hostile: ReadonlyArray<readonly [shape: string, compact: string, code: string]> = [
  ["alg none", withMembers({ alg: "none" }), "JWS_ALG"],
  [
    "alg none without a signature",
    `${base64url(canonicalText({ alg: "none", kid: "k1", typ }))}.${payloadPart}.`,
    "JWS_ENCODING"
  ],
  ["alg nOnE", withMembers({ alg: "nOnE" }), "JWS_ALG"],
  ["an empty alg", withMembers({ alg: "" }), "JWS_ALG"],
  ["a list as alg", withMembers({ alg: ["EdDSA"] }), "JWS_ALG"],
  ["no alg", signedWith(canonicalText({ kid: "k1", typ })), "JWS_ALG"],
  ["HS256 with the public key", withMembers({ alg: "HS256" }), "JWS_ALG"],
  ["ES256 on an Ed25519 key", withMembers({ alg: "ES256" }), "JWS_ALG"],
  ["RS256 on an Ed25519 key", withMembers({ alg: "RS256" }), "JWS_ALG"],
  ["Ed25519 where EdDSA is due", withMembers({ alg: "Ed25519" }), "JWS_ALG"],
  ["an embedded jwk", withMembers({ jwk: key.jwk }), "JWS_HEADER_MEMBER"],
  ["jku", withMembers({ jku: "https://keys.example" }), "JWS_HEADER_MEMBER"],
  ["x5u", withMembers({ x5u: "https://keys.example" }), "JWS_HEADER_MEMBER"],
  ["x5c", withMembers({ x5c: [] }), "JWS_HEADER_MEMBER"],
  ["x5t", withMembers({ x5t: "AA" }), "JWS_HEADER_MEMBER"],
  ["an unknown crit", withMembers({ crit: ["x"], x: 1 }), "JWS_HEADER_MEMBER"],
  ["an empty crit", withMembers({ crit: [] }), "JWS_HEADER_MEMBER"],
  ["crit twice the same", withMembers({ crit: ["b64", "b64"], b64: true }), "JWS_HEADER_MEMBER"],
  ["crit b64", withMembers({ crit: ["b64"], b64: false }), "JWS_HEADER_MEMBER"],
  ["b64 without crit", withMembers({ b64: false }), "JWS_HEADER_MEMBER"],
  ["zip", withMembers({ zip: "DEF" }), "JWS_HEADER_MEMBER"],
  ["cty", withMembers({ cty: "json" }), "JWS_HEADER_MEMBER"],
  ["an unknown member", withMembers({ note: "x" }), "JWS_HEADER_MEMBER"],
  ["a __proto__ member", signedWith(`{"__proto__":{},"alg":"EdDSA","kid":"k1","typ":"${typ}"}`), "JWS_HEADER_MEMBER"],
  ["a name twice", signedWith(`{"alg":"EdDSA","alg":"EdDSA","kid":"k1","typ":"${typ}"}`), "JWS_HEADER_FORM"],
  [
    "a name twice through an escape",
    signedWith(`{"alg":"EdDSA","kid":"k1","ki\\u0064":"k2","typ":"${typ}"}`),
    "JWS_HEADER_FORM"
  ],
  ["a byte order mark", signedWith(`\ufeff${header}`), "JWS_HEADER_FORM"],
  ["another order", signedWith(`{"kid":"k1","alg":"EdDSA","typ":"${typ}"}`), "JWS_HEADER_FORM"],
  ["white space", signedWith(header.replace(":", ": ")), "JWS_HEADER_FORM"],
  ["an escape", signedWith(header.replace("k1", "\\u006b1")), "JWS_HEADER_FORM"],
  ["U+0000 in the kid", withMembers({ kid: "k\u0000" }), "JWS_HEADER_FORM"],
  ["a header that is a list", signedWith("[]"), "JWS_HEADER_FORM"],
  ["no kid", signedWith(canonicalText({ alg: "EdDSA", typ })), "JWS_HEADER_FORM"],
  ["no typ", signedWith(canonicalText({ alg: "EdDSA", kid: "k1" })), "JWS_HEADER_FORM"],
  ["a number as kid", withMembers({ kid: 1 }), "JWS_HEADER_FORM"],
  ["a kid of 201 characters", withMembers({ kid: "k".repeat(201) }), "JWS_HEADER_FORM"],
  ["a huge header", withMembers({ kid: "k".repeat(5_000) }), "JWS_HEADER_FORM"],
  [
    "the flattened form",
    JSON.stringify({ protected: headerPart, payload: payloadPart, signature: signaturePart }),
    "JWS_FORM"
  ],
  ["the general form", JSON.stringify({ payload: payloadPart, signatures: [] }), "JWS_FORM"],
  ["two segments", `${headerPart}.${payloadPart}`, "JWS_FORM"],
  ["four segments", `${valid}.AA`, "JWS_FORM"],
  ["five segments", `${valid}.AA.AA`, "JWS_FORM"],
  ["the empty text", "", "JWS_FORM"],
  ["an empty payload", `${headerPart}..${signaturePart}`, "JWS_ENCODING"],
  ["padding in the header", `${headerPart}=.${payloadPart}.${signaturePart}`, "JWS_ENCODING"],
  ["padding in the payload", `${headerPart}.${payloadPart}=.${signaturePart}`, "JWS_ENCODING"],
  ["padding in the signature", `${valid}==`, "JWS_ENCODING"],
  ["a space", `${headerPart} .${payloadPart}.${signaturePart}`, "JWS_ENCODING"],
  ["a newline at the end", `${valid}\n`, "JWS_ENCODING"],
  [
    "a newline inside",
    `${headerPart}.${payloadPart.slice(0, 4)}\n${payloadPart.slice(4)}.${signaturePart}`,
    "JWS_ENCODING"
  ],
  [
    "the standard alphabet",
    `${headerPart}.${payloadPart}.${signaturePart.replaceAll("-", "+").replaceAll("_", "/")}`,
    "JWS_ENCODING"
  ],
  ["unused bits in the signature", `${headerPart}.${payloadPart}.${trailingBits(signaturePart)}`, "JWS_ENCODING"],
  ["unused bits in the payload", `${headerPart}.${trailingBits(payloadPart)}.${signaturePart}`, "JWS_ENCODING"],
  ["63 bytes", signatureOf(Buffer.from(signaturePart, "base64url").subarray(0, 63)), "SIGNATURE_INVALID"],
  [
    "65 bytes",
    signatureOf(Buffer.concat([Buffer.from(signaturePart, "base64url"), Buffer.alloc(1)])),
    "SIGNATURE_INVALID"
  ],
  ["S + L", malleated(), "SIGNATURE_INVALID"],
  ["all zeros", signatureOf(Buffer.alloc(64)), "SIGNATURE_INVALID"],
  [
    "R of small order",
    signatureOf(
      Buffer.concat([Buffer.from([1]), Buffer.alloc(31), Buffer.from(signaturePart, "base64url").subarray(32)])
    ),
    "SIGNATURE_INVALID"
  ],
  ["another payload", `${headerPart}.${base64url("{}")}.${signaturePart}`, "SIGNATURE_INVALID"],
  [
    "another header",
    `${base64url(canonicalText({ alg: "EdDSA", kid: "k2", typ }))}.${payloadPart}.${signaturePart}`,
    "SIGNATURE_INVALID"
  ]
]

describe("malicious JWS", () => {
  it.each(hostile)("A JWS with %s is rejected", (_, compact, code) => assert.strictEqual(verdict(compact), code))

  it.each([null, undefined, 1, {}, [valid]])("%s is not a JWS", (value) => {
    const reading = readJws(value)
    assert.isTrue(!reading.ok && reading.code === "JWS_FORM")
  })
})

describe("public keys", () => {
  const { x } = key.jwk
  it.each([
    ["nothing", null, "KEY_FORM"],
    ["a list", [], "KEY_FORM"],
    ["another type", { ...key.jwk, kty: "EC" }, "KEY_FORM"],
    ["another curve", { ...key.jwk, crv: "X25519" }, "KEY_FORM"],
    ["a private key", { ...key.jwk, d: x }, "KEY_FORM"],
    ["a use", { ...key.jwk, use: "enc" }, "KEY_FORM"],
    ["an alg", { ...key.jwk, alg: "EdDSA" }, "KEY_FORM"],
    ["padding", { ...key.jwk, x: `${x}=` }, "KEY_FORM"],
    ["a space", { ...key.jwk, x: `${x} ` }, "KEY_FORM"],
    ["other unused bits", { ...key.jwk, x: trailingBits(x) }, "KEY_FORM"],
    ["31 bytes", { ...key.jwk, x: base64url(Buffer.alloc(31, 1)) }, "KEY_FORM"],
    ["a number", { ...key.jwk, x: 1 }, "KEY_FORM"],
    ["all zeros", { ...key.jwk, x: base64url(Buffer.alloc(32)) }, "KEY_WEAK"],
    [
      "the neutral point",
      { ...key.jwk, x: base64url(Buffer.concat([Buffer.from([1]), Buffer.alloc(31)])) },
      "KEY_WEAK"
    ],
    [
      "a y above p",
      { ...key.jwk, x: base64url(Buffer.concat([Buffer.from([0xf0]), Buffer.alloc(30, 0xff), Buffer.from([0x7f])])) },
      "KEY_WEAK"
    ]
  ])("A public key with %s is rejected", (_, jwk, code) => {
    const reading = importEd25519(jwk)
    assert.strictEqual(reading.ok ? "accepted" : reading.code, code)
  })
})

interface Wycheproof {
  readonly testGroups: ReadonlyArray<{
    readonly publicKey: { readonly pk: string }
    readonly tests: ReadonlyArray<{ tcId: number; comment: string; msg: string; sig: string; result: string }>
  }>
}

describeCorpus("ed25519", "Wycheproof Ed25519", () => {
  it("Each of the 151 Wycheproof cases has its documented verdict", () => {
    const corpus = JSON.parse(Buffer.from(corpusFile("ed25519", "wycheproof-ed25519.json")).toString()) as Wycheproof
    const differing: Array<string> = []
    let count = 0
    for (const group of corpus.testGroups) {
      const jwk = { kty: "OKP", crv: "Ed25519", x: base64url(Buffer.from(group.publicKey.pk, "hex")) }
      for (const test of group.tests) {
        count++
        const reading = importEd25519(jwk)
        const isValid =
          reading.ok && verifyEd25519(reading.key, Buffer.from(test.msg, "hex"), Buffer.from(test.sig, "hex"))
        if (isValid !== (test.result === "valid")) differing.push(`${test.tcId} ${test.comment}: ${isValid}`)
      }
    }
    expect(differing).toEqual([])
    assert.strictEqual(count, 151)
  })
})

/** The y coordinates of small order, little-endian, without the sign bit; copied from libsodium. */
const smallOrderPoints = [
  `00${"00".repeat(31)}`,
  `01${"00".repeat(31)}`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`
].flatMap((hex) => [hex, hex.slice(0, 62) + (Number.parseInt(hex.slice(62), 16) | 0x80).toString(16)])

describe("points of small order", () => {
  it.each(smallOrderPoints)(
    "The point %s of small order is rejected as key and as R, whatever OpenSSL returns",
    (hex) => {
      const point = Buffer.from(hex, "hex")
      const reading = importEd25519({ kty: "OKP", crv: "Ed25519", x: base64url(point) })
      assert.isTrue(!reading.ok && reading.code === "KEY_WEAK")
      // With S = 0 and this point as key and as R, some versions of OpenSSL accept some messages.
      const raw = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: base64url(point) }, format: "jwk" })
      for (const message of ["a", "b", "c", "d", "e", "f", "g", "h"]) {
        assert.isFalse(verifyEd25519(raw, message, Buffer.concat([point, Buffer.alloc(32)])))
      }
    }
  )
})
