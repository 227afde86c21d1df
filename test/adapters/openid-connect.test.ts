/** Sign-in at a real provider: a valid one returns an identity, every other one of two refusals. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Option, Redacted } from "effect"
import { openIdConnect } from "../../src/adapters/sign-in/openid-connect.ts"
import { unknownSignInTime, unconfirmedSignIn, type SignInAttempt } from "../../src/ports/sign-in.ts"
import type { Refusal } from "../../src/vocabulary/refusals.ts"
import {
  PersonAtProvider,
  startProvider,
  withClaims,
  type ProviderOptions,
  type TestProvider
} from "../support/openid-provider.ts"

const siteUrl = "http://127.0.0.1:8080"
const redirectUri = `${siteUrl}/workspace/sign-in/callback`

const attempt: SignInAttempt = {
  state: "state-canary-0123456789",
  nonce: "nonce-canary-0123456789",
  codeVerifier: "verifier-canary-0123456789012345678901234567890123456789",
  freshly: false
}

const signInAt = ({ issuer, clientId, clientSecret }: TestProvider, changed: { readonly secret?: string } = {}) =>
  openIdConnect({ issuer, clientId, clientSecret: Option.some(Redacted.make(changed.secret ?? clientSecret)), siteUrl })

/** A provider, the port over it, and the callback query of a person who has signed in there. */
const completedSignIn = Effect.fnUntraced(function* (options: Partial<ProviderOptions> = {}, attemptInput = attempt) {
  const provider = yield* startProvider({ redirectUri, ...options })
  const signIn = signInAt(provider)
  const address = yield* signIn.begin(attemptInput)
  const query = yield* Effect.promise(() => new PersonAtProvider().signIn(address, "alice"))
  return { provider, signIn, address, query }
})

const codeOf = <A>(effect: Effect.Effect<A, Refusal>) =>
  Effect.match(effect, { onSuccess: () => "SUCCEEDED", onFailure: ({ code }) => code })

const seconds = () => Math.floor(Date.now() / 1000)

const live = <A, E>(name: string, effect: Effect.Effect<A, E, import("effect").Scope.Scope>) =>
  it.live(name, () => effect.pipe(Effect.scoped, Effect.provide(Logger.layer([]))))

describe("a valid sign-in at a provider", () => {
  live(
    "A sign-in returns the person's issuer, subject and time of authentication.",
    Effect.gen(function* () {
      const before = Date.now()
      const { provider, signIn, query } = yield* completedSignIn()
      const { authenticatedAt, ...identity } = yield* signIn.complete(attempt, query)
      assert.deepStrictEqual(identity, {
        issuer: provider.issuer,
        subject: "alice",
        name: "alice by name",
        email: null
      })
      assert.isAtLeast(Date.parse(authenticatedAt), before - 1000)
      assert.isAtMost(Date.parse(authenticatedAt), Date.now())
    })
  )

  live(
    "A sign-in uses the code flow with PKCE and does not send the verifier to the authorization endpoint.",
    Effect.gen(function* () {
      const { address, provider } = yield* completedSignIn()
      const parameters = Object.fromEntries(new URL(address).searchParams)
      assert.deepInclude(parameters, {
        response_type: "code",
        redirect_uri: redirectUri,
        scope: "openid profile email",
        code_challenge_method: "S256",
        max_age: "43200",
        state: attempt.state,
        nonce: attempt.nonce
      })
      assert.notProperty(parameters, "prompt")
      assert.notInclude(provider.received(), attempt.codeVerifier)
    })
  )

  live(
    "A client without a secret can sign people in.",
    Effect.gen(function* () {
      const provider = yield* startProvider({ redirectUri, isPublic: true })
      const { issuer, clientId } = provider
      const signIn = openIdConnect({ issuer, clientId, clientSecret: Option.none(), siteUrl })
      const address = yield* signIn.begin(attempt)
      const query = yield* Effect.promise(() => new PersonAtProvider().signIn(address, "bob"))
      assert.strictEqual((yield* signIn.complete(attempt, query)).subject, "bob")
    })
  )

  const names: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>, string]> = [
    ["the preferred user name without a name", { name: undefined, preferred_username: "al" }, "al"],
    ["the subject without either", { name: "  " }, "alice"],
    ["the subject where the name is not a text", { name: 7 }, "alice"],
    ["the first 200 characters of a long name", { name: "n".repeat(500) }, "n".repeat(200)],
    ["whole characters only", { name: `${"n".repeat(199)}😀` }, "n".repeat(199)]
  ]
  for (const [content, profile, name] of names) {
    live(
      `The name of a person is ${content}.`,
      Effect.gen(function* () {
        const { signIn, query } = yield* completedSignIn({ profile })
        assert.strictEqual((yield* signIn.complete(attempt, query)).name, name)
      })
    )
  }
})

