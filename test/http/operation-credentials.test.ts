import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { actions, isForRole, roles } from "../../src/access/actions.ts"
import { Api } from "../../src/api/agents.ts"
import { assertRefusal } from "../support/errors.ts"
import { personOperations, personRequests, makeAssistant, sendAs } from "../support/person-requests.ts"
import { pageAddresses } from "../support/page-routes.ts"
import { makeAgent, uuid } from "../support/parties.ts"
import { emptyRequests, validRequests } from "../support/requests.ts"
import { everyRow } from "../support/rows.ts"
import { freshTestService, send, siteUrl, type Answer, type SendOptions } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { cookieOf, options } from "../support/workspace.ts"

layer(freshTestService, { excludeTestServices: true })("operations of people", (it) => {
  it.effect("Every operation of people accepts its valid request", () =>
    Effect.gen(function* () {
      const requests = yield* personRequests
      assert.sameMembers(
        requests.map(({ operation }) => operation),
        personOperations.map(({ operation }) => operation)
      )
      for (const request of requests) {
        const answer = yield* sendAs(request)
        assert.strictEqual(answer.status, request.status, `${request.operation} ${answer.text}`)
      }
    })
  )

  it.effect("Every operation of people answers 401 to every other credential, in any place, and changes nothing", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const requests = yield* personRequests
      const agents = yield* Effect.forEach(roles, (role) =>
        makeAgent(
          dana,
          role,
          actions.filter((action) => isForRole(action, role))
        )
      )
      for (const { token } of agents) {
        assert.strictEqual((yield* send("GET", "/api/agents/v1/me", { token })).status, 200)
      }
      const tokens = [...agents.map(({ token }) => token), yield* makeAssistant, dana.token]
      const before = yield* everyRow
      for (const request of requests) {
        const { operation, method, address, body } = request
        const content = body === undefined ? {} : { body }
        for (const token of tokens) {
          const carried = [
            { token, headers: { origin: siteUrl } },
            ...(token === dana.token ? [] : [{ headers: { origin: siteUrl, cookie: cookieOf(token) } }]),
            ...(token === dana.token ? [] : [{ token, headers: { origin: siteUrl, cookie: cookieOf(token) } }])
          ]
          for (const credential of carried) {
            const answer = yield* send(method, address, { ...content, ...credential })
            assert.deepStrictEqual([answer.status, answer.body?.error], [401, "SIGN_IN_REQUIRED"], operation)
            assertRefusal(answer)
          }
        }
      }
      assert.deepStrictEqual(yield* everyRow, before)
      for (const request of requests) {
        // The same request with the right credential is not refused.
        assert.strictEqual((yield* sendAs(request)).status, request.status, request.operation)
      }
    })
  )

  it.effect("A bearer token beside a session is ignored", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { token } = yield* makeAgent(dana, "BUYER", [])
      for (const bearer of [token, dana.token, "nonsense"]) {
        const answer = yield* send("GET", "/api/workspace/session", options(dana, { token: bearer }))
        assert.deepStrictEqual([answer.status, answer.body.personId], [200, dana.personId])
      }
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("pages of people", (it) => {
  it.effect("A page shows an agent the same as an anonymous caller, and the agent changes nothing", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const agent = yield* makeAgent(dana, "BUYER", ["CREATE_PROJECT"])
      yield* send("GET", "/api/agents/v1/me", agent)
      const tokens = [agent.token, yield* makeAssistant]
      const before = yield* everyRow
      const addresses = yield* pageAddresses
      assert.isAtLeast(addresses.length, 10)
      for (const { method, path } of addresses) {
        const sent = method === "*" ? "POST" : (method as "GET" | "POST")
        const address = path.replace("*", "elsewhere").replace(/:\w+/g, (name) => ids[name] ?? "1")
        const form = { origin: siteUrl, "content-type": "application/x-www-form-urlencoded" }
        const content = sent === "GET" ? {} : { raw: "a=b" }
        const shown = (options: SendOptions) =>
          Effect.map(send(sent, address, { ...content, ...options, headers: { ...form, ...options.headers } }), facts)
        const anonymous = yield* shown({})
        assert.include([200, 303, 400, 401, 404], anonymous.status, path)
        for (const token of tokens) {
          const cookie = { headers: { cookie: cookieOf(token) } }
          for (const options of [cookie, { token }, { token, ...cookie }]) {
            assert.deepStrictEqual(yield* shown(options), anonymous, `${sent} ${path}`)
          }
        }
        assert.deepStrictEqual(yield* everyRow, before, `${sent} ${path}`)
      }
    })
  )
})

const ids: Readonly<Record<string, string>> = {
  ":grantId": `grant_${uuid()}`,
  ":connectionId": `connection_${uuid()}`,
  ":projectId": `delivery_${uuid()}`
}

const facts = ({ status, text, headers }: Answer) => ({ status, text, location: headers["location"] })

type Kind = "agent" | "participation" | "session"

/** The operations of agents and assistants that need a credential, taken from the routes. */
const programOperations = ((): ReadonlyArray<readonly [kind: Kind, method: "GET" | "POST", path: string]> => {
  const found: Array<readonly [Kind, "GET" | "POST", string]> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, middleware }) => {
      const [opener] = [...middleware].filter((one) => "security" in one)
      if (opener === undefined) return
      const kind = opener.key === "countersign/access/Bearer" ? "agent" : "participation"
      found.push([kind, endpoint.method === "GET" ? "GET" : "POST", endpoint.path])
    }
  })
  return found
})()

layer(freshTestService, { excludeTestServices: true })("operations of agents and assistants", (it) => {
  it.effect(
    "Every operation of agents and assistants answers 401 to credentials of another kind, in any place, and changes nothing",
    () =>
      Effect.gen(function* () {
        const dana = yield* signInNewPerson("Dana")
        const agent = yield* makeAgent(dana, "BUYER", ["CREATE_PROJECT"])
        yield* send("GET", "/api/agents/v1/me", agent)
        const tokens = { agent: agent.token, participation: yield* makeAssistant, session: dana.token }
        yield* send("GET", "/api/participation/item", { token: tokens.participation })
        const requests = [...(yield* validRequests), ...(yield* emptyRequests)]
        const id = requests
          .map(({ path }) => /delivery_[a-f0-9-]{36}/.exec(path)?.[0])
          .find((one) => one !== undefined)!
        const bodyOf = (path: string) =>
          path.endsWith("/notes")
            ? { requestId: uuid(), text: "Seen." }
            : requests.find(({ template }) => template === path.replace(/:(\w+)/g, "{$1}"))?.body
        const before = yield* everyRow
        assert.sameMembers([...new Set(programOperations.map(([kind]) => kind))], ["agent", "participation"])
        for (const [kind, method, path] of programOperations) {
          const body = bodyOf(path)
          if (method === "POST" && !path.endsWith("/standard-record")) assert.isDefined(body, path)
          const content = body === undefined ? {} : { body }
          for (const [other, token] of Object.entries(tokens)) {
            const carried = [
              options({ token }, {}),
              ...(other === kind ? [] : [{ token }, options({ token }, { token })])
            ]
            for (const credential of carried) {
              const answer = yield* send(method, path.replace(":id", id), { ...content, ...credential })
              assert.deepStrictEqual([answer.status, answer.body.error], [401, "AUTH_INVALID"], `${other} on ${path}`)
            }
          }
        }
        assert.deepStrictEqual(yield* everyRow, before)
      })
  )
})
