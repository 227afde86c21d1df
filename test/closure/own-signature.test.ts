/** What this installation recognizes as signed by itself. */
import { assert, describe, it } from "@effect/vitest"
import type { IssuerKeys, KeyPurpose } from "../../src/ports/signer.ts"
import { isOwnSignature } from "../../src/records/own-signature.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import { keys, kid, signPayload } from "../verifier/signing.ts"

const schema = "service.result-passport/v1"
const issuedAt = "2026-11-21T09:00:00.000Z" as Instant
const purpose: KeyPurpose = "PUBLICATION"
const jws = signPayload("PUBLICATION", { schema, issuedAt })

type Key = IssuerKeys["keys"][number]

/** The trust of an installation that signed the payload, with other values for its key. */
const trusting = (changes: Partial<Key> = {}): IssuerKeys => ({
  schema: "service.issuer-keys/v1",
  issuer: "https://example.org",
  environment: "test",
  keys: [
    {
      kid: kid("PUBLICATION"),
      jwk: keys.PUBLICATION.jwk as Key["jwk"],
      validFrom: issuedAt,
      validUntil: addMilliseconds(issuedAt, 1),
      revokedAt: null,
      purposes: ["PUBLICATION"],
      ...changes
    }
  ]
})

describe("an own signature", () => {
  it("It is by a key of the installation for the purpose that was valid when it signed, also if it has ended since.", () => {
    assert.isTrue(isOwnSignature(jws, { schema, purpose }, trusting()))
    assert.isTrue(isOwnSignature(jws, { schema, purpose }, trusting({ revokedAt: addMilliseconds(issuedAt, 1) })))
  })

  it.each<[string, Partial<Key>]>([
    ["of another purpose", { purposes: ["STATUS"] }],
    ["with another id", { kid: "another" }],
    ["with another public half", { jwk: keys.STATUS.jwk as Key["jwk"] }],
    [
      "valid from one millisecond later",
      { validFrom: addMilliseconds(issuedAt, 1), validUntil: addMilliseconds(issuedAt, 9) }
    ],
    ["valid until that moment", { validFrom: addMilliseconds(issuedAt, -1), validUntil: issuedAt }],
    ["revoked at that moment", { revokedAt: issuedAt }]
  ])("A key %s is none.", (_, changes) => {
    assert.isFalse(isOwnSignature(jws, { schema, purpose }, trusting(changes)))
  })

  it("A payload of another kind is none, nor is a text that is no JWS.", () => {
    assert.isFalse(isOwnSignature(jws, { schema: "service.result-summary/v1", purpose }, trusting()))
    const [header, payload, signature] = jws.split(".")
    for (const text of ["", "a.b.c", `${header}.${payload}`, `${header}.${payload}A.${signature}`, `${jws}.`]) {
      assert.isFalse(isOwnSignature(text, { schema, purpose }, trusting()), text)
    }
  })
})
