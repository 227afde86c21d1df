import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { sha256Hex } from "../../src/canonical/digest.ts"
import { startConnection } from "../../src/access/connections.ts"
import { cookieNames } from "../../src/http/cookies.ts"
import { isToken, tokenFrom, tokenPrefixes, type TokenKind } from "../../src/vocabulary/token.ts"
import { freshTestService, send, siteUrl } from "../support/service.ts"
import { at } from "../support/time.ts"
import { itemWithAssistant, invite, noon } from "./fixtures.ts"

const kinds = Object.keys(tokenPrefixes) as ReadonlyArray<TokenKind>

/** The carriers of a credential: header, cookie, or both. */
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const cookie = (token: string) => ({ cookie: `${cookieNames.session}=${token}`, origin: siteUrl })
const both = (token: string) => ({ ...bearer(token), ...cookie(token) })

const carriers = [bearer, cookie, both]
type Carry = (typeof carriers)[number]

interface ProtectedOperation {
  readonly name: string
  readonly accepts: TokenKind
  /** The carrier of the accepted credential; both at once also work. */
  readonly carrier: Carry
  /** The status of an authenticated request. */
  readonly status: number
  readonly call: (headers: Readonly<Record<string, string>>, token: string) => ReturnType<typeof send>
}

const requestId = "5e6f0f9c-2f7e-4d34-9c11-3f7b64c3a001"
const noteBody = { requestId, text: "A note." }

const protectedOperations: ReadonlyArray<ProtectedOperation> = [
  {
    name: "agent API",
    accepts: "agent",
    carrier: bearer,
    status: 200,
    call: (headers) => send("GET", "/api/agents/v1/me", { headers })
  },
  {
    name: "a command of the agent API",
    accepts: "agent",
    carrier: bearer,
    status: 400,
    call: (headers) => send("POST", "/api/agents/v1/projects", { headers, body: {} })
  },
  {
    name: "workspace API",
    accepts: "session",
    carrier: cookie,
    status: 200,
    call: (headers) => send("GET", "/api/workspace/session", { headers })
  },
  {
    name: "items of the workspace API",
    accepts: "session",
    carrier: cookie,
    status: 200,
    call: (headers) => send("GET", "/api/workspace/items", { headers })
  },
  {
    name: "participation API",
    accepts: "participation",
    carrier: bearer,
    status: 200,
    call: (headers) => send("GET", "/api/participation/item", { headers })
  },
  {
    name: "notes of the participation API",
    accepts: "participation",
    carrier: bearer,
    status: 201,
    call: (headers) => send("POST", "/api/participation/item/notes", { headers, body: noteBody })
  },
  {
    name: "poll",
    accepts: "device",
    carrier: bearer,
    status: 200,
    call: (_, deviceCode) => send("POST", "/api/agents/v1/connections/poll", { body: { deviceCode } })
  }
]

/** A live credential of each kind. */
const liveTokens = Effect.gen(function* () {
  const { agent, kim, token, dana, projectId } = yield* itemWithAssistant
  const { deviceCode } = yield* startConnection({ agentName: "Scout", client: "scout" }, undefined)
  const { code } = yield* invite(dana, projectId)
  const tokens: Readonly<Record<TokenKind, string>> = {
    agent: agent.token,
    participation: token,
    session: kim.token,
    device: deviceCode,
    invitation: code,
    // No operation accepts it: it signs webhooks.
    callback: tokenFrom("callback", sha256Hex("callback"))
  }
  return tokens
})

/** The same secret re-encoded as a token of another kind, with a valid checksum. */
const reencoded = (token: string, kind: TokenKind): string => {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  const body = token.slice(4, -6)
  const value = [...body].reduceRight((sum, digit) => sum * 62n + BigInt(alphabet.indexOf(digit)), 0n)
  return tokenFrom(kind, value.toString(16))
}

/** Every documented operation with its security scheme; paths contain the parameter names instead of values. */
const operations = Effect.gen(function* () {
  const documents = yield* Effect.forEach(["agents/v1", "workspace"], (api) => send("GET", `/api/${api}/openapi.json`))
  return documents.flatMap(({ body }) =>
    Object.entries<any>(body.paths).flatMap(([path, methods]) =>
      Object.entries<any>(methods).map(([method, { security }]) => ({
        method: method.toUpperCase() as "GET" | "POST",
        path: path.replace(/[{}]/g, ""),
        scheme: Object.keys(security[0] ?? {})[0]
      }))
    )
  )
})

layer(freshTestService, { excludeTestServices: true })("separation of credential kinds", (it) => {
  it.effect("Each credential is accepted by its own API.", () =>
    Effect.gen(function* () {
      const tokens = yield* liveTokens
      for (const { name, accepts, carrier, status, call } of protectedOperations) {
        for (const carry of [carrier, both]) {
          const answer = yield* call(carry(tokens[accepts]), tokens[accepts])
          assert.strictEqual(answer.status, status, `${name}: ${answer.text}`)
        }
      }
    }).pipe(at(noon))
  )

  it.effect("A credential of another kind is refused with 401, however it is carried or re-encoded.", () =>
    Effect.gen(function* () {
      const tokens = yield* liveTokens
      const attempts = protectedOperations.flatMap((operation) =>
        kinds
          .filter((kind) => kind !== operation.accepts)
          .flatMap((kind) =>
            carriers.flatMap((carry) => [true, false].map((isReencoded) => ({ operation, kind, carry, isReencoded })))
          )
      )
      assert.lengthOf(attempts, protectedOperations.length * (kinds.length - 1) * 6)
      for (const { operation, kind, carry, isReencoded } of attempts) {
        const token = isReencoded ? reencoded(tokens[kind], operation.accepts) : tokens[kind]
        assert.isTrue(isToken(isReencoded ? operation.accepts : kind, token))
        const { status, body } = yield* operation.call(carry(token), token)
        assert.strictEqual(status, 401, `${kind} at ${operation.name}`)
        assert.include(["AUTH_INVALID", "SIGN_IN_REQUIRED"], body.error, `${kind} at ${operation.name}`)
      }
    }).pipe(at(noon))
  )

  it.effect("An assistant's credential is refused with 401 by every operation outside participation.", () =>
    Effect.gen(function* () {
      const { participation } = yield* liveTokens
      const others = (yield* operations).filter(({ scheme }) => scheme !== undefined && scheme !== "participation")
      assert.isAbove(others.length, 20)
      for (const { method, path } of others) {
        const sent = method === "POST" ? { body: {} } : {}
        const { status } = yield* send(method, path, { headers: both(participation), ...sent })
        assert.strictEqual(status, 401, `${method} ${path}`)
      }
    }).pipe(at(noon))
  )

  it.effect("A credential of another kind is not accepted as an invitation code.", () =>
    Effect.gen(function* () {
      const tokens = yield* liveTokens
      const headers = cookie(tokens.session)
      for (const kind of kinds) {
        for (const code of [tokens[kind], reencoded(tokens[kind], "invitation")]) {
          if (kind === "invitation") continue
          const answer = yield* send("POST", "/api/workspace/invitations/accept-participation", {
            headers,
            body: { code }
          })
          assert.deepStrictEqual([answer.status, answer.body.error], [404, "INVITATION_UNKNOWN"], kind)
        }
      }
    }).pipe(at(noon))
  )
})
