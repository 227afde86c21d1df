/** Requests are unambiguous: one credential, one encoding, and no unknown query member. */
import * as net from "node:net"
import { assert, it as one, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { HttpApi, HttpApiMiddleware } from "effect/http-api"
import { Configuration } from "../../src/adapters/configuration.ts"
import { Api } from "../../src/api/agents.ts"
import { PublicApi } from "../../src/api/public.ts"
import { WorkspaceApi } from "../../src/api/people.ts"
import { assertRefusal } from "../support/errors.ts"
import { makeAssistant } from "../support/person-requests.ts"
import { installationOn } from "../support/installation.ts"
import { makeAgent, makeParty, uuid } from "../support/parties.ts"
import { validRequests } from "../support/requests.ts"
import { serveInProcess } from "../support/server.ts"
import { freshService, freshTestService, send, type SendOptions } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { options } from "../support/workspace.ts"

interface Operation {
  readonly isOfPeople: boolean
  readonly name: string
  readonly method: "GET" | "POST"
  readonly path: string
  /** The address with valid ids, and with an invalid one where it has any. */
  readonly address: string
  readonly wrong: string | undefined
  readonly isOpen: boolean
}

const ids = [
  "delivery",
  "proposal",
  "grant",
  "job",
  "webhook",
  "event",
  "draft",
  "share",
  "item",
  "person",
  "member",
  "organization",
  "connection",
  "invitation",
  "contact",
  "membership",
  "session",
  "record",
  "pub",
  "provider",
  "order",
  "commerce"
]
const candidates = [...ids.map((kind) => `${kind}_${uuid()}`), uuid(), "1", "chart", "0".repeat(64)]

/** Valid ids for each parameter of a path, found by trial. */
const idsFor = (names: ReadonlyArray<string>, isRight: (ids: Readonly<Record<string, string>>) => boolean) => {
  let combinations: ReadonlyArray<Readonly<Record<string, string>>> = [{}]
  for (const name of names) {
    combinations = combinations.flatMap((some) => candidates.map((id) => ({ ...some, [name]: id })))
  }
  return combinations.find(isRight)
}

/** Every JSON operation: of agents, of people, and public. */
const operations = ((): ReadonlyArray<Operation> => {
  const found: Array<Operation> = []
  for (const api of [Api, WorkspaceApi, PublicApi]) {
    HttpApi.reflect(api as typeof Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint }) => {
        const { identifier, path, params } = endpoint
        const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
        const right = params === undefined ? {} : idsFor(names, Schema.is(params))
        assert.isDefined(right, identifier)
        const filled = path.replace(/:(\w+)/g, (_, name: string) => right![name]!)
        found.push({
          isOfPeople: api === WorkspaceApi,
          name: identifier,
          method: endpoint.method as "GET" | "POST",
          path,
          address: filled,
          wrong: filled === path ? undefined : path.replace(/:\w+/g, "~"),
          isOpen: !Array.from(endpoint.middlewares).some((key) =>
            HttpApiMiddleware.isSecurity(key as HttpApiMiddleware.AnyService)
          )
        })
      }
    })
  }
  return found
})()

const credentials = Effect.gen(function* () {
  const dana = yield* signInNewPerson("Dana")
  const { token } = yield* makeAgent(yield* makeParty("Sam"), "BUYER", ["CREATE_PROJECT"])
  const assistant = yield* makeAssistant
  return ({ path, isOfPeople }: Operation): SendOptions =>
    isOfPeople ? options(dana, {}) : { token: path.startsWith("/api/participation") ? assistant : token }
})

