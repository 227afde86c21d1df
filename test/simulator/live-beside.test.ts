/** Steps from outside beside others that take their time, and worlds that break. */
import { assert, describe, it } from "vitest"
import type { ProgramAnswer } from "../../simulator/callbacks/network.ts"
import { LiveSession } from "../../simulator/live.ts"
import { unrolled } from "../../simulator/script/unrolled.ts"
import { Session } from "../../simulator/session.ts"
import { agreed, offered, scenarioOf } from "../support/simulated.ts"

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
  return new LiveSession(scenario, unrolled(scenario.steps))
}

/** A world whose steps come from outside, and what its program is asked. */
const beginAsked = () => {
  const live = begin(offered, subscribed, "{ receivers: { hooks: { host: hooks.example.com } } }")
  const asked: Array<(answers: ProgramAnswer) => void> = []
  live.ask = (_, answer) => asked.push(answer)
  return { live, asked }
}

const assertReplays = (live: LiveSession): void => {
  const again = new Session(live.session.opening)
  for (const form of live.session.forms) again.do(form)
  assert.strictEqual(again.trace, live.session.trace)
}

const signedIn = "  - { as: dana, do: signIn }"

describe("a step beside another", () => {
  it.each([
    ["is tried again", "", { ...grant("sam", "second"), inject: { database: "40001" } }],
    ["waits for a mail server", "  - { as: operator, do: setMailServer, input: { state: SILENT } }", respond]
  ])("that %s takes its time, ends, and is the same when it is done again", async (_, first, beside) => {
    const live = begin(offered, `${signedIn}\n${first}`, "{ mail: WORKING }")
    live.hold("dana")
    const main = live.submit(grant("dana", "one"))
    await until(() => live.standing.length > 0)
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

  it("comes after another beside it, while one request is held back", async () => {
    const { live, asked } = beginAsked()
    await live.submit({ as: "dana", do: "signIn" }).outcome
    live.hold("dana")
    const main = live.submit(grant("dana", "one"))
    await until(() => live.standing.length > 0)
    const first = live.submit(respond)
    await until(() => asked.length > 0)
    assert.strictEqual(live.standing.length, 2)
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

describe("a program that is asked", () => {
  it("may have answered before a step beside it has ended, which then ends too", async () => {
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

  it("answers nobody where the process that asked has stopped, and the next one after that", async () => {
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
    assert.strictEqual(live.standing.length, 1)
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

describe("a request that is held back", () => {
  it("stands no longer once its process has ended", async () => {
    const live = begin(agreed, signedIn)
    live.hold("dana")
    const main = live.submit(grant("dana", "one"))
    await until(() => live.standing.length > 0)
    const beside = live.submit({ ...grant("sam", "two"), inject: { crash: "after-commit" } })
    await beside.outcome
    assert.isUndefined((await main.outcome).answer)
    assert.deepStrictEqual(live.standing, [])
    await live.submit({ advance: "1s" }).outcome
    assert.isTrue(live.isAtRest)
    assertReplays(live)
  })
})

describe("a world", () => {
  it("that is broken ends what is under way, and refuses what would come", async () => {
    let isAsked = false
    const scenario = scenarioOf(agreed, signedIn)
    const live = new LiveSession(scenario, unrolled(scenario.steps), {
      choose: () => {
        if (isAsked) return 0
        isAsked = true
        throw new RangeError("nobody can choose")
      }
    })
    const look = { as: "scout", do: "me" }
    const ended = (await live.submit({ together: [look, look] }).outcome).ended
    assert.include(ended?.reason, "nobody can choose")
    assert.isTrue(live.isAtRest)
    const refused = await live.submit(look).outcome.then(() => undefined, String)
    assert.include(refused, "nobody can choose")
    assert.isTrue(live.isAtRest)
  })
})

/** Gives up after so many turns of the event loop. */
const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 1000 && !holds(); turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.isTrue(holds())
}
