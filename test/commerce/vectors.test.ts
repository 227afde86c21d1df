/** The vectors of the formats: digests that an independent implementation computes alike. */
import { assert, describe, it } from "@effect/vitest"
import { emptyJournal, appendEntries } from "../../src/commerce/journal.ts"
import { acceptedSourceDigest } from "../../src/commerce/source.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { binding, checkout, observed, source } from "../support/payment-facts.ts"
import { digestOfCharacter } from "../support/project-people.ts"
import { baseUrl, terms } from "../support/result-orders.ts"

const bindingDigest = "48f39a3c0ab49957775410bfb276e3d43542bb7e83d98977a6bb7246aa31ad52"

describe("the digests of a payment attempt", () => {
  it("The source of a payment is the digest of terms, head, base address twice and agreement.", () => {
    const order = {
      termsDigest: digestOfCharacter("1"),
      financialHead: digestOfCharacter("2"),
      terms: { ...terms, agreement: { digest: digestOfCharacter("3"), version: 1 } }
    }
    assert.strictEqual(acceptedSourceDigest(order, baseUrl), source)
  })

  it("A journal starts with the digest of its binding.", () => {
    assert.deepStrictEqual(emptyJournal(binding), { count: 0, head: bindingDigest })
  })

  it("The first entry of a journal names the binding as its predecessor.", () => {
    const [entry] = appendEntries(emptyJournal(binding), "2026-01-02T09:00:05.000Z" as Instant, [
      observed("CHECKOUT", checkout())
    ])
    assert.strictEqual(entry!.previousHash, bindingDigest)
    assert.strictEqual(entry!.hash, "6a55264ae2aedea3bdc121c6769628f3601c01342d6506f800beab312a1b563b")
  })
})
