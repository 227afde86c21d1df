/** The files of keys that a running process reads again. */
import { generateKeyPairSync } from "node:crypto"
import * as fs from "node:fs"
import { keyPurposes } from "../../src/ports/signer.ts"

/** A key file, as an operator changes it: written beside, then renamed. */
export const replaceText = (file: string, text: string): void => {
  fs.writeFileSync(`${file}.new`, text)
  fs.renameSync(`${file}.new`, file)
}

/** Adds a key to an issuer key file, and returns its public half. */
export const addIssuerKey = (file: string, changes: object = {}) => {
  const content = JSON.parse(fs.readFileSync(file, "utf8"))
  const jwk = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })
  const key = { jwk, validFrom: "2021-01-01T00:00:00.000Z", validUntil: "2120-01-01T00:00:00.000Z", revokedAt: null }
  const added = { ...key, purposes: keyPurposes, ...changes }
  replaceText(file, JSON.stringify({ ...content, keys: [...content.keys, added] }))
  return { kty: jwk.kty, crv: jwk.crv, x: jwk.x }
}
