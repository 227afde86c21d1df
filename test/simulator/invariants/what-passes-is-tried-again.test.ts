import { assert, describe, it } from "@effect/vitest"
import { whatPassesIsTriedAgain } from "../../../simulator/invariants/what-passes-is-tried-again.ts"
import { MadeUp } from "../support/made-up.ts"

const asked = () => new MadeUp(whatPassesIsTriedAgain).asks("courier", "POST", "/submit", {})

const struck = (seen: MadeUp, fault: string, actor = "courier") =>
  seen.observes({ kind: "fault", actor, fault, where: "commit", what: [] })

const unavailable = { error: "TEMPORARILY_UNAVAILABLE" }

describe("what passes is tried again", () => {
  it("is broken by 500, and by 503 after one failure that passes", () => {
    assert.include(asked().answers("courier", 500).broken, "was answered with 500")
    assert.include(struck(asked(), "40001").answers("courier", 503, unavailable).broken, "because of what passes")
    assert.include(
      struck(asked(), "commit-lost-aborted").answers("courier", 503, unavailable).broken,
      "because of what passes"
    )
  })

  it("holds where it was tried again, where it lasts, and where it comes again", () => {
    assert.isUndefined(struck(asked(), "40001").answers("courier", 200).broken)
    assert.isUndefined(struck(asked(), "53200").answers("courier", 503, unavailable).broken)
    assert.isUndefined(
      struck(struck(asked(), "connection-lost"), "connection-lost").answers("courier", 503, {
        error: "TEMPORARILY_UNAVAILABLE"
      }).broken
    )
  })

  it("does not take an issuer without a key for a store that fails", () => {
    assert.isUndefined(struck(asked(), "40001").answers("courier", 503, { error: "ISSUER_NOT_CONFIGURED" }).broken)
  })

  it("looks at one request at a time", () => {
    const next = struck(asked(), "40001").answers("courier", 200).asks("courier", "POST", "/submit", {})
    assert.isUndefined(next.answers("courier", 503, unavailable).broken)
    assert.isUndefined(struck(asked(), "40001", "scout").answers("courier", 503, unavailable).broken)
  })

  it("looks at all that one party waits for, where that is several", () => {
    const several = () => asked().asks("courier", "POST", "/refuse", {})
    const twice = struck(struck(several(), "connection-lost").answers("courier", 200), "connection-lost")
    assert.isUndefined(twice.answers("courier", 503, unavailable).broken)
    assert.isUndefined(struck(struck(several(), "53200"), "40001").answers("courier", 503, unavailable).broken)
    assert.isDefined(struck(several(), "40001").answers("courier", 503, unavailable).broken)
    const once = several().answers("courier", 200).answers("courier", 200).asks("courier", "POST", "/submit", {})
    assert.isDefined(struck(once, "40001").answers("courier", 503, unavailable).broken)
  })
})
