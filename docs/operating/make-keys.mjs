/**
 * Makes the keys of an installation in a directory: `node make-keys.mjs DIRECTORY ISSUER ENVIRONMENT`. Existing files stay as
 * they are, so that it can run before every start.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"

const [directory, issuer, environment] = process.argv.slice(2)
if (environment === undefined) {
  console.error("usage: node make-keys.mjs DIRECTORY ISSUER ENVIRONMENT")
  process.exit(1)
}

const twoYears = 730 * 86_400_000

const issuerKeys = () => ({
  schema: "service.issuer-private-keys/v1",
  issuer,
  environment,
  keys: [
    {
      jwk: generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }),
      validFrom: new Date().toISOString(),
      validUntil: new Date(Date.now() + twoYears).toISOString(),
      revokedAt: null,
      purposes: ["EVENT", "AUTHORITY", "RECORD", "PACKAGE", "STATUS", "PUBLICATION", "COMMERCE", "CLOSURE"]
    }
  ]
})

/** A reader never sees a part of a file, and a file that exists is never replaced. */
const writeOnce = (name, text) => {
  const file = path.join(directory, name)
  const unfinished = `${file}.${randomBytes(8).toString("hex")}`
  fs.writeFileSync(unfinished, text, { mode: 0o600, flush: true })
  try {
    fs.linkSync(unfinished, file)
    console.log(`made ${file}`)
  } catch (cause) {
    if (cause.code !== "EEXIST") throw cause
    console.log(`${file} exists and stays`)
  } finally {
    fs.rmSync(unfinished)
  }
}

fs.mkdirSync(directory, { recursive: true, mode: 0o700 })
writeOnce("issuer-keys.json", `${JSON.stringify(issuerKeys(), null, 2)}\n`)
writeOnce("secret-key", `${randomBytes(32).toString("hex")}\n`)
writeOnce("secret-key-previous", "")
