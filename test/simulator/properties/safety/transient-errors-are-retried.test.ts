import { assert, describe, it } from "@effect/vitest"
import { transientErrorsAreRetried } from "../../../../simulator/properties/safety/transient-errors-are-retried.ts"
import { SyntheticRun } from "../../support/synthetic-run.ts"

const requested = () => new SyntheticRun(transientErrorsAreRetried).asks("courier", "POST", "/submit", {})

const withFault = (seen: SyntheticRun, fault: string, actor = "courier") =>
  seen.observes({ kind: "fault", actor, fault, where: "commit", what: [] })

const unavailable = { error: "TEMPORARILY_UNAVAILABLE" }

describe("transient errors are retried", () => {
  it("A 500, and a 503 after a single transient error, are violations", () => {
    assert.include(requested().answers("courier", 500).violation, "got 500")
    assert.include(
      withFault(requested(), "40001").answers("courier", 503, unavailable).violation,
      "because of a single transient error"
    )
    assert.include(
      withFault(requested(), "commit-lost-aborted").answers("courier", 503, unavailable).violation,
      "because of a single transient error"
    )
  })

  it("Success after a retry, and a 503 after a permanent or repeated error, are allowed", () => {
    assert.isUndefined(withFault(requested(), "40001").answers("courier", 200).violation)
    assert.isUndefined(withFault(requested(), "53200").answers("courier", 503, unavailable).violation)
    assert.isUndefined(
      withFault(withFault(requested(), "connection-lost"), "connection-lost").answers("courier", 503, {
        error: "TEMPORARILY_UNAVAILABLE"
      }).violation
    )
  })

  it("A 503 because the payment provider does not answer is no storage failure", () => {
    const called = (fault: { readonly fault?: string }) =>
      withFault(requested(), "40001").observes({
        kind: "payments",
        actor: "courier",
        call: "readBack",
        on: "commerce_1",
        answer: {},
        ...fault
      })
    assert.isUndefined(withFault(called({ fault: "DOWN" }), "40P01").answers("courier", 503, unavailable).violation)
    assert.isUndefined(called({ fault: "DOWN" }).answers("courier", 503, unavailable).violation)
    assert.include(called({}).answers("courier", 503, unavailable).violation, "because of a single transient error")
  })

  it("A 503 because of a missing issuer key is no storage failure", () => {
    assert.isUndefined(
      withFault(requested(), "40001").answers("courier", 503, { error: "ISSUER_NOT_CONFIGURED" }).violation
    )
  })

  it("A transient error of an earlier request or another actor does not count", () => {
    const next = withFault(requested(), "40001").answers("courier", 200).asks("courier", "POST", "/submit", {})
    assert.isUndefined(next.answers("courier", 503, unavailable).violation)
    assert.isUndefined(withFault(requested(), "40001", "scout").answers("courier", 503, unavailable).violation)
  })

  it("A transient error may belong to any of several pending requests of one actor", () => {
    const several = () => requested().asks("courier", "POST", "/refuse", {})
    const twice = withFault(withFault(several(), "connection-lost").answers("courier", 200), "connection-lost")
    assert.isUndefined(twice.answers("courier", 503, unavailable).violation)
    assert.isUndefined(withFault(withFault(several(), "53200"), "40001").answers("courier", 503, unavailable).violation)
    assert.isDefined(withFault(several(), "40001").answers("courier", 503, unavailable).violation)
    const once = several().answers("courier", 200).answers("courier", 200).asks("courier", "POST", "/submit", {})
    assert.isDefined(withFault(once, "40001").answers("courier", 503, unavailable).violation)
  })
})
