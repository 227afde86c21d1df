/** The time of a served world: advanced until something is the case, by agents that wait, or after silence. */
import { afterEach, assert, describe, it } from "vitest"
import { moveAfterSilence } from "../../../simulator/serve/patient-time.ts"
import { acceptTermsStep, createAgreementInWorld, TestServer } from "../../support/simulator-server.ts"

const cleanups: Array<() => unknown> = []
afterEach(async () => {
  for (const stop of cleanups.splice(0)) await stop()
})

const startServer = async (): Promise<TestServer> => {
  const server = await TestServer.start()
  cleanups.push(server.stop)
  return server
}

const advance = (server: TestServer, body: object) => server.control("POST", "/clock/advance", body)
const wait = (server: TestServer, agent: string, body: object) => server.control("POST", `/agents/${agent}/wait`, body)

/** An agreement with a subscription whose receiver answers with these statuses. */
const withWebhook = async (server: TestServer, ...answers: ReadonlyArray<number>) => {
  const { project } = await createAgreementInWorld(server)
  const input = { target: "${hooks.target}", projectIds: [project], eventTypes: ["agreement.confirmed"] }
  await server.step({ as: "courier", do: "createWebhook", input: { ...input, expiresAt: "2026-02-01T09:00:00.000Z" } })
  const next = answers.map((status) => ({ answers: status }))
  await server.step({
    as: "operator",
    do: "setReceiver",
    input: { receiver: "hooks", next, otherwise: { answers: 204 } }
  })
  await server.step({ ...acceptTermsStep, on: project })
  return project
}

const minutesSinceStart = (now: string) => (Date.parse(now) - Date.parse("2026-01-05T09:00:00.000Z")) / 60_000

describe("Advancing until a condition", () => {
  it("A world becomes idle once no delivery is retried any more, and stays at the time of the last one.", async () => {
    const server = await startServer()
    await withWebhook(server, 503, 503, 503)
    const { status, body } = await advance(server, { until: "idle" })
    assert.strictEqual(status, 200)
    const answers = body.observed.flatMap(({ kind, answer }: any) => (kind === "reply" ? [answer] : []))
    assert.deepStrictEqual(answers, [503, 503, 204])
    assert.isBelow(minutesSinceStart(body.now), 5)
    const again = await advance(server, { until: "idle" })
    assert.deepStrictEqual([again.body.now, again.body.observed], [body.now, []])
  })

  it("Time that is advanced until an event stops where it occurred.", async () => {
    const server = await startServer()
    await withWebhook(server, 503)
    const { body } = await advance(server, { until: { event: "webhook" } })
    assert.strictEqual(minutesSinceStart(body.now), 0.25)
    const refused = await advance(server, { until: { event: "delivery.submitted" }, most: "1h" })
    assert.deepInclude(refused.body, { error: "NOT_REACHED", now: body.now })
    assert.include(refused.body.detail, "webhook_subscriptions")
  })

  it("Time is not advanced beyond the most that is allowed, and a wrong form is refused.", async () => {
    const server = await startServer()
    const refused = await advance(server, { until: { event: "SUBMIT" }, most: "10m" })
    assert.strictEqual(refused.status, 409)
    assert.deepInclude(refused.body, { now: "2026-01-05T09:00:00.000Z", due: [] })
    assert.strictEqual((await advance(server, { by: "1h", most: "1h" })).status, 400)
    assert.strictEqual((await advance(server, { until: { event: "NOTHING" } })).status, 400)
  })
})