describe("the e-mail address of a person", () => {
  const content: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>, string | null]> = [
    ["known where the provider verified it", { email: "a@b.example", email_verified: true }, "a@b.example"],
    ["unknown where it did not", { email: "a@b.example", email_verified: false }, null],
    ["unknown where the provider does not state that", { email: "a@b.example" }, null],
    ["unknown where the statement is a text", { email: "a@b.example", email_verified: "true" }, null],
    ["unknown where there are two", { email: "a@b.example, c@d.example", email_verified: true }, null],
    ["unknown where there is none", { email_verified: true }, null]
  ]
  for (const [is, profile, email] of content) {
    live(
      `The e-mail address of a person is ${is}.`,
      Effect.gen(function* () {
        const { signIn, query } = yield* completedSignIn({ profile })
        assert.strictEqual((yield* signIn.complete(attempt, query)).email, email)
      })
    )
  }
})

describe("a sign-in that must be recent", () => {
  const freshly = { ...attempt, freshly: true }

  live(
    "A sign-in that must be recent authenticates the person again despite a session at the provider.",
    Effect.gen(function* () {
      const signIn = signInAt(yield* startProvider({ redirectUri }))
      const person = new PersonAtProvider()
      const enter = Effect.fnUntraced(function* (attemptInput: SignInAttempt) {
        const address = yield* signIn.begin(attemptInput)
        return yield* signIn.complete(attemptInput, yield* Effect.promise(() => person.signIn(address, "alice")))
      })
      const first = yield* enter(attempt)
      yield* Effect.sleep("1100 millis")
      const known = yield* enter(attempt)
      assert.strictEqual(known.authenticatedAt, first.authenticatedAt, "the session at the provider")
      const second = yield* enter(freshly)
      assert.isAbove(Date.parse(second.authenticatedAt), Date.parse(first.authenticatedAt))
    })
  )

  live(
    "A sign-in that must be recent is refused if the provider states no time or an old one.",
    Effect.gen(function* () {
      for (const auth_time of [undefined, seconds() - 3_600]) {
        const { signIn, provider, query } = yield* completedSignIn({}, freshly)
        provider.override("/token", withClaims({ auth_time }))
        const refused = yield* Effect.flip(signIn.complete(freshly, query))
        assert.deepStrictEqual([refused.code, refused.facts.detail], ["SIGN_IN_FAILED", unconfirmedSignIn])
      }
    })
  )

  live(
    "A sign-in that need not be recent is accepted without a time of authentication and counts as old.",
    Effect.gen(function* () {
      const { signIn, provider, query } = yield* completedSignIn()
      provider.override("/token", withClaims({ auth_time: undefined }))
      assert.strictEqual((yield* signIn.complete(attempt, query)).authenticatedAt, unknownSignInTime)
    })
  )
})

