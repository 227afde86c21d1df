/** An address has one spelling: any other is 404. */
import * as net from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/api/agents.ts"
import { PublicApi } from "../../src/api/public.ts"
import { WorkspaceApi } from "../../src/api/people.ts"
import { assertRefusal } from "../support/errors.ts"
import { serveOnSocket } from "../support/socket-service.ts"
import { pageAddresses } from "../support/page-routes.ts"
import { makeAgent, startProject, uuid } from "../support/parties.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { options } from "../support/workspace.ts"

const operationPaths = [Api, WorkspaceApi, PublicApi].flatMap((api) => {
  const paths: Array<string> = []
  HttpApi.reflect(api as typeof Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => void paths.push(endpoint.path)
  })
  return paths
})

const otherPaths = [
  "/healthz",
  "/readyz",
  "/legal/TERMS/1",
  "/.well-known/service-issuer-keys.json",
  "/api/agents/v1/openapi.json",
  "/api/workspace/openapi.json",
  "/api/public/openapi.json",
  "/workspace/style.css"
]

/** Other spellings that a router, a proxy or a browser may resolve to the same address. */
const otherSpellings = (path: string): ReadonlyArray<string> => {
  const last = path.at(-1)!
  const encoded = `%${last.charCodeAt(0).toString(16)}`
  return [
    `${path};`,
    `${path};x=1`,
    `${path};/x`,
    `${path}#x`,
    `${path}/`,
    `/${path}`,
    path.slice(0, -1) + encoded,
    path.slice(0, -1) + encoded.toUpperCase().replace("%", "%25"),
    path.replace(/\/([^/]*)$/, "%2F$1"),
    path.replace(/\/([^/]*)$/, ";x/$1"),
    path.toUpperCase()
  ].filter((one) => one !== path && one.startsWith("/"))
}

layer(freshTestService, { excludeTestServices: true })("addresses", (it) => {
  it.effect("An address without an id has one spelling; any other is 404, for operations, pages and files", () =>
    Effect.gen(function* () {
      const pages = (yield* pageAddresses).map(({ path }) => path)
      const paths = new Set([...operationPaths, ...pages, ...otherPaths].filter((path) => !/[:*]/.test(path)))
      assert.isAbove(paths.size, 60)
      // With both credentials: a trailing slash may start an empty id, which is 404 only for an authorized caller.
      const dana = yield* signInNewPerson("Dana")
      const { token } = yield* makeAgent(dana, "BUYER", [])
      for (const path of paths) {
        for (const address of otherSpellings(path)) {
          // A form is read before the empty id in its address.
          for (const method of address.endsWith("/") ? (["GET"] as const) : (["GET", "POST"] as const)) {
            const answer = yield* send(method, address, options(dana, { token }))
            assert.deepStrictEqual([method, address, answer.status], [method, address, 404])
          }
        }
      }
    })
  )

  it.effect("An address with an id has one spelling: delimiters and percent-encoding are part of the id", () =>
    Effect.gen(function* () {
      const { buyerAgent, projectId } = yield* startProject()
      const { token } = buyerAgent
      const base = `/api/agents/v1/projects/${projectId}`
      assert.strictEqual((yield* send("GET", base, { token })).status, 200)
      for (const address of [`${base};x`, `${base}%20`, `${base};x/record`, `${base}#x`, base.replace("_", "%5F")]) {
        const answer = yield* send("GET", address, { token })
        assert.deepStrictEqual([address, answer.status], [address, 404])
        assertRefusal(answer)
      }
      const dana = yield* signInNewPerson("Dana")
      const page = `/workspace/projects/delivery_${uuid()}`
      for (const address of [`${page};x`, page.replace("_", "%5F")]) {
        const answer = yield* send("GET", address, options(dana, {}))
        assert.deepStrictEqual([address, answer.status], [address, 404])
        assert.include(answer.text, "<html")
      }
      assert.strictEqual((yield* send("GET", "/legal/TERM%53/1")).status, 404)
      assert.strictEqual((yield* send("GET", "/legal/TERMS/1")).status, 200)
    })
  )

  it.effect("An address keeps its query as sent", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* send("GET", "/api/discover?q=%61+b%3B;%20#c")).status, 200)
      assert.strictEqual((yield* send("GET", "/workspace/sign-in?returnTo=%2Fworkspace%2Faccount")).status, 200)
    })
  )

  it.effect("An absolute address is taken as sent, not resolved", () =>
    Effect.gen(function* () {
      const { port } = new URL(yield* serveOnSocket)
      const status = (target: string, host = "localhost") =>
        Effect.promise(() =>
          statusOf(Number(port), `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
        )
      const path = "/api/agents/v1/capabilities"
      assert.strictEqual(yield* status(path), 200)
      assert.strictEqual(yield* status(`http://localhost${path}`), 200)
      for (const target of [
        `/.${path}`,
        `/x/..${path}`,
        `/x/%2e%2e${path}`,
        `${path}\\`,
        `${path};`,
        path.replace("c", "%63"),
        "/."
      ]) {
        assert.deepStrictEqual([target, yield* status(`http://localhost${target}`)], [target, 404])
      }
      // Without a path it denotes the root.
      for (const target of ["", "/", "?x"]) {
        assert.deepStrictEqual([target, yield* status(`http://localhost${target}`)], [target, 200])
      }
      assert.strictEqual(yield* status(`/.${path}`), 404)
      assert.strictEqual(yield* status("/v1/capabilities", "localhost/api/agents"), 404)
    }).pipe(Effect.scoped)
  )
})

/** The status of the response to a request sent byte by byte. */
const statusOf = (port: number, request: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1", () => void socket.write(request))
    let answer = ""
    socket.on("data", (bytes) => void (answer += String(bytes)))
    socket.on("error", reject)
    socket.on("close", () => resolve(Number(answer.split(" ", 2)[1])))
  })