describe("Agents that wait", () => {
  it("Time moves only while all of them wait, and their waits end one at a time.", async () => {
    const server = await startServer()
    await createAgreementInWorld(server)
    const ended: Array<string> = []
    const waited = async (agent: string, body: object) => {
      const { body: answer } = await wait(server, agent, body)
      ended.push(`${agent} ${answer.ended} ${minutesSinceStart(answer.now)}`)
    }
    for (const agent of ["scout", "courier"]) await server.control("PUT", `/agents/${agent}`)
    const scoutWaits = waited("scout", { for: "10m" })
    const courierWaits = waited("courier", { for: "10m" })
    await scoutWaits
    assert.deepStrictEqual(ended, ["scout time 10"])
    const scoutWaitsAgain = waited("scout", { for: "5m" })
    await courierWaits
    assert.deepStrictEqual(ended.slice(1), ["courier time 10"])
    assert.isTrue((await server.control("DELETE", "/agents/courier")).body.tookPart)
    await scoutWaitsAgain
    assert.deepStrictEqual(ended.slice(2), ["scout time 15"])
  })

  it("A wait for an event ends with it, before the end of its time.", async () => {
    const server = await startServer()
    const { project } = await createAgreementInWorld(server)
    await server.step({ as: "courier", do: "readProject", on: project })
    for (const agent of ["scout", "courier"]) await server.control("PUT", `/agents/${agent}`)
    const acting = wait(server, "scout", { for: "1m" }).then(() => server.step({ ...acceptTermsStep, on: project }))
    const confirmed = wait(server, "courier", { for: "1h", event: "agreement.confirmed" })
    await acting
    await server.control("DELETE", "/agents/scout")
    assert.deepInclude((await confirmed).body, { ended: "event", now: "2026-01-05T09:01:00.000Z" })
  })

  it("Agents that wait for events alone are refused where nothing is due.", async () => {
    const server = await startServer()
    await createAgreementInWorld(server)
    assert.strictEqual((await wait(server, "courier", { event: "SUBMIT" })).body.error, "NOT_REACHED")
    assert.strictEqual((await wait(server, "courier", {})).body.error, "INVALID_REQUEST")
    assert.strictEqual((await wait(server, "unknown", { for: "1m" })).body.error, "NOT_FOUND")
  })

  it("What an agent tells its person is in the trace and in the recorded scenario.", async () => {
    const server = await startServer()
    await createAgreementInWorld(server)
    const said = { text: "The project is paused ${x}.", humanUrl: "https://countersign.test/x" }
    assert.strictEqual((await server.control("POST", "/agents/courier/tell", said)).status, 200)
    const line = '"actor":"courier","at":"2026-01-05T09:00:00.000Z","input":{"humanUrl":"https://countersign.test/x"'
    assert.include((await server.control("GET", "/trace")).text, line)
    assert.include((await server.control("GET", "/scenario")).text, "do: tell")
  })
})

describe("Patient time", () => {
  it("After silence time moves to the next moment at which something is due.", async () => {
    const server = await startServer()
    await withWebhook(server, 503)
    cleanups.push(moveAfterSilence(server.worlds, 50))
    const { session } = server.worlds.all[0]!.live
    const moments = () => new Set(session.observations.map(({ at }) => minutesSinceStart(at)))
    while (moments().size < 2) await new Promise((resolve) => setTimeout(resolve, 50))
    assert.deepStrictEqual([...moments()].slice(0, 2), [0, 0.25])
  })

  it("Where nothing is due time moves once after each activity, by twice as much each time until an act.", async () => {
    const server = await startServer()
    const minutesNow = () => minutesSinceStart(server.worlds.all[0]!.live.session.now)
    const after = async (activity: () => unknown) => {
      const before = minutesNow()
      await activity()
      while (minutesNow() === before) await new Promise((resolve) => setTimeout(resolve, 20))
      // It does not move again without another activity.
      await new Promise((resolve) => setTimeout(resolve, 200))
      return minutesNow()
    }
    const request = () => fetch(`${server.origin}/api/agents/v1/capabilities`)
    const begin = () => cleanups.push(moveAfterSilence(server.worlds, 20))
    assert.deepStrictEqual([await after(begin), await after(request), await after(request)], [1, 3, 7])
    const input = { process: "service", offset: "+0s" }
    assert.strictEqual(await after(() => server.step({ as: "operator", do: "setClock", input })), 8)
  })
})