describe("failed sign-ins", () => {
  live(
    "A sign-in with a different state, nonce or verifier fails.",
    Effect.gen(function* () {
      for (const other of [{ state: "another" }, { nonce: "another" }, { codeVerifier: "another".repeat(9) }]) {
        const { signIn, query } = yield* completedSignIn()
        assert.strictEqual(yield* codeOf(signIn.complete({ ...attempt, ...other }, query)), "SIGN_IN_FAILED")
      }
    })
  )

  live(
    "A code can be used only once, even by the same person.",
    Effect.gen(function* () {
      const { signIn, query } = yield* completedSignIn()
      assert.strictEqual(yield* codeOf(signIn.complete(attempt, query)), "SUCCEEDED")
      assert.strictEqual(yield* codeOf(signIn.complete(attempt, query)), "SIGN_IN_FAILED")
    })
  )

  live(
    "A sign-in with an expired code fails.",
    Effect.gen(function* () {
      const { signIn, query } = yield* completedSignIn({ codeLifetime: 1 })
      yield* Effect.sleep("2100 millis")
      assert.strictEqual(yield* codeOf(signIn.complete(attempt, query)), "SIGN_IN_FAILED")
    })
  )

  live(
    "A sign-in that the person cancels at the provider fails.",
    Effect.gen(function* () {
      const signIn = signInAt(yield* startProvider({ redirectUri }))
      const address = yield* signIn.begin(attempt)
      const query = yield* Effect.promise(() => new PersonAtProvider().refuse(address))
      assert.include(query, "error=access_denied")
      assert.strictEqual(yield* codeOf(signIn.complete(attempt, query)), "SIGN_IN_FAILED")
    })
  )

  const answers: ReadonlyArray<readonly [string, (query: string) => string]> = [
    ["no content", () => ""],
    ["no code", (query) => query.replace(/code=[^&]+/, "")],
    ["two codes", (query) => `${query}&code=another`],
    ["another issuer", (query) => query.replace(/iss=[^&]+/, "iss=https%3A%2F%2Fevil.example")],
    ["no issuer", (query) => query.replace(/iss=[^&]+/, "")],
    ["a token", (query) => `${query}&id_token=a.b.c`]
  ]
  for (const [content, change] of answers) {
    live(
      `A sign-in whose callback has ${content} fails.`,
      Effect.gen(function* () {
        const { signIn, query } = yield* completedSignIn()
        assert.strictEqual(yield* codeOf(signIn.complete(attempt, change(query))), "SIGN_IN_FAILED")
      })
    )
  }

  const claims: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
    ["another audience", { aud: "another-client" }],
    ["another issuer", { iss: "https://evil.example" }],
    ["an expiry in the past", { exp: seconds() - 3_600 }],
    ["no nonce", { nonce: undefined }],
    ["a subject that cannot be stored", { sub: "a\0b" }]
  ]
  for (const [content, changed] of claims) {
    live(
      `A sign-in with an ID token with ${content} fails.`,
      Effect.gen(function* () {
        const { signIn, provider, query } = yield* completedSignIn()
        provider.override("/token", withClaims(changed))
        assert.strictEqual(yield* codeOf(signIn.complete(attempt, query)), "SIGN_IN_FAILED")
      })
    )
  }
})

describe("ID tokens", () => {
  live(
    "An ID token with the signature of another one is refused.",
    Effect.gen(function* () {
      const { signIn, provider, query } = yield* completedSignIn()
      provider.override("/token", async (body) => {
        const [header, , signature] = body.id_token.split(".")
        const other: any = await withClaims({ sub: "mallory" })(body)
        return { ...body, id_token: [header, other.id_token.split(".")[1], signature].join(".") }
      })
      assert.strictEqual(yield* codeOf(signIn.complete(attempt, query)), "SIGN_IN_FAILED")
    })
  )

  /** The time of authentication, in seconds since 1970, of a sign-in whose ID token has this `auth_time`. */
  const authenticationTime = Effect.fnUntraced(function* (authTime: number | undefined) {
    const { signIn, provider, query } = yield* completedSignIn()
    provider.override("/token", withClaims({ auth_time: authTime }))
    const { authenticatedAt } = yield* signIn.complete(attempt, query)
    return Date.parse(authenticatedAt) / 1000
  })

  live(
    "The time of authentication is that of the ID token.",
    Effect.gen(function* () {
      const hourAgo = seconds() - 3_600
      assert.strictEqual(yield* authenticationTime(hourAgo), hourAgo)
    })
  )

  live(
    "The time of authentication is 1970 where the provider states none.",
    Effect.gen(function* () {
      assert.strictEqual(yield* authenticationTime(undefined), 0)
    })
  )

  live(
    "The time of authentication is never in the future.",
    Effect.gen(function* () {
      const earliest = seconds()
      const time = yield* authenticationTime(earliest + 86_400)
      assert.isAtLeast(time, earliest)
      assert.isAtMost(time, Date.now() / 1000)
    })
  )
})

