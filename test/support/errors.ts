/** The format of every refusal on the wire. */
import { assert } from "@effect/vitest"
import { refusals } from "../../src/vocabulary/refusal-rules.ts"
import type { Answer } from "./service.ts"

const members = [
  "error",
  "detail",
  "retryable",
  "nextAction",
  "issues",
  "current",
  "dueAt",
  "requiredHumanAction",
  "humanUrl",
  "documentationUrl"
]

/** Words that only server internals use. */
const inside =
  /node_modules|\.ts:\d|\n\s+at |\bselect\b.*\bfrom\b|\binsert into\b|postgres|pg_|constraint|SchemaError|FiberFailure|Cause\(/i

/** Asserts that a response is a documented refusal with its status, without server internals. */
export const assertRefusal = ({ status, body, text, headers }: Answer): void => {
  assert.include(Object.keys(refusals), body?.error, text)
  const code = body.error as keyof typeof refusals
  assert.strictEqual(status, refusals[code].status)
  assert.strictEqual(body.retryable, false)
  assert.match(body.detail, /^[A-Z].*\.$/)
  assert.deepStrictEqual(
    Object.keys(body).filter((member) => !members.includes(member)),
    []
  )
  assert.notMatch(text, inside)
  assert.strictEqual(headers["service-api-version"], "1.8.0")
  if (status < 409) {
    assert.notProperty(body, "humanUrl")
    assert.notProperty(body, "requiredHumanAction")
  }
}
