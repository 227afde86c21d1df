import { Effect, Exit } from "effect"
import { calculateJwkThumbprint, compactVerify, importJWK } from "jose"
import { assert, describe, it } from "vitest"
import { keyPurposes } from "../../../src/ports/signer.ts"
import { fromMilliseconds } from "../../../src/vocabulary/instant.ts"
import { RandomStreams } from "../../../simulator/kernel/prng.ts"
import { seededSigner } from "../../../simulator/environment/signer.ts"

const payload = { schema: "service.project-event/v1", issuedAt: fromMilliseconds(Date.UTC(2026, 0, 5)), text: "é" }

const sign = (seed: number) => Effect.runSync(seededSigner(new RandomStreams(seed)).sign("EVENT", payload))

describe("simulated issuer keys", () => {
  it.each(keyPurposes)("A %s signature verifies in jose only with the key of that purpose", async (purpose) => {
    const signer = seededSigner(new RandomStreams(7))
    const jws = Effect.runSync(signer.sign(purpose, payload))
    for (const key of signer.keys.keys) {
      const verified = compactVerify(jws, await importJWK({ ...key.jwk }, "EdDSA")).then(
        ({ protectedHeader }) => protectedHeader,
        () => undefined
      )
      const expected = key.purposes.includes(purpose)
        ? { alg: "EdDSA", kid: key.kid, typ: "service.project-event/v1" }
        : undefined
      assert.deepStrictEqual<unknown>(await verified, expected)
    }
  })

  it("Signatures are a function of the seed and the payload", () => {
    assert.strictEqual(sign(7), sign(7))
    assert.notStrictEqual(sign(7), sign(8))
  })

  it("A simulated key signs nothing outside its validity", () => {
    const late = { ...payload, issuedAt: fromMilliseconds(Date.UTC(2100)) }
    assert.isTrue(Exit.isFailure(Effect.runSyncExit(seededSigner(new RandomStreams(7)).sign("EVENT", late))))
  })

  it("The kid of each simulated key is its RFC 7638 thumbprint", async () => {
    for (const { kid, jwk } of seededSigner(new RandomStreams(7)).keys.keys) {
      assert.strictEqual(kid, await calculateJwkThumbprint(jwk))
    }
  })
})
