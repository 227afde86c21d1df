import { assert, describe, it } from "@effect/vitest"
import {
  acceptsCredential,
  endChanges,
  endTransition,
  type ItemEnd,
  type ItemState
} from "../../src/participation/item.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"

const transitions: ReadonlyArray<readonly [ItemState, ItemEnd, ReturnType<typeof endTransition>]> = [
  ["OPEN", "DONE", "TRANSITION"],
  ["OPEN", "WITHDRAWN", "TRANSITION"],
  ["DONE", "DONE", "UNCHANGED"],
  ["DONE", "WITHDRAWN", "CONFLICT"],
  ["WITHDRAWN", "DONE", "CONFLICT"],
  ["WITHDRAWN", "WITHDRAWN", "UNCHANGED"]
]

describe("ending an item", () => {
  it.each(transitions)("Ending an item in %s as %s is %s.", (state, end, expected) => {
    assert.strictEqual(endTransition(state, end), expected)
  })
})

const expiresAt = "2026-11-22T12:00:00.000Z" as Instant
const lastMoment = "2026-11-22T11:59:59.999Z" as Instant
const item = { itemId: "item_1", state: "OPEN" as ItemState, credentialHash: "a" as string | null }
const credential = { itemId: "item_1", tokenHash: "a", expiresAt }

describe("acceptance of a credential", () => {
  it("A credential is accepted until one millisecond before its expiry.", () => {
    assert.isTrue(acceptsCredential(item, credential, lastMoment))
    assert.isFalse(acceptsCredential(item, credential, expiresAt))
  })

  it.each([
    ["the credential of another item", { itemId: "item_2" }],
    ["an item that is done", { state: "DONE" as const }],
    ["an item that was withdrawn", { state: "WITHDRAWN" as const }],
    ["a credential that was replaced", { credentialHash: "b" }],
    ["a credential that was ended", { credentialHash: null }],
    ["an item that ended", endChanges("DONE", lastMoment)]
  ])("A credential is not accepted for %s.", (_, changes) => {
    assert.isFalse(acceptsCredential({ ...item, ...changes }, credential, lastMoment))
  })
})
