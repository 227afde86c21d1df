/**
 * The golden traces differ from those before the renaming in names alone. `renamed-traces.json` holds the SHA-256 of each
 * former trace and every renamed text. A trace that changes for another reason loses its digest there.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, it } from "vitest"

const { formerly, digests } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "renamed-traces.json"), "utf8")
) as {
  /** The former text of each present one. */
  readonly formerly: Readonly<Record<string, string>>
  /** The SHA-256 of each former trace, by the path of its scenario. */
  readonly digests: Readonly<Record<string, string>>
}

const withFormerTexts = (value: unknown): unknown => {
  if (typeof value === "string") return formerly[value] ?? value
  if (Array.isArray(value)) return value.map(withFormerTexts)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withFormerTexts(member)]))
}

const formerTrace = (scenario: string): string =>
  readFileSync(`scenarios/${scenario}/trace.ndjson`, "utf8").replaceAll(/^.+$/gm, (line) =>
    JSON.stringify(withFormerTexts(JSON.parse(line)))
  )

it.each(Object.entries(digests))("The trace of %s differs from the former one in names alone", (scenario, digest) => {
  const message = "recorded for another reason than a name? remove its digest from renamed-traces.json"
  assert.strictEqual(createHash("sha256").update(formerTrace(scenario)).digest("hex"), digest, message)
})