describe("an unavailable provider", () => {
  live(
    "An unreachable provider is answered as temporarily unavailable, at the start of a sign-in and at its callback.",
    Effect.gen(function* () {
      const { signIn, provider, query } = yield* completedSignIn()
      yield* Effect.promise(provider.stop)
      assert.strictEqual(yield* codeOf(signIn.complete(attempt, query)), "TEMPORARILY_UNAVAILABLE")
      assert.strictEqual(yield* codeOf(signInAt(provider).begin(attempt)), "TEMPORARILY_UNAVAILABLE")
    })
  )

  live(
    "A failed discovery is not cached.",
    Effect.gen(function* () {
      const provider = yield* startProvider({ redirectUri })
      const signIn = signInAt(provider)
      provider.override("/.well-known/openid-configuration", () => "starting")
      assert.strictEqual(yield* codeOf(signIn.begin(attempt)), "TEMPORARILY_UNAVAILABLE")
      provider.override("/.well-known/openid-configuration", (body) => body)
      assert.strictEqual(yield* codeOf(signIn.begin(attempt)), "SUCCEEDED")
    })
  )

  live(
    "A provider whose metadata names another issuer is not used.",
    Effect.gen(function* () {
      const provider = yield* startProvider({ redirectUri })
      provider.override("/.well-known/openid-configuration", (body) => ({ ...body, issuer: "https://evil.example" }))
      assert.strictEqual(yield* codeOf(signInAt(provider).begin(attempt)), "TEMPORARILY_UNAVAILABLE")
    })
  )

  live(
    "A provider that refuses the client secret, has no keys or sends malformed responses is answered as temporarily unavailable.",
    Effect.gen(function* () {
      const { provider, query } = yield* completedSignIn()
      const misconfigured = signInAt(provider, { secret: "another" })
      assert.strictEqual(yield* codeOf(misconfigured.complete(attempt, query)), "TEMPORARILY_UNAVAILABLE")
      for (const path of ["/jwks", "/token"]) {
        const { signIn, provider, query } = yield* completedSignIn()
        provider.override(path, () => "<h1>Bad gateway</h1>")
        assert.strictEqual(yield* codeOf(signIn.complete(attempt, query)), "TEMPORARILY_UNAVAILABLE")
      }
    })
  )
})

it.live("No code, token or secret of a failed sign-in is logged or returned.", () => {
  const lines: Array<string> = []
  const recorder = Logger.map(Logger.formatJson, (line) => void lines.push(line))
  return Effect.gen(function* () {
    const { signIn, provider, query } = yield* completedSignIn()
    const failures = [
      yield* Effect.flip(signIn.complete({ ...attempt, state: "another" }, query)),
      yield* Effect.flip(signInAt(provider, { secret: "secret-canary" }).complete(attempt, query)),
      yield* Effect.flip(signIn.complete({ ...attempt, nonce: "another" }, query)),
      yield* Effect.andThen(Effect.promise(provider.stop), Effect.flip(signIn.complete(attempt, query)))
    ]
    const content = lines.join("\n") + JSON.stringify(failures)
    assert.include(content, "invalid_client")
    const code = new URLSearchParams(query).get("code")
    assert.isNotNull(code)
    for (const canary of [code, "canary", provider.clientSecret, "eyJ"]) assert.notInclude(content, canary)
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([recorder])))
})
