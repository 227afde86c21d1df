/** What a server does where something ends: going back, a world or the server that is ended, and what is let into none. */
import * as http from "node:http"
import { afterEach, assert, describe, it } from "vitest"
import { startProgram, statusWith, TestServer } from "../support/serving.ts"

const toStop: Array<() => unknown> = []
afterEach(async () => {
  for (const stop of toStop.splice(0)) await stop()
})

const started = async (...parameters: Parameters<typeof TestServer.start>): Promise<TestServer> => {
  const server = await TestServer.start(...parameters)
  toStop.push(server.stop)
  return server
}

const api = "/api/agents/v1"

describe("going back", () => {
  it("shows what is, not what was, where as much was observed", async () => {
    const server = await started()
    await server.step({ as: "dana", do: "signIn" })
    const [trace, page] = [await server.control("GET", "/trace"), await server.control("GET", "/timeline")]
    const { length } = server.worlds.get("default")!.live.session.observations
    await server.control("POST", "/rewind", { to: 0 })
    await server.step({ as: "sam", do: "signIn" })
    assert.strictEqual(server.worlds.get("default")!.live.session.observations.length, length)
    assert.notStrictEqual((await server.control("GET", "/trace")).text, trace.text)
    assert.notStrictEqual((await server.control("GET", "/timeline")).text, page.text)
  })

  it("keeps holding, and shows no program that is not there yet", async () => {
    const server = await started()
    const program = await startProgram(async () => 204)
    toStop.push(program.stop)
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

describe("a world that ends", () => {
  it("ends what is under way in it, and answers whoever waits", async () => {
    const server = await started()
    const { id } = (await server.ask("POST", "/sim/worlds", {})).body
    const { live } = server.worlds.get(id)!
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

  it("ends with its server, which waits for nobody", async () => {
    const server = await TestServer.start()
    const { live } = server.worlds.get("default")!
    const moving = server.control("POST", "/clock/advance", { by: "3650d" })
    while (live.inFlight.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await server.stop()
    assert.strictEqual((await moving).body.error, "WORLD_ENDED")
    assert.isTrue(live.isAtRest)
  })

  it("hides no other where its time is past all that has a name", async () => {
    const server = await started()
    const { id } = (await server.ask("POST", "/sim/worlds", {})).body
    Object.defineProperty(server.worlds.get(id)!.live.session.kernel, "now", { value: 9e15 })
    const { status, body } = await server.ask("GET", "/sim/worlds")
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(
      body.worlds.map(({ now }: { now: string | null }) => now),
      ["2026-01-05T09:00:00.000Z", null]
    )
    assert.strictEqual((await server.control("GET", "", undefined, id)).status, 200)
  })
})

describe("what comes in", () => {
  it("is refused at once where it is too large, with its length and without", async () => {
    const server = await started()
    for (const path of ["/sim/worlds", "/sim/stop", `${api}/connections`]) {
      for (const headers of [{ "content-length": "70000000" }, { "transfer-encoding": "chunked" }]) {
        assert.strictEqual(await statusOfEndless(server, path, headers), 413, path)
      }
    }
  })

  it("comes into no world from a page of another site", async () => {
    const server = await started()
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
    assert.strictEqual(server.worlds.get("default")!.live.session.kept.length, 0)
    const own = [{}, { origin: server.origin }, { origin: "null", "sec-fetch-site": "same-origin" }]
    for (const headers of own) assert.notStrictEqual(await statusWith(server, headers, "/"), 403)
    assert.strictEqual(server.worlds.get("default")!.live.session.kept.length, own.length)
  })
})

/** Of a body that never ends, and is larger than anybody takes. */
const statusOfEndless = (server: TestServer, path: string, headers: http.OutgoingHttpHeaders) =>
  new Promise<number | undefined>((resolve, reject) => {
    const asked = http.request(
      `${server.origin}${path}`,
      { method: "POST", headers: { "content-type": "application/json", ...headers } },
      (answer) => {
        resolve(answer.statusCode)
        asked.destroy()
      }
    )
    asked.on("error", reject)
    asked.write("x".repeat(4_000_001))
  })
