/** Key files that must be refused, and enclosed keys that must not be used. */
import { assert, describe, expect, it } from "vitest"
import { failures, verify } from "./forgeries.ts"
import { jcs, keyPair, kid, type Members, signBytes } from "./signing.ts"

const trustFiles: ReadonlyArray<readonly [fault: string, edit: (file: Members) => unknown, code: string]> = [
  ["the bundle of an artifact", (file) => ({ ...file, schema: "service.issuer-key-bundle/v1" }), "TRUST_BUNDLE"],
  ["another schema", (file) => ({ ...file, schema: "service.issuer-keys/v2" }), "TRUST_FILE"],
  [
    "a JWK Set of the same keys",
    (file) => ({
      keys: file["keys"].map(({ kid, jwk }: Members) => ({ ...jwk, kid, use: "sig", alg: "EdDSA" }))
    }),
    "TRUST_FILE"
  ],
  ["an unknown member", (file) => ({ ...file, note: "x" }), "TRUST_FILE"],
  ["no keys", (file) => ({ ...file, keys: [] }), "TRUST_FILE"],
  ["a duplicate kid", (file) => void (file["keys"][1].kid = file["keys"][0].kid), "TRUST_FILE"],
  ["one key under two kids", (file) => void (file["keys"][1].jwk = file["keys"][0].jwk), "TRUST_FILE"],
  ["a private key", (file) => void (file["keys"][0].jwk = { ...file["keys"][0].jwk, d: "AA" }), "TRUST_FILE"],
  ["a key for encryption", (file) => void (file["keys"][0].jwk = { ...file["keys"][0].jwk, use: "enc" }), "TRUST_FILE"],
  ["another curve", (file) => void (file["keys"][0].jwk = { ...file["keys"][0].jwk, crv: "Ed448" }), "TRUST_FILE"],
  [
    "a padded x",
    (file) => void (file["keys"][0].jwk = { ...file["keys"][0].jwk, x: `${file["keys"][0].jwk.x}=` }),
    "TRUST_FILE"
  ],
  [
    "a point of small order",
    (file) => void (file["keys"][0].jwk = { ...file["keys"][0].jwk, x: Buffer.alloc(32).toString("base64url") }),
    "KEY_WEAK"
  ],
  ["an unknown purpose", (file) => void file["keys"][0].purposes.push("ALL"), "TRUST_FILE"],
  ["a duplicate purpose", (file) => void file["keys"][0].purposes.push("EVENT"), "TRUST_FILE"],
  ["no purpose", (file) => void (file["keys"][0].purposes = []), "TRUST_FILE"],
  [
    "validity that ends before it begins",
    (file) => void (file["keys"][0].validUntil = file["keys"][0].validFrom),
    "TRUST_FILE"
  ],
  [
    "an instant with an offset",
    (file) => void (file["keys"][0].validFrom = "2026-01-01T00:00:00.000+00:00"),
    "TRUST_FILE"
  ],
  [
    "the schema of a bundle in the place of an instant",
    (file) => void (file["keys"][0].validFrom = "service.issuer-key-bundle/v1"),
    "TRUST_FILE"
  ],
  ["no revokedAt", (file) => void delete file["keys"][0].revokedAt, "TRUST_FILE"]
]

describe("invalid key files", () => {
  it.each(trustFiles)("a key file with %s is refused", (_, trust, code) => {
    const report = verify({ trust })
    expect(failures(report)).toContain(`trust-file ${code}`)
    assert.strictEqual(report.verdict, "UNREADABLE")
    assert.strictEqual(report.exit, 2)
    assert.strictEqual(
      report.checks.find((check) => check.id === "package-signature")?.because,
      "trust-file",
      "nothing was verified without trust"
    )
  })

  it("an attacker's key under a trusted kid in the enclosed bundle is not used", () => {
    const attacker = keyPair(66)
    const report = verify({
      signPackage: (content) =>
        signBytes(
          jcs({ alg: "EdDSA", kid: kid("PACKAGE"), typ: content["schema"] }),
          jcs(content),
          attacker.privateKey
        ),
      review: (file) =>
        void (file["trust"].keys.find((key: Members) => key["kid"] === kid("PACKAGE")).jwk = attacker.jwk)
    })
    expect(failures(report)).toEqual(["package-signature SIGNATURE_INVALID"])
  })
})
