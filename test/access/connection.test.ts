import { assert, describe, it } from "@effect/vitest"
import { nextPollingInterval, parseUserCode, userCodeFrom } from "../../src/access/connection.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"

const noon = "2026-11-21T12:00:00.000Z" as Instant
const after = (seconds: number) => addMilliseconds(noon, seconds * 1000)

describe("polling interval of a connection", () => {
  it("Each early poll increases the polling interval by five seconds, permanently", () => {
    let pace: { readonly interval: number; readonly polledAt: Instant | null } = { interval: 5, polledAt: null }
    const intervals = [0, 1, 2, 17, 33].map((seconds) => (pace = nextPollingInterval(pace, after(seconds))).interval)
    assert.deepStrictEqual(intervals, [5, 10, 15, 15, 15])
  })

  it("The polling interval is measured from the last poll, to the millisecond", () => {
    const pace = { interval: 5, polledAt: noon }
    assert.isTrue(nextPollingInterval(pace, addMilliseconds(noon, 4_999)).isTooEarly)
    assert.isFalse(nextPollingInterval(pace, addMilliseconds(noon, 5_000)).isTooEarly)
  })
})

describe("user codes", () => {
  it("A user code is accepted in any case, with or without hyphen and spaces", () => {
    const code = userCodeFrom("f".repeat(64))
    assert.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    for (const typed of [code, code.toLowerCase(), code.replace("-", ""), ` ${code.replace("-", " ")} `]) {
      assert.strictEqual(parseUserCode(typed), code)
    }
  })

  it.each(["", "BCDF", "BCDF-GHJKL", "ABCD-EFGH", "BCDF-GHJ1", "BCDF_GHJK"])("%j is not a user code", (typed) => {
    assert.isUndefined(parseUserCode(typed))
  })
})
