/** Stripe's package is loaded where a key is set, and nowhere else. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "vitest"

const root = path.resolve(import.meta.dirname, "../../../src")
const files = fs
  .readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ file, text: fs.readFileSync(path.join(root, file), "utf8") }))

/** The files outside the adapter of Stripe that have a match. */
const outside = (pattern: RegExp) =>
  files.filter(({ file, text }) => !file.startsWith("adapters/stripe/") && pattern.test(text)).map(({ file }) => file)

it("An installation without a key of Stripe never loads its package: it is imported only as its adapter is chosen.", () => {
  assert.deepStrictEqual(outside(/from "stripe"|import\("stripe"\)/), [])
  assert.deepStrictEqual(outside(/from "[./]*\/stripe\//), [], "by a static import")
  assert.sameMembers(outside(/import\("[./]*\/stripe\//), [
    "adapters/payments.ts",
    "adapters/checks/external-servers.ts"
  ])
})
