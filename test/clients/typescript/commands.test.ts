/** What the TypeScript client does with commands: saved bytes, retries, refusals, new plans, waits for people. */
import { assert, describe, it } from "vitest"
import { Countersign, type Decision } from "../../../clients/typescript/client.ts"
import { OutcomeUnknown, Refused } from "../../../clients/typescript/outcome.ts"
import { MemoryStore } from "../../../clients/typescript/store.ts"
import { refusalOf, type ScriptedAnswer, scriptedClient, type SentRequest, viewOf } from "./scripted-service.ts"

const handOff: Decision<"handoff"> = { reason: "A person has to look." }

/** Reads are answered with the views in turn, commands with the answers in turn; the last one repeats. */
const inTurn = (views: ReadonlyArray<ScriptedAnswer>, answers: ReadonlyArray<ScriptedAnswer>) => {
  return ({ method }: SentRequest, before: ReadonlyArray<SentRequest>): ScriptedAnswer => {
    const list = method === "GET" ? views : answers
    return list[Math.min(before.filter((one) => one.method === method).length, list.length - 1)]!
  }
}

const posts = (sent: ReadonlyArray<SentRequest>) => sent.filter(({ method }) => method === "POST")
const requestIdOf = ({ body }: SentRequest): string => JSON.parse(body!).input.requestId

describe("A command of the TypeScript client", () => {
  it("is saved before its first send, and forgotten once it is answered", async () => {
    const { client, sent, store } = scriptedClient(inTurn([viewOf()], [viewOf({ head: "b" })]))
    const outcome = await client.command("delivery_1", "handoff", () => handOff)
    assert.strictEqual(outcome.kind, "COMMITTED")
    const [post] = posts(sent)
    assert.deepStrictEqual(post!.saved, [`request-${requestIdOf(post!)}`])
    assert.deepStrictEqual(await store.names("request-"), [])
    assert.deepInclude(JSON.parse(post!.body!), { expectedEventHash: "a".repeat(64), automationRevision: 0 })
  })

  it.each([
    ["a lost answer", "LOST"],
    ["the page of a proxy", "<html>Bad Gateway</html>"],
    ["JSON that is not the service's", { status: 500, body: { message: "oops" } }]
  ])("is sent again as the same bytes after %s, with growing pauses", async (_, failure) => {
    const { client, sent, clock } = scriptedClient(inTurn([viewOf()], [failure, failure, viewOf({ head: "b" })]))
    assert.strictEqual((await client.command("delivery_1", "handoff", () => handOff)).kind, "COMMITTED")
    assert.lengthOf(posts(sent), 3)
    assert.lengthOf([...new Set(posts(sent).map(({ body }) => body))], 1)
    assert.deepStrictEqual(clock.waits, [2, 4])
  })

  it("waits for Retry-After after 503, and sends the same bytes", async () => {
    const busy = refusalOf(503, "TEMPORARILY_UNAVAILABLE", "RETRY_SAVED_REQUEST", { "retry-after": "17" })
    const { client, sent, clock } = scriptedClient(inTurn([viewOf()], [busy, viewOf()]))
    await client.command("delivery_1", "handoff", () => handOff)
    assert.deepStrictEqual(clock.waits, [17])
    assert.lengthOf([...new Set(posts(sent).map(({ body }) => body))], 1)
  })

  it("is an unknown outcome after the last send, stays saved, and is sent again by the next run", async () => {
    const store = new MemoryStore()
    const first = scriptedClient(inTurn([viewOf()], ["LOST"]), { store })
    const failure = await first.client.command("delivery_1", "handoff", () => handOff).catch((error: unknown) => error)
    assert.instanceOf(failure, OutcomeUnknown)
    assert.strictEqual(failure.code, "OUTCOME_UNKNOWN")
    assert.lengthOf(posts(first.sent), 4)

    const second = scriptedClient(inTurn([], [viewOf()]), { store })
    await second.client.resume()
    assert.deepStrictEqual(
      second.sent.map(({ path, body }) => [path, body]),
      [[posts(first.sent)[0]!.path, posts(first.sent)[0]!.body]]
    )
    assert.deepStrictEqual(await store.names("request-"), [])
  })

  it.each([
    ["STALE_EVENT_HEAD", "REREAD_PROJECT"],
    ["AGENT_CHANGED_REFRESH_REQUIRED", "REREAD_PROJECT"],
    ["REQUEST_ID_CONFLICT", "USE_NEW_REQUEST_ID"]
  ])("is decided again on a new reading after %s, under a new request id", async (error, nextAction) => {
    const views = [viewOf(), viewOf({ head: "b", revision: 2 })]
    const { client, sent } = scriptedClient(inTurn(views, [refusalOf(409, error, nextAction), viewOf({ head: "c" })]))
    const heads: Array<string> = []
    await client.command("delivery_1", "handoff", ({ project }) => (heads.push(project.headEventHash[0]!), handOff))
    assert.deepStrictEqual(heads, ["a", "b"])
    const [one, other] = posts(sent)
    assert.notStrictEqual(requestIdOf(one!), requestIdOf(other!))
    assert.deepInclude(JSON.parse(other!.body!), { expectedEventHash: "b".repeat(64), automationRevision: 2 })
  })

  it("is not sent where the new reading leaves nothing to do", async () => {
    const stale = refusalOf(409, "STALE_EVENT_HEAD", "REREAD_PROJECT")
    const { client, sent } = scriptedClient(inTurn([viewOf(), viewOf({ state: "SUBMITTED" })], [stale]))
    const outcome = await client.command("delivery_1", "handoff", ({ project }) =>
      project.state === "LOCKED" ? handOff : undefined
    )
    assert.strictEqual(outcome.kind, "NOTHING_TO_DO")
    assert.lengthOf(posts(sent), 1)
  })

  it("is decided at most ten times", async () => {
    const { client, sent } = scriptedClient(inTurn([viewOf()], [refusalOf(409, "STALE_EVENT_HEAD", "REREAD_PROJECT")]))
    const failure = await client.command("delivery_1", "handoff", () => handOff).catch((error: unknown) => error)
    assert.instanceOf(failure, Refused)
    assert.lengthOf(posts(sent), 10)
  })

  it("is not sent again, also by the next run, after a refusal whose next step is not the client's", async () => {
    const { client, sent, store } = scriptedClient(
      inTurn([viewOf()], [refusalOf(409, "DELIVERY_DEADLINE_PASSED", "REQUEST_DATE_CHANGE")])
    )
    const failure = await client.command("delivery_1", "handoff", () => handOff).catch((error: unknown) => error)
    assert.instanceOf(failure, Refused)
    assert.strictEqual(failure.nextAction, "REQUEST_DATE_CHANGE")
    assert.lengthOf(posts(sent), 1)
    assert.deepStrictEqual(await store.names("request-"), [])
  })
})

