import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { sha256Hex } from "../../src/canonical/digest.ts"
import { startConnection } from "../../src/access/connections.ts"
import { cookieNames } from "../../src/http/cookies.ts"
import { isToken, tokenFrom, tokenPrefixes, type TokenKind } from "../../src/vocabulary/token.ts"
import { freshTestService, send, siteUrl } from "../support/service.ts"
import { at } from "../support/time.ts"
import { assisted, invite, noon } from "./world.ts"

const kinds = Object.keys(tokenPrefixes) as ReadonlyArray<TokenKind>

/** Ways to carry a secret to the service, and what it is taken for there. */
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const cookie = (token: string) => ({ cookie: `${cookieNames.session}=${token}`, origin: siteUrl })
const both = (token: string) => ({ ...bearer(token), ...cookie(token) })

const carriers = [bearer, cookie, both]
type Carry = (typeof carriers)[number]

interface Door {
  readonly name: string
  readonly opens: TokenKind
  /** How its own secret is carried there, beside both at once. */
  readonly by: Carry
  /** What it answers once it is open. */
  readonly status: number
  readonly knock: (headers: Readonly<Record<string, string>>, token: string) => ReturnType<typeof send>
}

const requestId = "5e6f0f9c-2f7e-4d34-9c11-3f7b64c3a001"
const noteBody = { requestId, text: "A note." }

const doors: ReadonlyArray<Door> = [
  {
    name: "agent API",
    opens: "agent",
    by: bearer,
    status: 200,
    knock: (headers) => send("GET", "/api/agents/v1/me", { headers })
  },
  {
    name: "a command of the agent API",
    opens: "agent",
    by: bearer,
    status: 400,
    knock: (headers) => send("POST", "/api/agents/v1/projects", { headers, body: {} })
  },
  {
    name: "workspace API",
    opens: "session",
    by: cookie,
    status: 200,
    knock: (headers) => send("GET", "/api/workspace/session", { headers })
  },
  {
    name: "items of the workspace API",
    opens: "session",
    by: cookie,
    status: 200,
    knock: (headers) => send("GET", "/api/workspace/items", { headers })
  },
  {
    name: "participation API",
    opens: "participation",
    by: bearer,
    status: 200,
    knock: (headers) => send("GET", "/api/participation/item", { headers })
  },
  {
    name: "notes of the participation API",
    opens: "participation",
    by: bearer,
    status: 201,
    knock: (headers) => send("POST", "/api/participation/item/notes", { headers, body: noteBody })
  },
  {
    name: "poll",
    opens: "device",
    by: bearer,
    status: 200,
    knock: (_, deviceCode) => send("POST", "/api/agents/v1/connections/poll", { body: { deviceCode } })
  }
]

/** A live secret of each kind. */
const liveTokens = Effect.gen(function* () {
  const { agent, kim, token, dana, projectId } = yield* assisted
  const { deviceCode } = yield* startConnection({ agentName: "Scout", client: "scout" }, undefined)
  const { code } = yield* invite(dana, projectId)
  const tokens: Readonly<Record<TokenKind, string>> = {
    agent: agent.token,
    participation: token,
    session: kim.token,
    device: deviceCode,
    invitation: code,
    // It opens no door: callbacks are signed with it.
    callback: tokenFrom("callback", sha256Hex("callback"))
  }
  return tokens
})

/** The same secret as the token of another kind, its checksum right. */
const disguised = (token: string, kind: TokenKind): string => {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  const body = token.slice(4, -6)
  const value = [...body].reduceRight((sum, digit) => sum * 62n + BigInt(alphabet.indexOf(digit)), 0n)
  return tokenFrom(kind, value.toString(16))
}

/** Every documented operation with what opens it; paths keep the names of their parameters in the place of values. */
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

layer(freshTestService, { excludeTestServices: true })("no credential of one kind opens a door of another", (it) => {
  it.effect("each opens its own", () =>
    Effect.gen(function* () {
      const tokens = yield* liveTokens
      for (const { name, opens, by, status, knock } of doors) {
        for (const carry of [by, both]) {
          const answer = yield* knock(carry(tokens[opens]), tokens[opens])
          assert.strictEqual(answer.status, status, `${name}: ${answer.text}`)
        }
      }
    }).pipe(at(noon))
  )

  it.effect("and none another's, in whatever way it is sent and however it is disguised", () =>
    Effect.gen(function* () {
      const tokens = yield* liveTokens
      const attempts = doors.flatMap((door) =>
        kinds
          .filter((kind) => kind !== door.opens)
          .flatMap((kind) =>
            carriers.flatMap((carry) => [true, false].map((isDisguised) => ({ door, kind, carry, isDisguised })))
          )
      )
      assert.lengthOf(attempts, doors.length * (kinds.length - 1) * 6)
      for (const { door, kind, carry, isDisguised } of attempts) {
        const token = isDisguised ? disguised(tokens[kind], door.opens) : tokens[kind]
        assert.isTrue(isToken(isDisguised ? door.opens : kind, token))
        const { status, body } = yield* door.knock(carry(token), token)
        assert.strictEqual(status, 401, `${kind} at ${door.name}`)
        assert.include(["AUTH_INVALID", "SIGN_IN_REQUIRED"], body.error, `${kind} at ${door.name}`)
      }
    }).pipe(at(noon))
  )

  it.effect("an assistant's opens nothing of any other operation there is", () =>
    Effect.gen(function* () {
      const { participation } = yield* liveTokens
      const closed = (yield* operations).filter(({ scheme }) => scheme !== undefined && scheme !== "participation")
      assert.isAbove(closed.length, 20)
      for (const { method, path } of closed) {
        const sent = method === "POST" ? { body: {} } : {}
        const { status } = yield* send(method, path, { headers: both(participation), ...sent })
        assert.strictEqual(status, 401, `${method} ${path}`)
      }
    }).pipe(at(noon))
  )

  it.effect("none of the others is an invitation", () =>
    Effect.gen(function* () {
      const tokens = yield* liveTokens
      const headers = cookie(tokens.session)
      for (const kind of kinds) {
        for (const code of [tokens[kind], disguised(tokens[kind], "invitation")]) {
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
