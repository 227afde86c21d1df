import { assert, describe, it } from "@effect/vitest"
import { anAcknowledgementWasAnswered } from "../../../simulator/invariants/an-acknowledgement-was-answered.ts"
import { WebhookAttempts } from "../../../src/webhooks/store.ts"
import { MadeUp, put } from "../support/made-up.ts"

const world = () => new MadeUp(anAcknowledgementWasAnswered)

const replied = (seen: MadeUp, answer: number | "LOST" | "RESET", actor = "worker") =>
  seen.observes({ kind: "reply", actor, receiver: "desk", delivery: "webhook_delivery_1", answer })

const attempt = (statusCode: number | null) =>
  put(WebhookAttempts, { deliveryId: "webhook_delivery_1", attempt: 1, outcome: "ACKNOWLEDGED", statusCode })

describe("recorded status matches response", () => {
  it("The received status, and none after a lost response, may be recorded", () => {
    assert.isUndefined(replied(world(), 204).commits("worker", attempt(204)).broken)
    assert.isUndefined(replied(world(), "LOST").commits("worker", attempt(null)).broken)
  })

  it("A recorded status that the receiver did not return is a violation", () => {
    assert.include(replied(world(), "LOST").commits("worker", attempt(200)).broken, "has the status 200")
    assert.include(replied(world(), 503).commits("worker", attempt(200)).broken, "the response was 503")
  })

  it("A recorded status of an earlier attempt or of another process is a violation", () => {
    const lost = replied(replied(world(), 200), "RESET")
    assert.include(lost.commits("worker", attempt(200)).broken, "the response was none")
    assert.include(replied(world(), 200).commits("worker-2", attempt(200)).broken, "the response was none")
  })

  it("A status recorded for two attempts after one response is a violation", () => {
    const twice = replied(world(), 200).commits("worker", attempt(200))
    const next = put(WebhookAttempts, { deliveryId: "webhook_delivery_1", attempt: 2, statusCode: 200 })
    assert.include(twice.commits("worker", next).broken, "the response was none")
  })
})