describe("Waiting for a person", () => {
  it("No command is sent while agents are paused.", async () => {
    const { client, sent } = scriptedClient(inTurn([viewOf({ paused: true })], [viewOf()]))
    assert.strictEqual((await client.command("delivery_1", "handoff", () => handOff)).kind, "WAIT_FOR_PERSON")
    assert.lengthOf(posts(sent), 0)
  })

  it.each([
    ["a person", "WAIT_FOR_HUMAN"],
    ["the other party", "WAIT_FOR_OTHER_PARTY"]
  ])("No command is sent whose action the view says is blocked until %s acts.", async (_, nextAction) => {
    const humanUrl = "https://service.test/sign"
    const blocked = [{ action: "RAISE_CONCERN", nextAction, reason: "Sign first.", humanUrl }]
    const { client, sent } = scriptedClient(inTurn([viewOf({ blocked })], [viewOf()]))
    const concern = { agreementDigest: "d", confirmationId: "c", reason: "r" } as unknown as Decision<"concern">
    const outcome = await client.command("delivery_1", "concern", () => concern)
    assert.deepInclude(outcome, { kind: "WAIT_FOR_PERSON" })
    assert.deepInclude("step" in outcome ? outcome.step : {}, { reason: "Sign first.", humanUrl })
    assert.lengthOf(posts(sent), 0)
  })

  it("The person is told once, and the project is read with growing pauses until agents are resumed.", async () => {
    const paused = viewOf({ paused: true })
    const me = { status: 200, body: { expiresAt: "2026-03-20T09:00:00.000Z" } }
    const { client, clock, texts } = scriptedClient(({ path }, before) => {
      if (path.endsWith("/me")) return me
      return before.filter((one) => one.path === path).length < 5 ? paused : viewOf()
    })
    await client.commandOrWait("delivery_1", "handoff", () => handOff)
    assert.deepStrictEqual(clock.waits, [60, 120, 240, 480, 900])
    assert.lengthOf(texts, 1)
  })

  it("The person is told once, a day before the credential expires.", async () => {
    const { client, texts } = scriptedClient(() => ({ status: 200, body: { expiresAt: "2026-03-03T10:00:00.000Z" } }))
    for (let hour = 0; hour < 5; hour++) await client.waitForNews(3600)
    assert.deepStrictEqual(texts, ["My access ends on 2026-03-03T10:00:00.000Z. Please renew it if I am to continue."])
  })
})

describe("The credential", () => {
  const unauthorized = refusalOf(401, "AUTH_INVALID", "ASK_OWNER_TO_REAUTHORIZE")

  it("After 401 the same bytes are sent once more with the credential that a person gave the agent.", async () => {
    const answer = ({ method, token }: SentRequest) =>
      method === "GET" || token === "token-2" ? viewOf() : unauthorized
    const { client, sent, store } = scriptedClient(answer, { credential: "token-2" })
    assert.strictEqual((await client.command("delivery_1", "handoff", () => handOff)).kind, "COMMITTED")
    assert.deepStrictEqual(
      posts(sent).map(({ token }) => token),
      ["token-1", "token-2"]
    )
    assert.strictEqual(posts(sent)[0]!.body, posts(sent)[1]!.body)
    assert.strictEqual(await store.read("token"), "token-2")
  })

  it("A credential that was refused is not sent again, also by the next run.", async () => {
    const store = new MemoryStore()
    const first = scriptedClient(() => unauthorized, { store })
    assert.instanceOf(await first.client.me().catch((error: unknown) => error), Refused)
    const second = scriptedClient(() => unauthorized, { store })
    assert.instanceOf(await second.client.me().catch((error: unknown) => error), Refused)
    assert.lengthOf(second.sent, 0)
  })

  it("A token goes to no http address but this machine's.", () => {
    const { client } = scriptedClient(() => "LOST")
    const clientAt = (baseUrl: string) => () => new Countersign({ ...client.options, baseUrl })
    for (const url of ["http://service.test", "ftp://127.0.0.1"]) assert.throws(clientAt(url), "https only")
    for (const url of ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:1"]) clientAt(url)()
  })
})
