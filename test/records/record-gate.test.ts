import { assert, describe, it } from "@effect/vitest"
import { authorities, type Authority } from "../../src/people/membership.ts"
import { passesRecordGate } from "../../src/records/record-gate.ts"
import { uuidOf } from "../support/project-people.ts"

const personOf = (number: number) => `person_${uuidOf(number)}`
const [dana, sam, mia] = [personOf(1), personOf(2), personOf(3)]
const named = { buyerActorId: dana, supplierActorId: sam }

/** The authorities of the buyer's members with which they receive delivery material; all others are not enough. */
const sufficient: ReadonlySet<Authority> = new Set([
  "AGREEMENT_CREATE",
  "DELIVERY_REVIEW",
  "COMPLETION_CONFIRM",
  "RECORD_ISSUE",
  "PUBLICATION_MANAGE"
])

describe("the record gate", () => {
  it.each(authorities.map((authority) => [authority, sufficient.has(authority)] as const))(
    "A member of the buyer with %s alone passes: %s.",
    (authority, passes) => {
      const member = { personId: mia, side: "BUYER", authorities: [authority] } as const
      assert.strictEqual(passesRecordGate(named, member), passes)
    }
  )

  it("The buyer's person who made the agreement passes without any authority.", () => {
    assert.isTrue(passesRecordGate(named, { personId: dana, side: "BUYER", authorities: [] }))
    assert.isFalse(passesRecordGate(named, { personId: mia, side: "BUYER", authorities: [] }))
  })

  it("Of the supplier the representative alone passes, whatever the authorities of others.", () => {
    assert.isTrue(passesRecordGate(named, { personId: sam, side: "SUPPLIER", authorities: [] }))
    assert.isFalse(passesRecordGate(named, { personId: mia, side: "SUPPLIER", authorities }))
    assert.isFalse(
      passesRecordGate({ ...named, supplierActorId: null }, { personId: mia, side: "SUPPLIER", authorities })
    )
  })
})
