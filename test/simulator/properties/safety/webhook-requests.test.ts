import { assert, describe, it } from "@effect/vitest"
import { oneWebhookPerConnection } from "../../../../simulator/properties/safety/one-webhook-per-connection.ts"
import { eachWebhookRequestIsOneAttempt } from "../../../../simulator/properties/safety/each-webhook-request-is-one-attempt.ts"
import { WebhookAttempts } from "../../../../src/webhooks/store.ts"
import { SyntheticRun, put } from "../../support/synthetic-run.ts"
import { attempt } from "../../support/webhook-rows.ts"

const [actor, receiver] = ["worker", "hooks"]

describe("each webhook request is one attempt", () => {
  const begun = () => new SyntheticRun(eachWebhookRequestIsOneAttempt).holds(put(WebhookAttempts, attempt))

  it("A webhook request with a new recorded attempt is allowed", () => {
    const run = begun()
      .sendsWebhook("whd_1")
      .commits(actor, put(WebhookAttempts, { ...attempt, attempt: 2 }))
    assert.isUndefined(run.sendsWebhook("whd_1").violation)
  })

  it("A second webhook request for one attempt, and one without an attempt, are violations", () => {
    assert.include(begun().sendsWebhook("whd_1").sendsWebhook("whd_1").violation, "only 1 recorded attempts")
    assert.isDefined(begun().sendsWebhook("whd_2").violation)
  })
})

describe("one webhook per connection", () => {
  const connected = (run: SyntheticRun, address: string) =>
    run.observes({ kind: "connection", actor, receiver, address })
  const sent = (run: SyntheticRun, over?: string) => {
    const callback = { kind: "callback", actor, receiver, headers: {}, body: {} } as const
    return run.observes({ ...callback, ...(over === undefined ? {} : { over }) })
  }
  const begun = () => connected(new SyntheticRun(oneWebhookPerConnection), "93.184.215.14")

  it("Each connection may carry one webhook request, in any order", () => {
    assert.isUndefined(sent(connected(sent(begun()), "93.184.215.15")).violation)
    assert.isUndefined(sent(sent(connected(begun(), "93.184.215.15"), "93.184.215.14")).violation)
  })

  it("A reused connection is a violation, also if a newer one is open", () => {
    assert.isDefined(sent(sent(begun())).violation)
    assert.isDefined(sent(connected(sent(begun()), "93.184.215.15"), "93.184.215.14").violation)
  })

  const stopping = (run: SyntheticRun) =>
    run
      .observes({ kind: "act", actor: "operator", operation: "stopWorker", on: undefined, input: {} })
      .observes({ kind: "worker", actor, did: "STOPPED" })
  const stopped = (run: SyntheticRun) =>
    stopping(run).observes({ kind: "answer", actor: "operator", refused: undefined, body: {} })

  it("A stopping process may use each open connection once", () => {
    assert.isUndefined(stopped(sent(stopping(begun()))).violation)
    assert.isDefined(sent(sent(stopping(begun()))).violation)
  })

  it("A webhook request over a connection of an ended process is a violation", () => {
    assert.isDefined(sent(stopped(begun())).violation)
    assert.isDefined(sent(begun().observes({ kind: "worker", actor, did: "CRASHED" })).violation)
    assert.isDefined(sent(stopping(begun()).observes({ kind: "worker", actor, did: "CRASHED" })).violation)
  })
})
