import { assert, describe, it } from "@effect/vitest"
import { anAcknowledgementWasAnswered } from "../../../simulator/invariants/an-acknowledgement-was-answered.ts"
import { WebhookAttempts } from "../../../src/webhooks/store.ts"
import { MadeUp, put } from "../support/made-up.ts"

const world = () => new MadeUp(anAcknowledgementWasAnswered)

const replied = (seen: MadeUp, answer: number | "LOST" | "RESET", actor = "worker") =>
  seen.observes({ kind: "reply", actor, receiver: "desk", delivery: "webhook_delivery_1", answer })

const attempt = (statusCode: number | null) =>
  put(WebhookAttempts, { deliveryId: "webhook_delivery_1", attempt: 1, outcome: "ACKNOWLEDGED", statusCode })

describe("an acknowledgement was answered", () => {
  it("holds for what came back, and where nothing did", () => {
    assert.isUndefined(replied(world(), 204).commits("worker", attempt(204)).broken)
    assert.isUndefined(replied(world(), "LOST").commits("worker", attempt(null)).broken)
  })

  it("is broken by a status that nobody answered", () => {
    assert.include(replied(world(), "LOST").commits("worker", attempt(200)).broken, "has the status 200")
    assert.include(replied(world(), 503).commits("worker", attempt(200)).broken, "503 was the answer")
  })

  it("is broken by an answer that was lost since, or came to another process", () => {
    const lost = replied(replied(world(), 200), "RESET")
    assert.include(lost.commits("worker", attempt(200)).broken, "nobody was the answer")
    assert.include(replied(world(), 200).commits("worker-2", attempt(200)).broken, "nobody was the answer")
  })

  it("takes an answer for one attempt", () => {
    const twice = replied(world(), 200).commits("worker", attempt(200))
    const next = put(WebhookAttempts, { deliveryId: "webhook_delivery_1", attempt: 2, statusCode: 200 })
    assert.include(twice.commits("worker", next).broken, "nobody was the answer")
  })
})
