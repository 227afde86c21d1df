import { assert, describe, it } from "@effect/vitest"
import { recordedStatusMatchesResponse } from "../../../../simulator/properties/safety/recorded-status-matches-response.ts"
import { WebhookAttempts } from "../../../../src/webhooks/store.ts"
import { SyntheticRun, put } from "../../support/synthetic-run.ts"

const world = () => new SyntheticRun(recordedStatusMatchesResponse)

const replied = (seen: SyntheticRun, answer: number | "LOST" | "RESET", actor = "worker") =>
  seen.observes({ kind: "reply", actor, receiver: "desk", delivery: "webhook_delivery_1", answer })

const attempt = (statusCode: number | null) =>
  put(WebhookAttempts, { deliveryId: "webhook_delivery_1", attempt: 1, outcome: "ACKNOWLEDGED", statusCode })

describe("recorded status matches response", () => {
  it("The received status, and none after a lost response, may be recorded", () => {
    assert.isUndefined(replied(world(), 204).commits("worker", attempt(204)).violation)
    assert.isUndefined(replied(world(), "LOST").commits("worker", attempt(null)).violation)
  })

  it("A recorded status that the receiver did not return is a violation", () => {
    assert.include(replied(world(), "LOST").commits("worker", attempt(200)).violation, "has the status 200")
    assert.include(replied(world(), 503).commits("worker", attempt(200)).violation, "the response was 503")
  })

  it("A recorded status of an earlier attempt or of another process is a violation", () => {
    const lost = replied(replied(world(), 200), "RESET")
    assert.include(lost.commits("worker", attempt(200)).violation, "the response was none")
    assert.include(replied(world(), 200).commits("worker-2", attempt(200)).violation, "the response was none")
  })

  it("A status recorded for two attempts after one response is a violation", () => {
    const twice = replied(world(), 200).commits("worker", attempt(200))
    const next = put(WebhookAttempts, { deliveryId: "webhook_delivery_1", attempt: 2, statusCode: 200 })
    assert.include(twice.commits("worker", next).violation, "the response was none")
  })
})
