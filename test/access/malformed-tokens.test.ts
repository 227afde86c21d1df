/** A malformed or mistyped secret is refused without a query (row by row). */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type Caches, instanceCaches } from "../../src/ports/caches.ts"
import { pollConnection } from "../../src/access/connections.ts"
import { authenticate } from "../../src/access/authentication.ts"
import { openSession } from "../../src/people/sessions.ts"
import type { Secrets } from "../../src/ports/secrets.ts"
import { Storage } from "../../src/ports/storage.ts"
import { tokenFrom, type TokenKind } from "../../src/vocabulary/token.ts"
import { testSecrets } from "../support/service.ts"

/** A store that dies on any call. */
const silent = Layer.mergeAll(Layer.mock(Storage)({}), testSecrets, instanceCaches)

const secret = "5".repeat(64)
const mistyped = (kind: TokenKind) => {
  const token = tokenFrom(kind, secret)
  return [
    token.slice(0, -1),
    `${token}0`,
    token.slice(0, 20) + (token[20] === "x" ? "y" : "x") + token.slice(21),
    token.toLowerCase(),
    tokenFrom(kind === "agent" ? "session" : "agent", secret),
    ""
  ]
}

const opens: ReadonlyArray<
  readonly [TokenKind, (token: string) => Effect.Effect<string, never, Storage | Secrets | Caches>]
> = [
  [
    "agent",
    (token) =>
      Effect.flip(Effect.asVoid(authenticate(token))).pipe(
        Effect.map(({ code }) => code),
        Effect.orDie
      )
  ],
  [
    "session",
    (token) =>
      Effect.flip(Effect.asVoid(openSession(token))).pipe(
        Effect.map(({ code }) => code),
        Effect.orDie
      )
  ]
]

for (const [kind, open] of opens) {
  it.effect(`A mistyped ${kind} token costs no query`, () =>
    Effect.gen(function* () {
      for (const token of mistyped(kind)) {
        assert.strictEqual(yield* open(token), kind === "agent" ? "AUTH_INVALID" : "SIGN_IN_REQUIRED")
      }
    }).pipe(Effect.provide(silent))
  )
}

it.effect("A mistyped device code costs no query", () =>
  Effect.gen(function* () {
    for (const code of mistyped("device")) {
      assert.strictEqual((yield* Effect.flip(pollConnection(code))).code, "AUTH_INVALID")
    }
  }).pipe(Effect.orDie, Effect.provide(silent))
)
