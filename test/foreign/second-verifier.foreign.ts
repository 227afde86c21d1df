/** The second verifier's Ed25519, by Python and the openssl command, on vectors that distinguish the two equations. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { assert, it } from "vitest"
import { isValid, vectors, vectorsFile } from "../canonical/cctv/vectors.ts"

const checker = join(import.meta.dirname, "../verifier/second/check.py")

it("The second verifier gives every CCTV vector of Ed25519 the verdict of the equation without cofactor.", () => {
  const { status, stdout, stderr } = spawnSync("python3", [checker, "--signatures", vectorsFile], { encoding: "utf8" })
  assert.strictEqual(status, 0, stderr)
  const said = stdout.split("\n").filter((line) => line !== "")
  const expected = vectors.map((vector) => ({ number: vector.number, valid: isValid(vector) }))
  assert.deepStrictEqual(
    said.map((line) => JSON.parse(line)),
    expected
  )
})
