import { afterEach, assert, describe, it } from "vitest"
import { readTrace } from "../../../simulator/observation/trace.ts"
import { eventsOf } from "../../../simulator/view-model/session-events.ts"
import {
  acceptTermsStep,
  createAgreementInWorld,
  bearer,
  startProgram,
  statusWith,
  TestServer
} from "../../support/simulator-server.ts"

const cleanups: Array<() => unknown> = []
afterEach(async () => {
  for (const stop of cleanups.splice(0)) await stop()
})

const startServer = async (...parameters: Parameters<typeof TestServer.start>): Promise<TestServer> => {
  const server = await TestServer.start(...parameters)
  cleanups.push(server.stop)
  return server
}

const api = "/api/agents/v1"

describe("served world", () => {
  it("An agent connects to a served world while a person acts through the control API", async () => {
    const server = await startServer()
    const token = await server.connect("courier", "sam", { role: "SUPPLIER", actions: ["SUBMIT_MATERIALS"] })
    const me = await server.ask("GET", `${api}/me`, undefined, bearer(token))
    assert.strictEqual(me.status, 200)
    assert.strictEqual(me.body.authorizer.name, "Sam Lindqvist")
    const { body } = await server.control("GET", "")
    assert.deepStrictEqual(
      body.agents.map(({ name }: { name: string }) => name),
      ["courier"]
    )
    assert.notInclude((await server.control("GET", "/trace")).text, token)
    assert.notInclude((await server.control("GET", "/events")).text, token)
  })

  it("A served world answers with the status, headers and refusals of the service", async () => {
    const server = await startServer()
    const answer = await fetch(`${server.origin}${api}/me`, { headers: { authorization: "Bearer nobody" } })
    assert.strictEqual(answer.status, 401)
    assert.isNotNull(answer.headers.get("service-request-id"))
    assert.strictEqual((await server.ask("GET", "/nowhere")).body.error, "NOT_FOUND")
    const twice = await server.ask("POST", `${api}/connections`, '{"agentName":"a","agentName":"b","client":"c"}')
    assert.strictEqual(twice.status, 400)
    assert.include(twice.text, "twice")
    const reference = await server.ask("POST", `${api}/connections`, { agentName: "${x}", client: "c/1" })
    assert.strictEqual(reference.status, 201)
    for (const name of ["operator", "hooks", "a b", "harbor"]) {
      const named = await server.ask("GET", `${api}/capabilities`, undefined, { "simulator-actor": name })
      assert.strictEqual(named.status, 400)
    }
    const large = await server.ask("POST", `${api}/connections`, `"${"x".repeat(3_100_000)}"`)
    assert.strictEqual(large.body.error, "REQUEST_TOO_LARGE")
  })

  it("A served world refuses invalid headers as the service does", async () => {
    const server = await startServer()
    const token = await server.connect("courier", "sam", { role: "SUPPLIER", actions: ["SUBMIT_MATERIALS"] })
    assert.strictEqual(
      await statusWith(server, { Authorization: [`Bearer ${token}`, "Bearer other"] }, `${api}/me`),
      400
    )
    const start = (type: string) =>
      server.ask("POST", `${api}/connections`, { agentName: "scout", client: "c/1" }, { "content-type": type })
    assert.strictEqual((await start("application/json; charset=utf-8")).status, 201)
    assert.strictEqual((await start("application/json; charset=iso-8859-1")).status, 400)
  })

  it("Virtual time advances to the millisecond, with the number of fired timers, and never goes back", async () => {
    const server = await startServer()
    const { body } = await server.control("POST", "/clock/advance", { by: "1h" })
    assert.strictEqual(body.now, "2026-01-05T10:00:00.000Z")
    assert.isAbove(body.fired, 700)
    const until = await server.control("POST", "/clock/advance", { until: "2026-01-05T10:00:00.001Z" })
    assert.strictEqual(until.body.now, "2026-01-05T10:00:00.001Z")
    const back = await server.control("POST", "/clock/advance", { until: "2026-01-05T10:00:00.000Z" })
    assert.strictEqual(back.body.error, "INVALID_REQUEST")
  })

  it("A webhook reaches an external program, which may call the service before it answers", async () => {
    const server = await startServer()
    const { courier, project } = await createAgreementInWorld(server)
    const received: Array<any> = []
    const program = await startProgram(async (event, headers) => {
      const read = await server.ask("GET", `${api}/projects/${project}`, undefined, bearer(courier))
      received.push({ type: event.type, state: read.body.project.state, signature: headers["service-signature"] })
      return 204
    })
    cleanups.push(program.stop)
    await server.control("PUT", "/receivers/hooks/program", { url: program.url })
    const made = await server.step({
      as: "courier",
      do: "createWebhook",
      input: {
        target: "${hooks.target}",
        projectIds: [project],
        eventTypes: ["agreement.confirmed"],
        expiresAt: "2026-02-01T09:00:00.000Z"
      }
    })
    assert.strictEqual(made.body.answer.status, 201)
    const responded = await server.step({ ...acceptTermsStep, on: project })
    assert.strictEqual(responded.body.answer.body.project.state, "LOCKED")
    assert.strictEqual(received.length, 1)
    assert.deepInclude(received[0], { type: "agreement.confirmed", state: "LOCKED" })
    assert.match(received[0].signature, /^v1=/)
    assert.include((await server.control("GET", "/trace")).text, `"answer":204`)
  })

  it("A request that waits for an external program is refused after the timeout, with the name of the program", async () => {
    const server = await startServer({}, 0.1)
    const { project } = await createAgreementInWorld(server)
    const program = await startProgram(() => new Promise<number>(() => {}))
    cleanups.push(program.stop)
    // This program never answers.
    server.worlds.get("default")!.live.callProgram = () => {}
    await server.step({ as: "operator", do: "attachProgram", input: { receiver: "hooks" } })
    const input = {
      target: "${hooks.target}",
      projectIds: [project],
      eventTypes: ["agreement.confirmed"],
      expiresAt: "2026-02-01T09:00:00.000Z"
    }
    await server.step({ as: "courier", do: "createWebhook", input })
    const responded = await server.step({ ...acceptTermsStep, on: project })
    assert.strictEqual(responded.body.error, "TIME_STANDS_STILL")
    const moved = await server.control("POST", "/clock/advance", { by: "1m" })
    assert.strictEqual(moved.status, 409)
    assert.match(moved.body.standing[0], /^the answer of hooks/)
    const rewound = await server.control("POST", "/rewind", { to: 0 })
    assert.strictEqual(rewound.body.error, "NOT_AT_REST")
    assert.include(rewound.body.inFlight, "respond of courier")
  })

  it("A held request is overtaken by a pause", async () => {
    const server = await startServer()
    const { courier, project } = await createAgreementInWorld(server)
    await server.control("POST", "/hold", { of: "courier" })
    const responding = server.step({ ...acceptTermsStep, on: project })
    const paused = await untilHeld(server)
    assert.include(paused, "respond of courier, which is held back")
    const stopped = await server.step({ as: "dana", do: "pauseProject", on: project, input: { reason: "Wait." } })
    assert.isNull(stopped.body.ended)
    assert.strictEqual((await server.control("POST", "/release", { of: "courier" })).body.requests, 1)
    assert.strictEqual((await responding).body.answer.body.error, "AGENT_PAUSED")
    const read = await server.ask("GET", `${api}/projects/${project}`, undefined, bearer(courier))
    assert.strictEqual(read.body.project.state, "AWAITING_SUPPLIER")
  })

  it("A retry with the same request id returns the lost answer as a replay", async () => {
    const server = await startServer()
    const { scout, project } = await createAgreementInWorld(server)
    const view = await server.ask("GET", `${api}/projects/${project}`, undefined, bearer(scout))
    const { headEventHash } = view.body.project
    const body = {
      expectedEventHash: headEventHash,
      automationRevision: view.body.automation.revision,
      input: { requestId: "11111111-1111-4111-8111-111111111111", reason: "A person has to look." }
    }
    await server.step({ inject: { of: "scout", lost: "answer" } })
    const lost = fetch(`${server.origin}${api}/projects/${project}/handoff`, {
      method: "POST",
      headers: { ...bearer(scout), "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(300)
    }).then(
      () => "answered",
      (error: Error) => error.name
    )
    assert.strictEqual(await lost, "TimeoutError")
    const again = await server.ask("POST", `${api}/projects/${project}/handoff`, body, bearer(scout))
    assert.strictEqual(again.status, 200)
    assert.isTrue(again.body.replayed)
  })

  it("A crashed process closes the connection without an answer", async () => {
    const server = await startServer()
    const { courier, project } = await createAgreementInWorld(server)
    await server.step({ inject: { of: "courier", crash: "before-commit" } })
    const crashed = await server.step({ ...acceptTermsStep, on: project })
    assert.isUndefined(crashed.body.answer)
    await server.step({ inject: { of: "courier", crash: "before-commit" } })
    const failed = await server
      .ask("POST", `${api}/drafts`, { requestId: "11111111-1111-4111-8111-111111111111" }, bearer(courier))
      .catch((error: Error) => error.name)
    // A refused request has no commit to crash at, so it is answered.
    assert.isTrue(failed === "TypeError" || (failed as { status: number }).status >= 400)
    const read = await server.ask("GET", `${api}/projects/${project}`, undefined, bearer(courier))
    assert.strictEqual(read.body.project.state, "AWAITING_SUPPLIER")
  })
})

describe("several worlds of one server", () => {
  it("Worlds with the same seed have equal ids, and are isolated from each other", async () => {
    const server = await startServer()
    const make = async (wanted: object) => (await server.ask("POST", "/sim/worlds", wanted)).body
    const [one, other, third] = [await make({}), await make({}), await make({ seed: 7 })]
    assert.deepStrictEqual(one.organizations, other.organizations)
    assert.notDeepEqual(one.organizations, third.organizations)
    const { courier, project } = await createAgreementInWorld(server, one.id)
    const there = await server.ask("GET", `${api}/projects/${project}`, undefined, bearer(courier, one.id))
    assert.strictEqual(there.status, 200)
    const elsewhere = await server.ask("GET", `${api}/projects/${project}`, undefined, bearer(courier, other.id))
    assert.strictEqual(elsewhere.status, 401)
    const byPath = await server.ask("GET", `/sim/worlds/${one.id}/service${api}/me`, undefined, bearer(courier))
    assert.strictEqual(byPath.status, 200)
    assert.strictEqual((await server.ask("DELETE", `/sim/worlds/${other.id}`)).status, 200)
    assert.strictEqual((await server.control("GET", "", undefined, other.id)).status, 404)
  })

  it("A fork and a rewind result in the same trace, byte by byte", async () => {
    const server = await startServer()
    const { project } = await createAgreementInWorld(server)
    const before = (await server.control("GET", "/trace")).text
    await server.control("POST", "/snapshots", { name: "agreed" })
    await server.step({ ...acceptTermsStep, on: project })
    const after = (await server.control("GET", "/trace")).text
    const { body: fork } = await server.control("POST", "/fork", { from: "agreed" })
    assert.strictEqual((await server.control("GET", "/trace", undefined, fork.id)).text, before)
    await server.step({ ...acceptTermsStep, on: project }, fork.id)
    assert.strictEqual((await server.control("GET", "/trace", undefined, fork.id)).text, after)
    await server.control("POST", "/rewind", { to: "agreed" })
    assert.strictEqual((await server.control("GET", "/trace")).text, before)
    await server.step({ ...acceptTermsStep, on: project })
    assert.strictEqual((await server.control("GET", "/trace")).text, after)
    const lines = before.split("\n").length - 1
    assert.strictEqual((await server.control("GET", `/trace?from=${lines}`)).text, after.slice(before.length))
  })

  it("The events of a world are extended by its new trace lines, and begin anew after a rewind", async () => {
    const server = await startServer()
    const eventsFrom = async (from: number) => (await server.control("GET", `/events?from=${from}`)).body.events
    const world = server.worlds.get("default")!
    await server.step({ as: "dana", do: "signIn" })
    const before = await eventsFrom(0)
    const [first] = world.events
    await server.step({ as: "sam", do: "signIn" })
    const added = await eventsFrom(before.length)
    assert.deepStrictEqual(await eventsFrom(0), [...before, ...added])
    assert.deepStrictEqual(await eventsFrom(0), eventsOf(readTrace((await server.control("GET", "/trace")).text)))
    assert.strictEqual(world.events[0], first, "earlier events are not computed again")
    const { events, verdict } = (await server.control("GET", "")).body
    assert.deepStrictEqual([events, verdict], [before.length + added.length, "UNDER WAY"])
    assert.deepStrictEqual(await eventsFrom(events), [])
    const { text, actor, step } = added[0]
    assert.deepStrictEqual([text, actor, step], ["step 2 sam signIn", "sam", 2])
    await server.control("POST", "/rewind", { to: 1 })
    assert.deepStrictEqual(await eventsFrom(0), before)
    assert.notStrictEqual(world.events[0], first)
    const refused = await server.control("GET", "/events?from=-1")
    assert.deepStrictEqual([refused.status, refused.body.error], [400, "INVALID_REQUEST"])
    assert.include(refused.body.detail, "from: ")
  })

  it("A world can be created from a scenario and run its steps", async () => {
    const server = await startServer()
    const scenario = "scenario: Small\ngiven:\n  visitors: { iris: Iris }\nsteps:\n  - { as: iris, do: capabilities }\n"
    const played = await server.ask("POST", "/sim/worlds", { scenario, play: true })
    assert.strictEqual(played.body.steps, 1)
    const broken = await server.ask("POST", "/sim/worlds", { scenario: "scenario: Broken\nsteps: 3\n" })
    assert.strictEqual(broken.body.error, "INVALID_SCENARIO")
    assert.include(broken.body.detail, "scenario:2:8")
  })
})

describe("control API", () => {
  it("The control API refuses foreign hosts, foreign origins and other content types than JSON", async () => {
    const server = await startServer()
    assert.strictEqual(await statusWith(server, { host: "evil.example" }), 421)
    assert.strictEqual(await statusWith(server, { host: "127.0.0.1.evil.example" }), 421)
    assert.strictEqual(await statusWith(server, { origin: "http://evil.example" }), 403)
    assert.strictEqual(await statusWith(server, { origin: "null" }), 403)
    assert.strictEqual(await statusWith(server, { origin: server.origin }), 200)
    assert.strictEqual(await statusWith(server, { host: `localhost:${new URL(server.origin).port}` }), 200)
    const form = await server.ask("POST", "/sim/worlds", "{}", { "content-type": "text/plain" })
    assert.strictEqual(form.body.error, "UNSUPPORTED_TYPE")
    const away = await server.control("PUT", "/receivers/hooks/program", { url: "http://example.com/" })
    assert.strictEqual(away.body.error, "INVALID_REQUEST")
  })

  it("The server has a page, a timeline and a story", async () => {
    const server = await startServer()
    for (const path of ["/sim/", "/sim/worlds/default/timeline"]) {
      const page = await server.ask("GET", path)
      assert.strictEqual(page.status, 200)
      assert.include(page.text, "<!doctype html>")
    }
    assert.include((await server.control("GET", "/story")).text, "A session with the simulator")
  })

  it("A step with several problems is refused with all of them, and has no effect", async () => {
    const server = await startServer()
    const wrong = await server.step({ as: "dana", do: "grantAgent", input: { agent: "scout" }, on: "nothing" })
    assert.strictEqual(wrong.status, 400)
    assert.isAbove(wrong.body.problems.length, 1)
    const input = { agent: "scout", role: "BUYER", actions: ["CREATE_PROJECT"] }
    assert.strictEqual((await server.step({ as: "dana", do: "grantAgent", input })).body.ended, null)
  })

  it("An unexpected answer is reported, and the world continues", async () => {
    const server = await startServer()
    const other = await server.step({ as: "dana", do: "me", expect: { status: 200 } })
    assert.strictEqual(other.status, 400)
    const visited = await server.ask("GET", `${api}/capabilities`, undefined, { "simulator-actor": "iris" })
    assert.strictEqual(visited.status, 200)
    const { body } = await server.step({ as: "iris", do: "me", expect: { status: 200 } })
    assert.strictEqual(body.ended.verdict, "FAILED")
    assert.strictEqual(body.ended.differences[0].actual, 401)
  })

  it("Malformed requests to the control API are refused with 4xx", async () => {
    const server = await startServer()
    const paths = [
      "",
      "/steps",
      "/clock/advance",
      "/snapshots",
      "/fork",
      "/rewind",
      "/hold",
      "/release",
      "/nothing",
      "/%ff",
      "/receivers/x/program",
      "/receivers/%E0%A4%A/program"
    ]
    const bodies = [
      "",
      "{",
      "null",
      "[]",
      "3",
      '"x"',
      "{}",
      '{"by":1}',
      '{"by":"-1s"}',
      '{"by":"99999999999d"}',
      '{"until":"never"}',
      '{"name":""}',
      '{"name":"a b"}',
      '{"from":-1}',
      '{"to":"${x}"}',
      '{"of":"__proto__"}',
      '{"url":"x"}',
      '{"__proto__":{}}',
      '{"do":"signIn","as":"__proto__"}',
      '{"as":"dana","do":"constructor"}',
      '{"as":"dana","send":{"method":"GET","path":"//"}}',
      '{"as":"dana","send":{"method":"GET","path":"/\\u0000"}}',
      '{"inject":{"of":"dana"}}',
      '{"say":1}',
      '{"together":[]}',
      '{"retry":"x"}',
      '{"outside":[{"receiver":"hooks","answers":200}]}',
      "\u0000"
    ]
    for (const path of paths) {
      for (const body of bodies) {
        for (const method of ["POST", "PUT", "PATCH"]) {
          const { status, text } = await server.ask(method, `/sim/worlds/default${path}`, body)
          assert.isBelow(status, 500, `${method} ${path} ${body}: ${text}`)
        }
      }
    }
    for (const query of ["-1", "x", "1e99", "", "9".repeat(400)]) {
      for (const path of ["trace", "events"]) {
        assert.isBelow((await server.control("GET", `/${path}?from=${query}`)).status, 500)
      }
    }
    assert.strictEqual((await server.control("GET", "")).status, 200)
  })
})

const untilHeld = async (server: TestServer): Promise<ReadonlyArray<string>> => {
  for (;;) {
    const { standing } = (await server.control("GET", "")).body
    if (standing.length > 0) return standing
  }
}
