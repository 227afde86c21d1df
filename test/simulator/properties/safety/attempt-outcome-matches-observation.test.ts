import { assert, describe, it } from "@effect/vitest"
import { attemptOutcomeMatchesObservation } from "../../../../simulator/properties/safety/attempt-outcome-matches-observation.ts"
import { WebhookAttempts, WebhookSubscriptions, type DeliveryRow } from "../../../../src/webhooks/store.ts"
import { SyntheticRun, put } from "../../support/synthetic-run.ts"
import { attempt, subscription } from "../../support/webhook-rows.ts"

const host = "hooks.example.com"
const [actor, receiver] = ["worker", "hooks"]

const begun = () =>
  new SyntheticRun(attemptOutcomeMatchesObservation)
    .observes({ kind: "given", name: receiver, is: "receiver", answer: { host } })
    .holds(put(WebhookSubscriptions, subscription))

const replied = (run: SyntheticRun, answer: number | "RESET" | "LOST", by = actor) =>
  run.observes({ kind: "reply", actor: by, receiver, delivery: "whd_1", answer })
const unconnected = (run: SyntheticRun, why: "REFUSED" | "UNTRUSTED") =>
  run.observes({ kind: "unconnected", actor, receiver, why })
const found = (run: SyntheticRun, answers: ReadonlyArray<string> | "NXDOMAIN" | "UNREACHABLE", refused?: string) =>
  run.observes({ kind: "lookup", actor, host, answers, refused })

type Outcome = NonNullable<NonNullable<DeliveryRow["lastAttempt"]>["outcome"]>

const ended = (run: SyntheticRun, outcome: Outcome) => run.commits(actor, put(WebhookAttempts, { ...attempt, outcome }))

describe("attempt outcome matches observation", () => {
  it.each([
    ["ACKNOWLEDGED", () => replied(begun(), 204)],
    ["REDIRECT", () => replied(begun(), 302)],
    ["HTTP_STATUS", () => replied(begun(), 401)],
    ["CONNECTION", () => replied(begun(), "RESET")],
    ["CONNECTION", () => replied(begun(), "LOST")],
    ["CONNECTION", () => unconnected(begun(), "REFUSED")],
    ["TLS", () => unconnected(begun(), "UNTRUSTED")],
    ["DNS_FAILURE", () => found(begun(), "NXDOMAIN")],
    ["DNS_REJECTED", () => found(begun(), ["10.0.0.5"], "10.0.0.5 is not public")],
    ["TIMEOUT", begun]
  ] as const)("The outcome %s may be recorded after its observation", (outcome, run) => {
    assert.isUndefined(ended(run(), outcome).violation)
  })

  it("A recorded outcome other than the observed one is a violation", () => {
    assert.include(ended(replied(begun(), 503), "ACKNOWLEDGED").violation, "ended with ACKNOWLEDGED")
    assert.include(ended(begun(), "CONNECTION").violation, "which its process did not observe")
    assert.include(ended(found(begun(), "UNREACHABLE"), "DNS_FAILURE").violation, "which its process did not observe")
    assert.include(
      ended(found(begun(), ["93.184.215.14"]), "DNS_REJECTED").violation,
      "which its process did not observe"
    )
  })

  it("A recorded outcome that another process observed, or that was already recorded, is a violation", () => {
    assert.isDefined(ended(replied(begun(), 204, "worker-2"), "ACKNOWLEDGED").violation)
    assert.isDefined(ended(ended(unconnected(begun(), "REFUSED"), "CONNECTION"), "CONNECTION").violation)
  })

  it("An outcome that a crashed process observed may not be recorded", () => {
    const gone = unconnected(begun(), "REFUSED").observes({ kind: "worker", actor, did: "CRASHED" })
    assert.isDefined(ended(gone, "CONNECTION").violation)
  })
})
