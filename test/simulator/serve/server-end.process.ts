/** The server at the end of worlds and requests: rewind, deletion, shutdown, and refused requests. */
import * as http from "node:http"
import { afterEach, assert, describe, it } from "vitest"
import { startProgram, statusWith, TestServer } from "../../support/simulator-server.ts"

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

/** A worker whose clock differs runs every pass, so that an advance by ten years is pending for minutes. */
const slowAdvance = { as: "operator", do: "setClock", input: { process: "worker", offset: "+400ms" } }

describe("rewind", () => {
  it("After a rewind the trace and the timeline show the new history, even if its length is equal", async () => {
    const server = await startServer()
    await server.step({ as: "dana", do: "signIn" })
    const [trace, page] = [await server.control("GET", "/trace"), await server.control("GET", "/timeline")]
    const { length } = server.worlds.get("default")!.live.session.observations
    await server.control("POST", "/rewind", { to: 0 })
    await server.step({ as: "sam", do: "signIn" })
    assert.strictEqual(server.worlds.get("default")!.live.session.observations.length, length)
    assert.notStrictEqual((await server.control("GET", "/trace")).text, trace.text)
    assert.notStrictEqual((await server.control("GET", "/timeline")).text, page.text)
  })

  it("A rewind keeps held actors, and removes programs attached later", async () => {
    const server = await startServer()
    const program = await startProgram(async () => 204)
    cleanups.push(program.stop)
    await server.control("PUT", "/receivers/hooks/program", { url: program.url })
    await server.control("POST", "/hold", { of: "dana" })
    const before = (await server.control("GET", "")).body
    assert.strictEqual(before.receivers[0].program, program.url)
    await server.control("POST", "/rewind", { to: 0 })
    const after = (await server.control("GET", "")).body
    assert.isNull(after.receivers[0].program)
    assert.deepStrictEqual(after.holding, ["dana"])
    await server.control("PUT", "/receivers/hooks/program", { url: program.url })
    assert.strictEqual((await server.control("GET", "")).body.receivers[0].program, program.url)
  })
})

describe("end of a world", () => {
  it("The deletion of a world answers its pending requests with WORLD_ENDED", async () => {
    const server = await startServer()
    const { id } = (await server.ask("POST", "/sim/worlds", {})).body
    const { live } = server.worlds.get(id)!
    await server.step(slowAdvance, id)
    const moving = server.control("POST", "/clock/advance", { by: "3650d" }, id)
    while (live.inFlight.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const asking = server.ask("GET", `${api}/capabilities`, undefined, { "simulator-world": id })
    while (live.inFlight.length < 2) await new Promise((resolve) => setImmediate(resolve))
    await server.ask("DELETE", `/sim/worlds/${id}`)
    for (const answer of [await moving, await asking]) {
      assert.strictEqual(answer.status, 409)
      assert.strictEqual(answer.body.error, "WORLD_ENDED")
    }
    assert.strictEqual((await server.control("POST", "/clock/advance", { by: "1h" })).status, 200)
  })

  it("The shutdown of the server ends its worlds without waiting for pending requests", async () => {
    const server = await TestServer.start()
    const { live } = server.worlds.get("default")!
    await server.step(slowAdvance)
    const moving = server.control("POST", "/clock/advance", { by: "3650d" })
    while (live.inFlight.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await server.stop()
    assert.strictEqual((await moving).body.error, "WORLD_ENDED")
    assert.isTrue(live.isAtRest)
  })

  it("A world whose time is out of range does not hide the other worlds", async () => {
    const server = await startServer()
    const { id } = (await server.ask("POST", "/sim/worlds", {})).body
    Object.defineProperty(server.worlds.get(id)!.live.session.scheduler, "now", { value: 9e15 })
    const { status, body } = await server.ask("GET", "/sim/worlds")
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(
      body.worlds.map(({ now }: { now: string | null }) => now),
      ["2026-01-05T09:00:00.000Z", null]
    )
    assert.strictEqual((await server.control("GET", "", undefined, id)).status, 200)
  })
})

describe("incoming requests", () => {
  it("An oversized body is refused immediately, with and without a declared length", async () => {
    const server = await startServer()
    for (const path of ["/sim/worlds", "/sim/stop", `${api}/connections`]) {
      for (const headers of [{ "content-length": "70000000" }, { "transfer-encoding": "chunked" }]) {
        assert.strictEqual(await statusOfEndless(server, path, headers), 413, path)
      }
    }
  })

  it("A cross-site request reaches no world", async () => {
    const server = await startServer()
    const foreign = [
      { "sec-fetch-site": "cross-site" },
      { origin: "http://evil.example" },
      { origin: "null" },
      { origin: "http://evil.example", "sec-fetch-site": "same-site" }
    ]
    for (const headers of foreign) {
      for (const path of ["/", "/sim/worlds/default/service/"]) {
        assert.strictEqual(await statusWith(server, headers, path), 403)
      }
    }
    assert.strictEqual(server.worlds.get("default")!.live.session.storedSteps.length, 0)
    const own = [{}, { origin: server.origin }, { origin: "null", "sec-fetch-site": "same-origin" }]
    for (const headers of own) assert.notStrictEqual(await statusWith(server, headers, "/"), 403)
    assert.strictEqual(server.worlds.get("default")!.live.session.storedSteps.length, own.length)
  })
})

/** The status of a request with an unfinished body above the limit. */
const statusOfEndless = (server: TestServer, path: string, headers: http.OutgoingHttpHeaders) =>
  new Promise<number | undefined>((resolve, reject) => {
    const request = http.request(
      `${server.origin}${path}`,
      { method: "POST", headers: { "content-type": "application/json", ...headers } },
      (answer) => {
        resolve(answer.statusCode)
        request.destroy()
      }
    )
    request.on("error", reject)
    request.write("x".repeat(4_000_001))
  })
