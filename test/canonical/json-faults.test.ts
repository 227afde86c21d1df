/** Each fault of the strict reader has a document that shows it, and words of its own. */
import { assert, describe, expect, it } from "vitest"
import { jsonFaults } from "../../src/canonical/json-faults.ts"
import { readJson } from "../../src/canonical/json.ts"
import { faultyDocuments } from "./faulty-documents.ts"

const faultOf = (document: unknown, bytesMax?: number): string => {
  const bytes = typeof document === "string" ? new TextEncoder().encode(document) : document
  const limits = { refusesNul: true, valuesMax: 100_000, ...(bytesMax === undefined ? {} : { bytesMax }) }
  const reading = readJson(bytes as Uint8Array, limits)
  return reading.ok ? "none" : reading.fault
}

describe("the strict reader", () => {
  it.each(Object.entries(faultyDocuments))("finds %s", (fault, document) =>
    assert.strictEqual(faultOf(document), fault)
  )

  it("finds what is no document at all", () => {
    assert.strictEqual(faultOf([0x7b, 0x7d]), "NO_BYTES")
    assert.strictEqual(faultOf("[1] ", 3), "TOO_LONG")
  })

  it("has a sentence for each, and no other fault", () => {
    expect([...Object.keys(faultyDocuments), "NO_BYTES", "TOO_LONG"].toSorted()).toEqual(
      Object.keys(jsonFaults).toSorted()
    )
    assert.strictEqual(new Set(Object.values(jsonFaults)).size, Object.keys(jsonFaults).length)
  })
})
