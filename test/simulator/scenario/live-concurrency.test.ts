/** Concurrent steps of a live session, and worlds with defects. */
import { assert, describe, it } from "vitest"
import type { ProgramResponse } from "../../../simulator/environment/webhook-receivers/network.ts"
import { LiveSession } from "../../../simulator/scenario/live.ts"
import { unrollSteps } from "../../../simulator/scenario/format/unroll.ts"
import { Session } from "../../../simulator/scenario/session.ts"
import { agreementPart, newAgreementPart, scenarioOf } from "../../support/short-scenarios.ts"

const subscribed = `
  - as: scout
    do: createWebhook
    input: { target: "\${hooks.target}", projectIds: ["\${project}"], eventTypes: [agreement.confirmed], expiresAt: 2026-11-30T09:00:00.000Z }
    keep: { subscription: subscription.id, secret: secret }
  - { as: hooks, do: takeSecret, input: { secret: "\${secret}" } }
  - { as: operator, do: attachProgram, input: { receiver: hooks } }`

const respond = {
  as: "courier",
  do: "respond",
  on: "${project}",
  input: { action: "ACCEPT", reason: "As offered." }
}

const grant = (as: string, agent: string) => ({
  as,
  do: "grantAgent",
  input: {
    agent,
    role: as === "sam" ? "SUPPLIER" : "BUYER",
    actions: [as === "sam" ? "SUBMIT_MATERIALS" : "CREATE_PROJECT"]
  }
})

const begin = (part: string, steps: string, given = "{}") => {
  const scenario = scenarioOf(part, steps, given)
  return new LiveSession(scenario, unrollSteps(scenario.steps))
}

/** A live session and the requests to its program. */
const beginAsked = () => {
  const live = begin(newAgreementPart, subscribed, "{ receivers: { hooks: { host: hooks.example.com } } }")
  const asked: Array<(answers: ProgramResponse) => void> = []
  live.callProgram = (_, answer) => asked.push(answer)
  return { live, asked }
}

const assertReplays = (live: LiveSession): void => {
  const again = new Session(live.session.opening)
  for (const form of live.session.forms) again.do(form)
  assert.strictEqual(again.trace, live.session.trace)
}

const signedIn = "  - { as: dana, do: signIn }"

describe("concurrent steps", () => {
  it.each([
    ["is retried", "", { ...grant("sam", "second"), inject: { database: "40001" } }],
    ["waits for a mail server", "  - { as: operator, do: setMailServer, input: { state: SILENT } }", respond]
  ])("A concurrent step that %s ends and replays identically", async (_, first, beside) => {
    const live = begin(newAgreementPart, `${signedIn}\n${first}`, "{ mail: WORKING }")
    live.hold("dana")
    const main = live.submit(grant("dana", "one"))
    await until(() => live.frozenFor.length > 0)
    const other = live.submit(beside)
    await until(() => live.inFlight.length > 1)
    live.release("dana")
    assert.isUndefined((await main.outcome).ended)
    assert.isUndefined((await other.outcome).ended)
    await until(() => live.isAtRest)
    assert.deepStrictEqual(live.inFlight, [])
    await live.submit({ advance: "1s" }).outcome
    assertReplays(live)
  })

  it("Steps during a held request run in sequence", async () => {
    const { live, asked } = beginAsked()
    await live.submit({ as: "dana", do: "signIn" }).outcome
    live.hold("dana")
    const main = live.submit(grant("dana", "one"))
    await until(() => live.frozenFor.length > 0)
    const first = live.submit(respond)
    await until(() => asked.length > 0)
    assert.strictEqual(live.frozenFor.length, 2)
    const second = live.submit({ as: "courier", do: "readProject", on: "${project}" })
    asked[0]?.(204)
    assert.isUndefined((await first.outcome).ended)
    assert.isUndefined((await second.outcome).ended)
    assert.isFalse(live.isAtRest)
    live.release("dana")
    assert.strictEqual((await main.outcome).answer?.status, 201)
    await until(() => live.isAtRest)
    assertReplays(live)
  })
})

describe("external programs", () => {
  it("A program may respond before a concurrent step has ended, which then ends too", async () => {
    const { live, asked } = beginAsked()
    await live.submit({ as: "dana", do: "signIn" }).outcome
    const main = live.submit(respond)
    await until(() => asked.length === 1)
    const beside = live.submit({ ...grant("dana", "one"), inject: { database: "40001" } })
    await until(() => live.inFlight.includes("grantAgent of dana"))
    asked[0]?.(204)
    assert.isUndefined((await main.outcome).ended)
    await until(() => live.isAtRest)
    assert.isUndefined((await beside.outcome).ended)
    assertReplays(live)
  })

  it("A program's response to a stopped worker is discarded, and its response to the next worker is delivered", async () => {
    const { live, asked } = beginAsked()
    const main = live.submit(respond)
    await until(() => asked.length === 1)
    await live.submit({ as: "operator", do: "stopWorker" }).outcome
    assert.isUndefined((await main.outcome).ended)
    const starting = live.submit({ as: "operator", do: "startWorker" })
    const moving = live.submit({ advance: "10m" })
    await until(() => asked.length === 2)
    asked[0]?.(500)
    await new Promise((resolve) => setImmediate(resolve))
    assert.strictEqual(live.frozenFor.length, 1)
    asked[1]?.(204)
    assert.isUndefined((await starting.outcome).ended)
    assert.isUndefined((await moving.outcome).ended)
    const replies = live.session.observations.flatMap((line) => (line.kind === "reply" ? [line.answer] : []))
    assert.deepStrictEqual(replies, [204])
    assert.deepStrictEqual(live.session.forms.at(-2)?.outside, [{ receiver: "hooks", answers: 204 }])
    await until(() => live.isAtRest)
    assertReplays(live)
  })
})

describe("held requests", () => {
  it("A held request ends with its process", async () => {
    const live = begin(agreementPart, signedIn)
    live.hold("dana")
    const main = live.submit(grant("dana", "one"))
    await until(() => live.frozenFor.length > 0)
    const beside = live.submit({ ...grant("sam", "two"), inject: { crash: "after-commit" } })
    await beside.outcome
    assert.isUndefined((await main.outcome).answer)
    assert.deepStrictEqual(live.frozenFor, [])
    await live.submit({ advance: "1s" }).outcome
    assert.isTrue(live.isAtRest)
    assertReplays(live)
  })
})

describe("defects", () => {
  it("A defect fails the running steps and rejects later ones", async () => {
    let isAsked = false
    const scenario = scenarioOf(agreementPart, signedIn)
    const live = new LiveSession(scenario, unrollSteps(scenario.steps), {
      choose: () => {
        if (isAsked) return 0
        isAsked = true
        throw new RangeError("no choice is possible")
      }
    })
    const look = { as: "scout", do: "me" }
    const ended = (await live.submit({ together: [look, look] }).outcome).ended
    assert.include(ended?.reason, "no choice is possible")
    assert.isTrue(live.isAtRest)
    const refused = await live.submit(look).outcome.then(() => undefined, String)
    assert.include(refused, "no choice is possible")
    assert.isTrue(live.isAtRest)
  })
})

/** Fails after 1,000 turns of the event loop. */
const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 1000 && !holds(); turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.isTrue(holds())
}
