import { assert, it } from "vitest"
import { missingPurposes, type IssuerKeys } from "../../src/ports/signer.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"

it("A signing key is valid from validFrom, inclusive, until validUntil or its revocation, exclusive", () => {
  const at = (day: number) => `2026-01-0${day}T00:00:00.000Z` as Instant
  const keys = (revokedAt: Instant | null): IssuerKeys => ({
    schema: "service.issuer-keys/v1",
    issuer: "test",
    environment: "test",
    keys: [
      {
        kid: "one",
        jwk: { kty: "OKP", crv: "Ed25519", x: "" },
        validFrom: at(2),
        validUntil: at(5),
        revokedAt,
        purposes: ["EVENT", "RECORD"]
      }
    ]
  })
  const all = ["EVENT", "AUTHORITY", "RECORD"] as const
  assert.deepStrictEqual(missingPurposes(keys(null), at(1)), [...all])
  assert.deepStrictEqual(missingPurposes(keys(null), at(2)), ["AUTHORITY"])
  assert.deepStrictEqual(missingPurposes(keys(null), at(5)), [...all])
  assert.deepStrictEqual(missingPurposes(keys(at(3)), at(3)), [...all])
})
