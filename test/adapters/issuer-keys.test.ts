/** The key file of an installation: its valid content, the kid of each key, and the messages for invalid content. */
import { generateKeyPairSync } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { calculateJwkThumbprint } from "jose"
import { readKeys } from "../../src/adapters/issuer-keys.ts"
import { keyPurposes, type Signer } from "../../src/ports/signer.ts"
import { fromMilliseconds } from "../../src/vocabulary/instant.ts"
import { temporaryDirectory } from "../support/installation.ts"
import { keysOfStartIn } from "../support/keys-of-start.ts"
import { runCommand } from "../support/run-command.ts"

/** The key of RFC 8037, appendix A, and the thumbprint that the RFC gives for it. */
const d = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"
const x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
const jwk = { kty: "OKP", crv: "Ed25519", x, d }
const thumbprint = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
const pkcs8 = [
  "-----BEGIN PRIVATE KEY-----",
  Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.from(d, "base64url")]).toString(
    "base64"
  ),
  "-----END PRIVATE KEY-----\n"
].join("\n")

const rest = {
  validFrom: "1970-01-01T00:00:00.000Z",
  validUntil: "2120-01-01T00:00:00.000Z",
  revokedAt: null,
  purposes: keyPurposes
}

const fileWith = (...keys: ReadonlyArray<object>) => ({
  schema: "service.issuer-private-keys/v1",
  issuer: "example",
  environment: "test",
  keys: keys.map((key) => ({ ...rest, ...key }))
})

/** The signer of a start on the embedded default. */
const signerOf = (directory: string) => Effect.map(keysOfStartIn({ DATA_DIR: directory }), ({ signer }) => signer)

/** The signer of an installation with this content in its key file. */
const signerFromFile = Effect.fnUntraced(function* (content: unknown) {
  const file = path.join(yield* temporaryDirectory, "keys.json")
  fs.writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content))
  return yield* Effect.mapError(readKeys(file), (error) =>
    "message" in error ? error.message.replaceAll(file, "FILE") : String(error)
  )
})

const kidsOf = (signer: Signer["Service"]) => signer.keys.keys.map(({ kid }) => kid)

const payload = { schema: "service.result-record/v1", issuedAt: fromMilliseconds(Date.UTC(2026, 0, 5)) }

