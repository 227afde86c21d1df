import { assert, describe, it } from "@effect/vitest"
import { aConnectionServesOnce } from "../../../simulator/invariants/a-connection-serves-once.ts"
import { aRequestIsAnAttempt } from "../../../simulator/invariants/a-request-is-an-attempt.ts"
import { WebhookAttempts } from "../../../src/webhooks/store.ts"
import { MadeUp, put } from "../support/made-up.ts"
import { attempt } from "../support/callback-rows.ts"

const [actor, receiver] = ["worker", "hooks"]

describe("each webhook request is one attempt", () => {
  const begun = () => new MadeUp(aRequestIsAnAttempt).holds(put(WebhookAttempts, attempt))

  it("A webhook request with a new recorded attempt is allowed", () => {
    const run = begun()
      .callsBack("whd_1")
      .commits(actor, put(WebhookAttempts, { ...attempt, attempt: 2 }))
    assert.isUndefined(run.callsBack("whd_1").broken)
  })

  it("A second webhook request for one attempt, and one without an attempt, are violations", () => {
    assert.include(begun().callsBack("whd_1").callsBack("whd_1").broken, "only 1 recorded attempts")
    assert.isDefined(begun().callsBack("whd_2").broken)
  })
})

describe("one webhook per connection", () => {
  const connected = (run: MadeUp, address: string) => run.observes({ kind: "connection", actor, receiver, address })
  const sent = (run: MadeUp, over?: string) => {
    const callback = { kind: "callback", actor, receiver, headers: {}, body: {} } as const
    return run.observes({ ...callback, ...(over === undefined ? {} : { over }) })
  }
  const begun = () => connected(new MadeUp(aConnectionServesOnce), "93.184.215.14")

  it("Each connection may carry one webhook request, in any order", () => {
    assert.isUndefined(sent(connected(sent(begun()), "93.184.215.15")).broken)
    assert.isUndefined(sent(sent(connected(begun(), "93.184.215.15"), "93.184.215.14")).broken)
  })

  it("A reused connection is a violation, also if a newer one is open", () => {
    assert.isDefined(sent(sent(begun())).broken)
    assert.isDefined(sent(connected(sent(begun()), "93.184.215.15"), "93.184.215.14").broken)
  })

  const stopping = (run: MadeUp) =>
    run
      .observes({ kind: "act", actor: "operator", operation: "stopWorker", on: undefined, input: {} })
      .observes({ kind: "worker", actor, did: "STOPPED" })
  const stopped = (run: MadeUp) =>
    stopping(run).observes({ kind: "answer", actor: "operator", refused: undefined, body: {} })

  it("A stopping process may use each open connection once", () => {
    assert.isUndefined(stopped(sent(stopping(begun()))).broken)
    assert.isDefined(sent(sent(stopping(begun()))).broken)
  })

  it("A webhook request over a connection of an ended process is a violation", () => {
    assert.isDefined(sent(stopped(begun())).broken)
    assert.isDefined(sent(begun().observes({ kind: "worker", actor, did: "CRASHED" })).broken)
    assert.isDefined(sent(stopping(begun()).observes({ kind: "worker", actor, did: "CRASHED" })).broken)
  })
})
