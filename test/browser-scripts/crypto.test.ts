/** The cryptography of the verifier in browsers agrees with that of Node, on honest and on hostile keys and signatures. */
import * as nodeCrypto from "node:crypto"
import { ed25519 } from "@noble/curves/ed25519.js"
import { bytesToNumberLE, numberToBytesLE } from "@noble/curves/utils.js"
import { sha512 } from "@noble/hashes/sha2.js"
import { assert, describe, it } from "vitest"
import * as browser from "../../src/browser/node/crypto.ts"
import { Buffer as BrowserBuffer } from "../../src/browser/node/buffer.ts"
import { corpusFile } from "../corpora/external-files.ts"
import { missingCorpusReason } from "../corpora/corpus.ts"

const { Point } = ed25519
const order = Point.Fn.ORDER

const pemOf = (raw: Uint8Array): string => {
  const info = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), raw])
  return `-----BEGIN PUBLIC KEY-----\n${info.toString("base64")}\n-----END PUBLIC KEY-----\n`
}

const attempt = (verify: () => boolean): boolean => {
  try {
    return verify()
  } catch {
    return false
  }
}

/** Both verdicts, which have to be equal; a thrown error counts as a refusal, as in `verifyEd25519`. */
const verdictOn = (raw: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean => {
  const byNode = attempt(() => nodeCrypto.verify(null, message, nodeCrypto.createPublicKey(pemOf(raw)), signature))
  const byBrowser = attempt(() => browser.verify(null, message, browser.createPublicKey(pemOf(raw)), signature))
  const what = [raw, message, signature].map((bytes) => Buffer.from(bytes).toString("hex")).join(" ")
  assert.strictEqual(byBrowser, byNode, what)
  return byNode
}

const messageOf = (text: string) => new TextEncoder().encode(text)
const hashToScalar = (...parts: ReadonlyArray<Uint8Array>) =>
  bytesToNumberLE(sha512(Uint8Array.from(parts.flatMap((part) => [...part])))) % order

/** A point of order 8. */
const torsion = Point.fromHex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", true)

/** Signs with a nonce and a key to which points of small order are added: valid with the cofactor only, or in some cases. */
const signWithTorsion = (message: Uint8Array, inKey: bigint, inNonce: bigint, seed: bigint) => {
  const [secret, nonce] = [seed * 7n + 3n, seed * 11n + 5n]
  const key = Point.BASE.multiply(secret).add(torsion.multiplyUnsafe(inKey)).toBytes()
  const r = Point.BASE.multiply(nonce).add(torsion.multiplyUnsafe(inNonce)).toBytes()
  const s = (nonce + hashToScalar(r, key, message) * secret) % order
  return { key, signature: Uint8Array.from([...r, ...numberToBytesLE(s, 32)]) }
}

describe("Ed25519 in the browser", () => {
  it("A signature of Node is accepted, and refused after the change of any one of its bits.", () => {
    const { publicKey, privateKey } = nodeCrypto.generateKeyPairSync("ed25519")
    const raw = Buffer.from((publicKey.export({ format: "jwk" }) as { readonly x: string }).x, "base64url")
    const message = messageOf("The terms.")
    const signature = nodeCrypto.sign(null, message, privateKey)
    assert.isTrue(verdictOn(raw, message, signature))
    assert.isFalse(verdictOn(raw, messageOf("The terms?"), signature))
    for (let bit = 0; bit < 512; bit += 5) {
      const changed = Uint8Array.from(signature)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      assert.isFalse(verdictOn(raw, message, changed))
    }
  })

  it("A signature with S increased by the order is refused, as by Node.", () => {
    const { key, signature } = signWithTorsion(messageOf("a"), 0n, 0n, 1n)
    assert.isTrue(verdictOn(key, messageOf("a"), signature))
    const s = bytesToNumberLE(signature.subarray(32)) + order
    assert.isFalse(
      verdictOn(key, messageOf("a"), Uint8Array.from([...signature.subarray(0, 32), ...numberToBytesLE(s, 32)]))
    )
  })

  it("With points of small order in the key or the nonce, the verdict is that of Node, which uses no cofactor.", () => {
    const verdicts = Array.from({ length: 64 }, (_, index) => {
      const [inKey, inNonce] = [BigInt(index % 8), BigInt(index >> 3)]
      const message = messageOf(`message ${index}`)
      const { key, signature } = signWithTorsion(message, inKey, inNonce, BigInt(index + 1))
      const isAcceptedByCofactor = attempt(() => ed25519.verify(signature, message, key, { zip215: true }))
      return { isAccepted: verdictOn(key, message, signature), isAcceptedByCofactor }
    })
    // The sample distinguishes the two rules, and is not refused altogether.
    assert.isAbove(verdicts.filter(({ isAccepted }) => isAccepted).length, 0)
    assert.isAbove(
      verdicts.filter(({ isAccepted, isAcceptedByCofactor }) => !isAccepted && isAcceptedByCofactor).length,
      20
    )
  })

  it("Keys and nonces that are no points, or a second encoding of one, get the verdict of Node.", () => {
    const { key, signature } = signWithTorsion(messageOf("a"), 0n, 0n, 2n)
    const encodings = Array.from({ length: 40 }, (_, index) =>
      Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? index * 7 : at === 0 ? index : index * 3) & 0xff)
    )
    const noncanonical = [
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "0100000000000000000000000000000000000000000000000000000000000080",
      "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
    ]
    for (const point of [...encodings, ...noncanonical.map((hex) => Uint8Array.from(Buffer.from(hex, "hex")))]) {
      verdictOn(point, messageOf("a"), signature)
      verdictOn(key, messageOf("a"), Uint8Array.from([...point, ...signature.subarray(32)]))
      verdictOn(key, messageOf("a"), Uint8Array.from([...point, ...new Uint8Array(32)]))
    }
  })

  it.skipIf(missingCorpusReason("ed25519") !== undefined)("Each case of Wycheproof gets the verdict of Node.", () => {
    const { testGroups } = JSON.parse(Buffer.from(corpusFile("ed25519", "wycheproof-ed25519.json")).toString())
    const verdicts = testGroups.flatMap(({ publicKey, tests }: any) =>
      tests.map(({ msg, sig }: any) => {
        const [raw, message, signature] = [publicKey.pk, msg, sig].map((hex: string) => Buffer.from(hex, "hex"))
        return signature!.length === 64 && verdictOn(raw!, message!, signature!)
      })
    )
    assert.isAbove(verdicts.filter((isAccepted: boolean) => isAccepted).length, 50)
  })
})

