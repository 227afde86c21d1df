import { assert, describe, it } from "@effect/vitest"
import { anAttemptEndsAsItWent } from "../../../simulator/invariants/an-attempt-ends-as-it-went.ts"
import { WebhookAttempts, WebhookSubscriptions, type DeliveryRow } from "../../../src/webhooks/store.ts"
import { MadeUp, put } from "../support/made-up.ts"
import { attempt, subscription } from "../support/callback-rows.ts"

const host = "hooks.example.com"
const [actor, receiver] = ["worker", "hooks"]

const begun = () =>
  new MadeUp(anAttemptEndsAsItWent)
    .observes({ kind: "given", name: receiver, is: "receiver", answer: { host } })
    .holds(put(WebhookSubscriptions, subscription))

const replied = (run: MadeUp, answer: number | "RESET" | "LOST", by = actor) =>
  run.observes({ kind: "reply", actor: by, receiver, delivery: "whd_1", answer })
const unconnected = (run: MadeUp, why: "REFUSED" | "UNTRUSTED") =>
  run.observes({ kind: "unconnected", actor, receiver, why })
const found = (run: MadeUp, answers: ReadonlyArray<string> | "NXDOMAIN" | "UNREACHABLE", refused?: string) =>
  run.observes({ kind: "lookup", actor, host, answers, refused })

type Outcome = NonNullable<NonNullable<DeliveryRow["lastAttempt"]>["outcome"]>

const ended = (run: MadeUp, outcome: Outcome) => run.commits(actor, put(WebhookAttempts, { ...attempt, outcome }))

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
    assert.isUndefined(ended(run(), outcome).broken)
  })

  it("A recorded outcome other than the observed one is a violation", () => {
    assert.include(ended(replied(begun(), 503), "ACKNOWLEDGED").broken, "ended with ACKNOWLEDGED")
    assert.include(ended(begun(), "CONNECTION").broken, "which its process did not observe")
    assert.include(ended(found(begun(), "UNREACHABLE"), "DNS_FAILURE").broken, "which its process did not observe")
    assert.include(ended(found(begun(), ["93.184.215.14"]), "DNS_REJECTED").broken, "which its process did not observe")
  })

  it("A recorded outcome that another process observed, or that was already recorded, is a violation", () => {
    assert.isDefined(ended(replied(begun(), 204, "worker-2"), "ACKNOWLEDGED").broken)
    assert.isDefined(ended(ended(unconnected(begun(), "REFUSED"), "CONNECTION"), "CONNECTION").broken)
  })

  it("An outcome that a crashed process observed may not be recorded", () => {
    const gone = unconnected(begun(), "REFUSED").observes({ kind: "worker", actor, did: "CRASHED" })
    assert.isDefined(ended(gone, "CONNECTION").broken)
  })
})
