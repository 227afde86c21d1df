/** The facts of requests by which properties judge agents, and the references that name what an agent was told. */
import { afterEach, assert, describe, it } from "vitest"
import type { Moment } from "../../../simulator/properties/property.ts"
import { requestIn, tellIn } from "../../../simulator/scenario/properties/subjects.ts"
import { LiveSession } from "../../../simulator/scenario/live.ts"
import { defaultWorldDefinition } from "../../../simulator/serve/default-world.ts"
import { bearer, TestServer } from "../../support/simulator-server.ts"

const cleanups: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean()
})

const start = { as: "courier", do: "startConnection", input: { agentName: "Courier", client: "a test" } }
const poll = { as: "courier", do: "pollConnection" }

const sessionAfter = async (...steps: ReadonlyArray<object>): Promise<LiveSession> => {
  const live = new LiveSession(defaultWorldDefinition, [], { acceptsAnyResponse: true })
  live.session.introduceVisitor("courier", "An agent without a credential")
  for (const step of steps) await live.submit(step).outcome
  return live
}

/** The facts of each request of an operation. */
const factsOf = ({ session }: LiveSession, operation: string) =>
  session.observations.flatMap((one) =>
    one.kind === "request" && one.ofSend?.operation === operation ? [one.ofSend] : []
  )

describe("facts of requests", () => {
  it("A poll is early until the interval of the last answer has passed, also after the interval has grown.", async () => {
    const live = await sessionAfter(
      start,
      poll,
      { advance: "2s" },
      poll,
      { advance: "9s" },
      poll,
      { advance: "15s" },
      poll
    )
    assert.deepStrictEqual(
      factsOf(live, "pollConnection").map(({ early }) => early),
      [false, true, true, false]
    )
  })

  it("A step can type the user code that an agent was told last.", async () => {
    const live = await sessionAfter(start, { as: "sam", do: "signIn" })
    const { outcome } = live.submit({ as: "sam", do: "enterUserCode", input: { userCode: "${courier.userCode}" } })
    assert.strictEqual((await outcome).answer?.status, 200)
  })

  it("After a renewal an agent finds its new credential, and the old one is still known to be its own.", async () => {
    const server = await TestServer.start()
    cleanups.push(server.stop)
    const old = await server.connect("courier", "sam", { role: "SUPPLIER", actions: ["SUBMIT_MATERIALS"] })
    const credential = async () => (await server.control("GET", "/agents/courier/credential")).body.token
    assert.strictEqual(await credential(), old)
    await server.step({ as: "sam", do: "listGrants" })
    await server.step({ as: "sam", do: "renewGrant", input: { agent: "courier" } })
    const renewed = await credential()
    assert.notStrictEqual(renewed, old)
    for (const [token, status] of [
      [old, 401],
      [old, 401],
      [renewed, 200]
    ]) {
      assert.strictEqual((await server.ask("GET", "/api/agents/v1/me", undefined, bearer(token))).status, status)
    }
    const { observations } = server.worlds.all[0]!.live.session
    const facts = observations.flatMap((one) =>
      one.kind === "request" && one.actor === "courier" && one.path.endsWith("/me") ? [one.ofSend] : []
    )
    assert.deepStrictEqual(
      facts.map((fact) => fact?.invalidCredential),
      [false, true, false]
    )
  })

  it.each([
    ["as it was issued", (token: string) => token],
    ["as a recording shows it", () => "{token of courier}"]
  ])("A request or a text that holds a bearer token, %s, is known.", async (_, shown) => {
    const server = await TestServer.start()
    cleanups.push(server.stop)
    const token = await server.connect("courier", "sam", { role: "SUPPLIER", actions: ["SUBMIT_MATERIALS"] })
    for (const text of [`It is ${shown(token)}.`, "It is a secret."]) {
      await server.ask("POST", "/api/agents/v1/webhooks", { target: text }, bearer(token))
      await server.control("POST", "/agents/courier/tell", { text })
    }
    const { live } = server.worlds.all[0]!
    const tokens = (kind: "request" | "act") =>
      live.session.observations.flatMap((observed) => {
        const moment = { observed } as Moment
        const item = kind === "request" ? requestIn(moment, { as: "courier" }) : tellIn(moment, { as: "courier" })
        return item === undefined || (kind === "request" && item.value["path"] !== "/api/agents/v1/webhooks")
          ? []
          : [item.value["token"]]
      })
    assert.deepStrictEqual(
      [tokens("request"), tokens("act")],
      [
        [true, false],
        [true, false]
      ]
    )
  })
})