describe("the conversions of the browser", () => {
  const texts = [
    ["no text", ""],
    ["ASCII", "a"],
    ["several alphabets", "Ünïcode 中 😀"],
    ["a byte order mark", "\ufeffmark"],
    ["half a surrogate pair", "half \ud800 pair"],
    ["a long text", "x".repeat(70_000)]
  ] as const

  it.each(texts)("Bytes, encodings and digest of %s are those of Node.", (_, text) => {
    assert.deepStrictEqual([...BrowserBuffer.from(text)], [...Buffer.from(text)])
    assert.strictEqual(BrowserBuffer.byteLength(text), Buffer.byteLength(text))
    assert.strictEqual(browser.hash("sha256", text, "hex"), nodeCrypto.hash("sha256", text, "hex"))
    for (const encoding of ["utf8", "latin1", "hex", "base64", "base64url"] as const) {
      assert.strictEqual(BrowserBuffer.from(text).toString(encoding), Buffer.from(text).toString(encoding), encoding)
    }
  })

  it.each(["", "A", "AA", "AAA", "AAAA", "AAAAA", "-_-_", "+/+/", "Zm9v.YmFy", "Zm9vYg==", "Zm 9v\nYg"])(
    "base64url is decoded as by Node, also where it is malformed: %j",
    (text) => {
      assert.deepStrictEqual([...BrowserBuffer.from(text, "base64url")], [...Buffer.from(text, "base64url")])
    }
  )

  it("A view of a part of a buffer, and a copy of bytes, are those of Node.", () => {
    const bytes = Uint8Array.from([1, 2, 3, 4, 255])
    assert.deepStrictEqual([...BrowserBuffer.from(bytes.buffer, 1, 3)], [2, 3, 4])
    const copy = BrowserBuffer.from(bytes)
    copy[0] = 9
    assert.deepStrictEqual([bytes[0], copy.toString("hex")], [1, "09020304ff"])
    assert.deepStrictEqual(Array.from(BrowserBuffer.concat([bytes, copy])), [...bytes, ...copy])
  })
})