layer(freshTestService, { excludeTestServices: true })("operations", (it) => {
  it.effect("Every operation refuses unknown query members by name, after the credential and the ids", () =>
    Effect.gen(function* () {
      const credentialOf = yield* credentials
      assert.isAbove(operations.length, 100)
      for (const operation of operations) {
        const { name, method, address, wrong, isOpen } = operation
        const query = "?surplus=1&more=2&more=3&__proto__=4"
        const answer = yield* send(method, address + query, credentialOf(operation))
        assert.deepStrictEqual([name, answer.status], [name, 400], answer.text)
        assertRefusal(answer)
        const named = answer.body.issues.map(({ path }: { readonly path: string }) => path)
        assert.includeMembers(named, ["surplus", "more", "__proto__"], name)
        if (!isOpen) {
          const unknown = yield* send(method, address + query, { headers: { origin: "https://countersign.test" } })
          assert.deepStrictEqual([name, unknown.status], [name, 401])
        }
        if (wrong !== undefined) {
          const missing = yield* send(method, wrong + query, credentialOf(operation))
          assert.deepStrictEqual([name, missing.status], [name, 404])
        }
      }
    })
  )

  it.effect("An operation refuses a known query member that is sent twice", () =>
    Effect.gen(function* () {
      const credentialOf = yield* credentials
      for (const [name, query] of [
        ["searchSpecifications", "q=a&q=b"],
        ["listJobs", `projectId=delivery_${uuid()}&projectId=delivery_${uuid()}`]
      ] as const) {
        const operation = operations.find((one) => one.name === name)!
        const answer = yield* send(operation.method, `${operation.address}?${query}`, credentialOf(operation))
        assert.deepStrictEqual([name, answer.status], [name, 400])
        assert.strictEqual(answer.body.issues[0].path, query.split("=")[0])
      }
    })
  )

  it.effect("Every 401 carries a challenge: a bearer token for agents, the cookie for people", () =>
    Effect.gen(function* () {
      for (const { name, method, address, isOpen, isOfPeople } of operations) {
        if (isOpen) continue
        const { status, headers } = yield* send(method, address)
        const scheme = isOfPeople ? "Cookie" : "Bearer"
        assert.deepStrictEqual([name, status, headers["www-authenticate"]], [name, 401, scheme])
      }
      const page = yield* send("GET", "/workspace/account")
      assert.deepStrictEqual([page.status, page.headers["www-authenticate"]], [401, "Cookie"])
    })
  )

  it.effect("Every operation with a body accepts only application/json in UTF-8", () =>
    Effect.gen(function* () {
      const requests = yield* validRequests
      const post = (index: number, type: string) => {
        const { path, token, body } = requests[index]!
        return send("POST", path, {
          body,
          headers: { "content-type": type },
          ...(token === undefined ? {} : { token })
        })
      }
      for (const index of requests.keys()) {
        for (const type of [
          "",
          "application/json; charset=iso-8859-1",
          "application/json;charset=utf-16",
          'application/json; charset="utf-7"',
          "application/json; charset=utf-8; charset=utf-16",
          "application/json, application/json"
        ]) {
          const answer = yield* post(index, type)
          assert.deepStrictEqual(
            [requests[index]!.operation, type, answer.status],
            [requests[index]!.operation, type, 400]
          )
          assert.deepStrictEqual(answer.body.issues, [
            { path: "content-type", message: "must be application/json in UTF-8" }
          ])
        }
      }
      const preview = requests.findIndex(({ operation }) => operation === "confirmationPreview")
      for (const type of [
        "Application/JSON",
        "application/json; charset=UTF-8",
        'application/json;charset="utf-8"',
        "application/json; profile=x"
      ]) {
        assert.deepStrictEqual([type, (yield* post(preview, type)).status], [type, 200])
      }
    })
  )
})

one.live("Over a socket, repeated Authorization headers and a body without a content type are 400", () =>
  Effect.gen(function* () {
    const { environment } = yield* installationOn(yield* freshService)
    yield* Effect.gen(function* () {
      const { token } = yield* makeAgent(yield* makeParty("Dana"), "BUYER", ["CREATE_PROJECT"])
      const { port } = yield* Configuration
      const answer = (head: string, headers: ReadonlyArray<string>, body = "") =>
        Effect.promise(() =>
          answerTo(port, [head, "Host: localhost", "Connection: close", ...headers, "", body].join("\r\n"))
        )
      const me = "GET /api/agents/v1/me HTTP/1.1"
      const mine = `Authorization: Bearer ${token}`
      assert.match(yield* answer(me, [mine]), /^HTTP\/1\.1 200 /)
      for (const headers of [
        [mine, mine],
        [mine, "Authorization: Bearer other"],
        ["Authorization: Bearer other", mine],
        [mine, "authorization: Basic eDp5"]
      ]) {
        const refused = yield* answer(me, headers)
        assert.match(refused, /^HTTP\/1\.1 400 /)
        assert.include(refused, '"issues":[{"path":"authorization","message":"must be sent once"}]')
      }
      const connection = JSON.stringify({ agentName: "Scout", client: "test/1" })
      const start = "POST /api/agents/v1/connections HTTP/1.1"
      const length = `Content-Length: ${connection.length}`
      const json = "Content-Type: application/json"
      assert.match(yield* answer(start, [length, json], connection), /^HTTP\/1\.1 201 /)
      for (const headers of [[length], [length, json, json]]) {
        const refused = yield* answer(start, headers, connection)
        assert.match(refused, /^HTTP\/1\.1 400 /)
        assert.include(refused, '"path":"content-type"')
      }
    }).pipe(Effect.provide(Layer.fresh(serveInProcess(environment))))
  }).pipe(Effect.scoped)
)

/** The whole response to a request sent byte by byte. */
const answerTo = (port: number, request: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1", () => void socket.write(request))
    let answer = ""
    socket.on("data", (bytes) => void (answer += String(bytes)))
    socket.on("error", reject)
    socket.on("close", () => resolve(answer))
  })
