/** The verification equation of RFC 8032 in use, and the points that are rejected before it. */
import { assert, describe, it } from "vitest"
import { importEd25519, verifyEd25519 } from "../../src/canonical/ed25519.ts"
import { isValid, distinguishesEquations, type Vector, vectors } from "./cctv/vectors.ts"

const isAccepted = ({ key, sig, msg }: Vector): boolean => {
  const imported = importEd25519({ kty: "OKP", crv: "Ed25519", x: Buffer.from(key, "hex").toString("base64url") })
  return imported.ok && verifyEd25519(imported.key, msg, Buffer.from(sig, "hex"))
}

describe("Ed25519 signatures", () => {
  it("A signature valid only with the cofactor is rejected: 63 vectors of CCTV", () => {
    const telling = vectors.filter(distinguishesEquations)
    assert.strictEqual(telling.length, 63)
    assert.deepStrictEqual(telling.filter(isAccepted), [])
  })

  it("A signature valid without the cofactor is accepted unless a point is of small order or not reduced", () => {
    assert.deepStrictEqual(vectors.filter(isAccepted), vectors.filter(isValid))
    assert.deepStrictEqual([vectors.length, vectors.filter(isAccepted).length], [914, 43])
  })
})
