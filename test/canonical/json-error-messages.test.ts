/** Each error of the strict reader has a document that causes it, and its own message. */
import { assert, describe, expect, it } from "vitest"
import { jsonErrorMessages } from "../../src/canonical/json-error-messages.ts"
import { readJson } from "../../src/canonical/json.ts"
import { invalidDocuments } from "./invalid-documents.ts"

const faultOf = (document: unknown, bytesMax?: number): string => {
  const bytes = typeof document === "string" ? new TextEncoder().encode(document) : document
  const limits = { refusesNul: true, valuesMax: 100_000, ...(bytesMax === undefined ? {} : { bytesMax }) }
  const reading = readJson(bytes as Uint8Array, limits)
  return reading.ok ? "none" : reading.fault
}

describe("errors of the strict reader", () => {
  it.each(Object.entries(invalidDocuments))("The strict reader reports %s", (fault, document) =>
    assert.strictEqual(faultOf(document), fault)
  )

  it("The strict reader reports inputs that are no bytes or too long", () => {
    assert.strictEqual(faultOf([0x7b, 0x7d]), "NO_BYTES")
    assert.strictEqual(faultOf("[1] ", 3), "TOO_LONG")
  })

  it("The strict reader has a message for each error, and no other error", () => {
    expect([...Object.keys(invalidDocuments), "NO_BYTES", "TOO_LONG"].toSorted()).toEqual(
      Object.keys(jsonErrorMessages).toSorted()
    )
    assert.strictEqual(new Set(Object.values(jsonErrorMessages)).size, Object.keys(jsonErrorMessages).length)
  })
})