describe("a key file", () => {
  it.effect(
    "A key without a stated kid keeps the kid of earlier versions: its thumbprint, whatever kid its JWK contains.",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(kidsOf(yield* signerFromFile(fileWith({ jwk }))), [thumbprint])
        assert.deepStrictEqual(kidsOf(yield* signerFromFile(fileWith({ jwk: { ...jwk, kid: "own" } }))), [thumbprint])
      })
  )

  it.effect("A key with a stated kid signs and is published under that kid.", () =>
    Effect.gen(function* () {
      const signer = yield* signerFromFile(fileWith({ kid: "spring 2026", jwk }))
      assert.deepStrictEqual(kidsOf(signer), ["spring 2026"])
      const [header] = (yield* signer.sign("RECORD", payload)).split(".")
      assert.strictEqual(JSON.parse(Buffer.from(header!, "base64url").toString()).kid, "spring 2026")
    })
  )

  it.effect("A key in PKCS #8 PEM signs as the same key in a JWK does.", () =>
    Effect.gen(function* () {
      const [pem, pair] = [yield* signerFromFile(fileWith({ pkcs8 })), yield* signerFromFile(fileWith({ jwk }))]
      assert.deepStrictEqual(pem.keys, pair.keys)
      assert.strictEqual(yield* pem.sign("RECORD", payload), yield* pair.sign("RECORD", payload))
    })
  )

  it.live(
    "The key file made at the first start states the RFC 7638 thumbprint as kid, and the next start reads it.",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const signer = yield* signerOf(directory)
        const file = path.join(directory, "keys", "issuer-keys.json")
        const [stored] = JSON.parse(fs.readFileSync(file, "utf8")).keys
        const { kty, crv, x } = stored.jwk
        assert.strictEqual(stored.kid, yield* Effect.promise(() => calculateJwkThumbprint({ kty, crv, x })))
        assert.deepStrictEqual(kidsOf(signer), [stored.kid])
        assert.deepStrictEqual((yield* signerOf(directory)).keys, signer.keys)
      })
  )

  const another = generateKeyPairSync("ed25519").privateKey
  const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey
  const x25519 = generateKeyPairSync("x25519").privateKey
  const sealed = another.export({ format: "pem", type: "pkcs8", cipher: "aes-256-cbc", passphrase: "secret" })
  const noPair =
    'keys[1].jwk in FILE is not an Ed25519 private key: kty "OKP", crv "Ed25519", and in base64url the 32 bytes d with the public key x that belongs to it'
  const noPem =
    'keys[1].pkcs8 in FILE is not an unencrypted Ed25519 private key in PKCS #8 PEM, such as "openssl genpkey -algorithm ed25519" prints'
  const { x: otherX } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }) as { x: string }
  const noPrivateHalf =
    "keys[1].jwk in FILE has no private half d, which a key may lack once it has ended: " +
    "give its d, or a revokedAt or validUntil that has passed"

  const wrongKeys: ReadonlyArray<readonly [what: string, key: object, message: string]> = [
    ["whose x belongs to another d", { jwk: { ...another.export({ format: "jwk" }), x } }, noPair],
    ["whose d has 31 bytes", { jwk: { ...jwk, d: d.slice(0, -2) } }, noPair],
    ["with x in another spelling", { jwk: { ...jwk, x: `${x}=` } }, noPair],
    ["on the curve X25519", { jwk: x25519.export({ format: "jwk" }) }, noPair],
    ["on the curve P-256", { jwk: p256.export({ format: "jwk" }) }, noPair],
    ["on the curve P-256 in PEM", { pkcs8: p256.export({ format: "pem", type: "pkcs8" }) }, noPem],
    ["on the curve X25519 in PEM", { pkcs8: x25519.export({ format: "pem", type: "pkcs8" }) }, noPem],
    ["that is encrypted", { pkcs8: sealed }, noPem],
    ["that is no PEM", { pkcs8: d }, noPem],
    ["in both forms", { jwk, pkcs8 }, "keys[1] in FILE needs exactly one of jwk and pkcs8"],
    ["in no form", {}, "keys[1] in FILE needs exactly one of jwk and pkcs8"],
    ["that is listed twice", { kid: "second", jwk }, "keys[1] in FILE has the same key as keys[0]: list each key once"],
    [
      "with the kid of another",
      { kid: thumbprint, jwk: another.export({ format: "jwk" }) },
      "keys[1] in FILE has the same kid as keys[0]: list each kid once"
    ],
    [
      "with an empty kid",
      { kid: "", pkcs8 },
      "the issuer keys in FILE do not have the documented form: see keys[1].kid"
    ],
    [
      "with a kid too long for a signature's header",
      { kid: "k".repeat(201), pkcs8 },
      "the issuer keys in FILE do not have the documented form: see keys[1].kid"
    ],
    [
      "with a date in place of an instant",
      { pkcs8, validFrom: "2026-11-21" },
      "the issuer keys in FILE do not have the documented form: see keys[1].validFrom"
    ],
    ["that is valid and has no private half", { jwk: { kty: "OKP", crv: "Ed25519", x: otherX } }, noPrivateHalf],
    [
      "that will be revoked and has no private half",
      { jwk: { kty: "OKP", crv: "Ed25519", x: otherX }, revokedAt: "2110-01-01T00:00:00.000Z" },
      noPrivateHalf
    ],
    [
      "that is revoked and has a public half of another length",
      { jwk: { kty: "OKP", crv: "Ed25519", x: "AAAA" }, revokedAt: rest.validFrom },
      'keys[1].jwk in FILE is not an Ed25519 public key: kty "OKP", crv "Ed25519", and in base64url the 32 bytes x'
    ],
    [
      "that is revoked and lists the public half of another",
      { kid: "other", jwk: { kty: "OKP", crv: "Ed25519", x }, revokedAt: rest.validFrom },
      "keys[1] in FILE has the same key as keys[0]: list each key once"
    ]
  ]

  it.live("A retired key may be listed by its public half alone: it is published under its kid and never signs.", () =>
    Effect.gen(function* () {
      const publicHalf = { kty: "OKP", crv: "Ed25519", x: otherX }
      const kid = yield* Effect.promise(() => calculateJwkThumbprint(publicHalf))
      const ends = [{ revokedAt: rest.validFrom }, { validUntil: "2021-01-01T00:00:00.000Z" }]
      for (const ended of ends) {
        const signer = yield* signerFromFile(fileWith({ jwk: publicHalf, ...ended }, { jwk }))
        assert.deepStrictEqual(kidsOf(signer), [kid, thumbprint])
        assert.deepStrictEqual(signer.keys.keys[0], { ...rest, ...ended, kid, jwk: publicHalf } as never)
        const before = { ...payload, issuedAt: fromMilliseconds(Date.UTC(2020, 0, 5)) }
        const [header] = (yield* signer.sign("RECORD", before)).split(".")
        assert.strictEqual(JSON.parse(Buffer.from(header!, "base64url").toString()).kid, thumbprint)
      }
    })
  )

  it.effect.each(wrongKeys)(
    "A key %s prevents the start, and the message names its index and file.",
    ([, key, message]) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* Effect.flip(signerFromFile(fileWith({ jwk }, key))), message)
      })
  )

  it.effect("A key file that is not JSON is refused without a word of its content.", () =>
    Effect.gen(function* () {
      const message = yield* Effect.flip(signerFromFile(pkcs8))
      assert.strictEqual(message, "the issuer keys in FILE do not have the documented form")
    })
  )
})

it.live(
  "countersign admin issuer-keys --jwks prints every key of the file as a JWK Set, ended and revoked ones included.",
  () =>
    Effect.gen(function* () {
      const revoked = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })
      const file = path.join(yield* temporaryDirectory, "keys.json")
      const past = { validFrom: "2020-01-01T00:00:00.000Z", validUntil: "2021-01-01T00:00:00.000Z" }
      const keys = [{ pkcs8 }, { ...past, kid: "revoked", jwk: revoked, revokedAt: "2020-06-01T00:00:00.000Z" }]
      fs.writeFileSync(file, JSON.stringify(fileWith(...keys)))
      const { code, output } = yield* runCommand({ ISSUER_KEYS_FILE: file }, "admin", "issuer-keys", "--jwks")
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(JSON.parse(output), {
        keys: [
          { kty: "OKP", crv: "Ed25519", x, kid: thumbprint, use: "sig", alg: "EdDSA" },
          { kty: "OKP", crv: "Ed25519", x: revoked.x, kid: "revoked", use: "sig", alg: "EdDSA" }
        ]
      })
    })
)
