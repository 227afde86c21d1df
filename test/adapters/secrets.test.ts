/** Secrets derived from the installation's keys: deterministic, distinct for distinct inputs, and stable over a rotation. */
import { hkdfSync } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import fc from "fast-check"
import { Configuration } from "../../src/adapters/configuration.ts"
import { readSecrets } from "../../src/adapters/secret-key.ts"
import { secretsFrom } from "../../src/adapters/secrets.ts"
import type { SecretPurpose, Secrets } from "../../src/ports/secrets.ts"
import { temporaryDirectory, type Environment } from "../support/installation.ts"
import { configurationOf, keysOfStartIn } from "../support/keys-of-start.ts"

const purposes: ReadonlyArray<SecretPurpose> = ["USER_CODE", "CREDENTIAL", "INVITATION", "SESSION", "SIGN_IN", "FORM"]

const oldKey = new Uint8Array(32).fill(1)
const newKey = new Uint8Array(32).fill(2)
const before = secretsFrom([oldKey])
const during = secretsFrom([newKey, oldKey])
const after = secretsFrom([newKey])

const seal = (secrets: Secrets["Service"], purpose: SecretPurpose, text: string): string =>
  Effect.runSync(secrets.seal(purpose, text).pipe(Effect.provide(SecureRandom.layerWebCrypto)))

const check = <A>(arbitrary: fc.Arbitrary<A>, property: (value: A) => void) =>
  fc.assert(fc.property(arbitrary, property), { numRuns: 300, seed: 20260101 })

const anyText = fc.string({ unit: "binary", maxLength: 80 })
const anyPurpose = fc.constantFrom(...purposes)
const anyArguments = fc.tuple(anyPurpose, anyText, fc.array(anyText, { maxLength: 3 }))

describe("HKDF of Node", () => {
  it("HKDF of Node yields the first test vector of RFC 5869.", () => {
    const values = hkdfSync(
      "sha256",
      Buffer.alloc(22, 0x0b),
      Buffer.from("000102030405060708090a0b0c", "hex"),
      Buffer.from("f0f1f2f3f4f5f6f7f8f9", "hex"),
      42
    )
    assert.strictEqual(
      Buffer.from(values).toString("hex"),
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
    )
  })
})

describe("derived secrets", () => {
  // A change here would invalidate hashes in databases and the credentials of agents.
  it("Secrets do not change between versions of the program.", () => {
    const [keyId] = before.keyIds
    assert.deepStrictEqual(
      {
        keyId,
        hash: before.keyedHash("USER_CODE", keyId, "WDJB-MJHT"),
        derived: before.derive("CREDENTIAL", keyId, "salt", ["one", "two"]),
        opened: before.open("SIGN_IN", "984066666148fc92.J3kfZRH6XIu6EMFaeSkH2COt_4pJTqVa7jHAiUmnSV2A_yo")
      },
      {
        keyId: "984066666148fc92",
        hash: "847e0d9058a55f701be2a7ae7ca719f0338cd7e3d321de9fd2922bc521dc0c12",
        derived: "959a02073ad04bcb8ae776019df142c1bc1e1dbaef673cfb0f8c3770f9210a47",
        opened: "a state"
      }
    )
  })

  it("A secret is the same for equal arguments and different for different ones.", () => {
    const [keyId] = before.keyIds
    check(fc.tuple(anyArguments, anyArguments), ([one, other]) => {
      const first = before.derive(one[0], keyId, one[1], one[2])
      const second = secretsFrom([oldKey]).derive(other[0], keyId, other[1], other[2])
      assert.match(first!, /^[0-9a-f]{64}$/)
      assert.strictEqual(first === second, JSON.stringify(one) === JSON.stringify(other))
    })
  })

  it("Padded salts and differently split arguments yield different secrets.", () => {
    const [keyId] = before.keyIds
    const values = [
      ["s", ["ab", "c"]],
      ["s", ["a", "bc"]],
      ["s", ["abc"]],
      ["s", ["abc", ""]],
      ["s\0", ["abc"]],
      ["", ["s", "abc"]]
    ].map(([salt, info]) => before.derive("CREDENTIAL", keyId, salt as string, info as ReadonlyArray<string>))
    assert.strictEqual(new Set(values).size, values.length)
  })

  it("Secrets of different purposes and hashes are distinct.", () => {
    const [keyId] = before.keyIds
    const values = purposes.flatMap((purpose) => [
      before.keyedHash(purpose, keyId, "text"),
      before.derive(purpose, keyId, "text", []),
      before.derive(purpose, keyId, "", ["text"])
    ])
    assert.strictEqual(new Set(values).size, purposes.length * 3)
  })
})

