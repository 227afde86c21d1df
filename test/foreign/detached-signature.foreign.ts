/** The detached signature of a closure, verified by openssl and by jose once the canonical body is put back. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import canonicalize from "canonicalize"
import { Effect } from "effect"
import { flattenedVerify, importJWK } from "jose"
import { writeClosure } from "../support/closure-folder.ts"
import { checkout } from "../support/learning-pages.ts"
import { makeClosure } from "../verifier/sample-closure.ts"
import { makeClosureV1 } from "../verifier/sample-closure-v1.ts"
import { keys, type Members } from "../verifier/signing.ts"

const page = fs.readFileSync(path.join(import.meta.dirname, "../../docs/learning/closure.md"), "utf8")
const [block] = Array.from(page.matchAll(/^```bash\n(.*?)^```$/gms), ([, script]) => script!)

const runBlock = (folder: string) =>
  spawnSync("bash", ["-euo", "pipefail", "-c", block!], { cwd: folder, encoding: "utf8" })

it.live("openssl accepts the signature of a closure by the commands of closure.md, and none over a changed body.", () =>
  Effect.gen(function* () {
    const folder = yield* checkout
    writeClosure(folder)
    const accepted = runBlock(folder)
    assert.strictEqual(accepted.status, 0, accepted.stderr)
    assert.include(accepted.stdout, "Signature Verified Successfully")
    const file = path.join(folder, "transaction-records.json")
    const changed = fs.readFileSync(file, "utf8").replace('"disputed": false', '"disputed": true')
    fs.writeFileSync(file, changed)
    const refused = runBlock(folder)
    assert.strictEqual(refused.status, 1, refused.stdout)
    assert.include(refused.stdout, "Signature Verification Failure")
  }).pipe(Effect.scoped)
)

const verifyByJose = async ({ body, signature }: Members) => {
  const [header, , seal] = signature.split(".")
  const payload = Buffer.from(canonicalize(body)!).toString("base64url")
  const key = await importJWK({ ...keys.CLOSURE.jwk, alg: "EdDSA" })
  return flattenedVerify({ protected: header, payload, signature: seal }, key, { algorithms: ["EdDSA"] })
}

it.each([
  ["the second version", makeClosure().file],
  ["the first version", makeClosureV1().file]
])("jose accepts the signature of a closure of %s with its body, and none with another body.", async (_, file) => {
  const { payload } = await verifyByJose(file)
  assert.deepStrictEqual(JSON.parse(Buffer.from(payload).toString()), file["body"])
  const changed = structuredClone(file)
  changed["body"].issuedAt = "2026-11-21T09:59:59.999Z"
  const refusal = await verifyByJose(changed).then(
    () => undefined,
    (error: unknown) => error
  )
  assert.propertyVal(refusal as object, "code", "ERR_JWS_SIGNATURE_VERIFICATION_FAILED")
})
