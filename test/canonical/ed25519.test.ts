/** Which of the two equations of RFC 8032 decides, and which points are refused before it is asked. */
import { assert, describe, it } from "vitest"
import { importEd25519, verifyEd25519 } from "../../src/canonical/ed25519.ts"
import { isValid, tellsEquationsApart, type Vector, vectors } from "./cctv/vectors.ts"

const isAccepted = ({ key, sig, msg }: Vector): boolean => {
  const imported = importEd25519({ kty: "OKP", crv: "Ed25519", x: Buffer.from(key, "hex").toString("base64url") })
  return imported.ok && verifyEd25519(imported.key, msg, Buffer.from(sig, "hex"))
}

describe("a signature of Ed25519", () => {
  it("that satisfies the equation with the cofactor alone is refused: 63 vectors of CCTV", () => {
    const telling = vectors.filter(tellsEquationsApart)
    assert.strictEqual(telling.length, 63)
    assert.deepStrictEqual(telling.filter(isAccepted), [])
  })

  it("is accepted where it satisfies the equation without it and no point is of small order or in a second spelling", () => {
    assert.deepStrictEqual(vectors.filter(isAccepted), vectors.filter(isValid))
    assert.deepStrictEqual([vectors.length, vectors.filter(isAccepted).length], [914, 43])
  })
})