describe("the keys of an installation", () => {
  it("The id of a key does not contain the key.", () => {
    for (const { keyIds } of [before, during, after]) {
      for (const keyId of keyIds) assert.match(keyId, /^[0-9a-f]{16}$/)
    }
    assert.notInclude(Buffer.from(oldKey).toString("hex"), before.keyIds[0])
    assert.notStrictEqual(before.keyIds[0], after.keyIds[0])
  })

  it("A key has exactly 32 bytes.", () => {
    assert.throws(() => secretsFrom([new Uint8Array(31)]))
    assert.throws(() => secretsFrom([newKey, new Uint8Array(33)]))
  })

  it("A previous key is usable during its rotation and not afterwards.", () => {
    const [oldId] = before.keyIds
    const [newId] = after.keyIds
    assert.deepStrictEqual(during.keyIds, [newId, oldId])
    const sealed = seal(before, "SIGN_IN", "a state")
    const hash = before.keyedHash("USER_CODE", oldId, "code")
    const secret = before.derive("CREDENTIAL", oldId, "salt", ["info"])

    assert.strictEqual(during.keyedHash("USER_CODE", oldId, "code"), hash)
    assert.strictEqual(during.derive("CREDENTIAL", oldId, "salt", ["info"]), secret)
    assert.strictEqual(during.open("SIGN_IN", sealed), "a state")

    assert.isUndefined(after.keyedHash("USER_CODE", oldId, "code"))
    assert.isUndefined(after.derive("CREDENTIAL", oldId, "salt", ["info"]))
    assert.isUndefined(after.open("SIGN_IN", sealed))
  })

  it("New secrets use the current key.", () => {
    const sealed = seal(during, "SIGN_IN", "a state")
    assert.strictEqual(after.open("SIGN_IN", sealed), "a state")
    assert.isUndefined(before.open("SIGN_IN", sealed))
  })
})

describe("sealed texts", () => {
  it("A sealed text opens to its content for its own purpose only, and is safe in a cookie.", () => {
    check(fc.tuple(anyPurpose, anyPurpose, fc.string({ unit: "grapheme" })), ([purpose, other, text]) => {
      const sealed = seal(during, purpose, text)
      assert.match(sealed, /^[0-9A-Za-z._-]+$/)
      assert.strictEqual(during.open(other, sealed), purpose === other ? text : undefined)
    })
  })

  it("Sealing the same text twice yields different results.", () => {
    assert.notStrictEqual(seal(during, "FORM", "the same"), seal(during, "FORM", "the same"))
  })

  it("A sealed text fails to open after any single-bit flip, truncation or extension.", () => {
    const sealed = seal(during, "SIGN_IN", "a state and a nonce")
    const [keyId, encoded] = sealed.split(".")
    const bytes = Buffer.from(encoded!, "base64url")
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      assert.isUndefined(during.open("SIGN_IN", `${keyId}.${changed.toString("base64url")}`))
    }
    for (let length = 0; length < bytes.length; length++) {
      assert.isUndefined(during.open("SIGN_IN", `${keyId}.${bytes.subarray(0, length).toString("base64url")}`))
    }
    for (const other of [`${sealed}.`, `${sealed}=`, ` ${sealed}`, encoded!, `.${encoded}`, ""]) {
      assert.isUndefined(during.open("SIGN_IN", other))
    }
    assert.isUndefined(during.open("SIGN_IN", `${before.keyIds[0]}.${encoded}`), "under the other key's id")
  })

  it("A text that was not sealed does not open.", () => {
    check(
      fc.oneof(
        anyText,
        anyText.map((text) => `${during.keyIds[0]}.${text}`)
      ),
      (text) => assert.isUndefined(during.open("FORM", text))
    )
  })
})

/** The ids of the keys that these variables set. */
const keyIdsIn = (environment: Environment) =>
  Effect.flatMap(Configuration, (configuration) => readSecrets(configuration, "")).pipe(
    Effect.map(({ keyIds }) => keyIds),
    Effect.provide(configurationOf(environment))
  )

describe("SECRET_KEY", () => {
  const [oldText, newText] = [Buffer.from(oldKey), Buffer.alloc(32, 0xfb)]

  it.effect("SECRET_KEY can be hexadecimal, base64 or base64url; SECRET_KEY_PREVIOUS is the second key.", () =>
    Effect.gen(function* () {
      const { keyIds } = secretsFrom([newText, oldText])
      for (const form of ["hex", "base64", "base64url"] as const) {
        const environment = { SECRET_KEY: newText.toString(form), SECRET_KEY_PREVIOUS: oldText.toString(form) }
        assert.deepStrictEqual(yield* keyIdsIn({ DATABASE_URL: "postgres://nowhere/", ...environment }), keyIds)
      }
    })
  )

  it.effect(
    "Without SECRET_KEY the embedded installation generates a key once, in a file readable by its owner only.",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const data = yield* temporaryDirectory
          const values = (yield* keysOfStartIn({ DATA_DIR: data })).secrets.keyIds
          assert.deepStrictEqual(yield* keyIdsIn({ DATA_DIR: data }), values)
          const file = path.join(data, "keys", "secret-key")
          assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
          assert.deepStrictEqual(secretsFrom([Buffer.from(fs.readFileSync(file, "utf8"), "hex")]).keyIds, values)

          const set = { DATA_DIR: data, SECRET_KEY: newText.toString("hex") }
          assert.deepStrictEqual(yield* keyIdsIn(set), secretsFrom([newText]).keyIds)
          fs.writeFileSync(file, "damaged")
          const failure = yield* Effect.flip(keyIdsIn({ DATA_DIR: data }))
          assert.match(failure.message, /secret-key does not have the documented form/)
          assert.notInclude(failure.message, "damaged")
        })
      )
  )
})
