/** Sign-in against a real provider: what is in order gives an identity, and everything else one of two refusals. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Option, Redacted } from "effect"
import { openIdConnect } from "../../src/adapters/sign-in/openid-connect.ts"
import { longAgo, unprovenSignIn, type SignInAttempt } from "../../src/ports/sign-in.ts"
import type { Refused } from "../../src/vocabulary/refusals.ts"
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

/** A provider, the port over it, and the answer to one person who has signed in there. */
const answered = Effect.fnUntraced(function* (options: Partial<ProviderOptions> = {}, tried = attempt) {
  const provider = yield* startProvider({ redirectUri, ...options })
  const signIn = signInAt(provider)
  const address = yield* signIn.begin(tried)
  const query = yield* Effect.promise(() => new PersonAtProvider().signIn(address, "alice"))
  return { provider, signIn, address, query }
})

const codeOf = <A>(effect: Effect.Effect<A, Refused>) =>
  Effect.match(effect, { onSuccess: () => "SUCCEEDED", onFailure: ({ code }) => code })

const seconds = () => Math.floor(Date.now() / 1000)

const live = <A, E>(name: string, effect: Effect.Effect<A, E, import("effect").Scope.Scope>) =>
  it.live(name, () => effect.pipe(Effect.scoped, Effect.provide(Logger.layer([]))))

describe("a sign-in at a provider", () => {
  live(
    "gives who it was, by issuer and subject, and when",
    Effect.gen(function* () {
      const before = Date.now()
      const { provider, signIn, query } = yield* answered()
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
    "asks for the code flow with PKCE, and tells the provider no verifier",
    Effect.gen(function* () {
      const { address, provider } = yield* answered()
      const asked = Object.fromEntries(new URL(address).searchParams)
      assert.deepInclude(asked, {
        response_type: "code",
        redirect_uri: redirectUri,
        scope: "openid profile email",
        code_challenge_method: "S256",
        max_age: "43200",
        state: attempt.state,
        nonce: attempt.nonce
      })
      assert.notProperty(asked, "prompt")
      assert.notInclude(provider.received(), attempt.codeVerifier)
    })
  )

  live(
    "works for a client without a secret",
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
    ["its preferred name without a name", { name: undefined, preferred_username: "al" }, "al"],
    ["its subject without either", { name: "  " }, "alice"],
    ["its subject where the name is no text", { name: 7 }, "alice"],
    ["200 characters of a long name", { name: "n".repeat(500) }, "n".repeat(200)],
    ["no half of a character", { name: `${"n".repeat(199)}😀` }, "n".repeat(199)]
  ]
  for (const [told, profile, name] of names) {
    live(
      `calls a person by ${told}`,
      Effect.gen(function* () {
        const { signIn, query } = yield* answered({ profile })
        assert.strictEqual((yield* signIn.complete(attempt, query)).name, name)
      })
    )
  }
})

describe("a person's e-mail address", () => {
  const told: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>, string | null]> = [
    ["known where the provider verified it", { email: "a@b.example", email_verified: true }, "a@b.example"],
    ["unknown where it did not", { email: "a@b.example", email_verified: false }, null],
    ["unknown where it does not say", { email: "a@b.example" }, null],
    ["unknown where it says so in a text", { email: "a@b.example", email_verified: "true" }, null],
    ["unknown where it is two", { email: "a@b.example, c@d.example", email_verified: true }, null],
    ["unknown where there is none", { email_verified: true }, null]
  ]
  for (const [is, profile, email] of told) {
    live(
      `is ${is}`,
      Effect.gen(function* () {
        const { signIn, query } = yield* answered({ profile })
        assert.strictEqual((yield* signIn.complete(attempt, query)).email, email)
      })
    )
  }
})

describe("a person who must prove it anew", () => {
  const freshly = { ...attempt, freshly: true }

  live(
    "is asked again though the provider knows them, and proves it later than before",
    Effect.gen(function* () {
      const signIn = signInAt(yield* startProvider({ redirectUri }))
      const person = new PersonAtProvider()
      const enter = Effect.fnUntraced(function* (tried: SignInAttempt) {
        const address = yield* signIn.begin(tried)
        return yield* signIn.complete(tried, yield* Effect.promise(() => person.signIn(address, "alice")))
      })
      const first = yield* enter(attempt)
      yield* Effect.sleep("1100 millis")
      const known = yield* enter(attempt)
      assert.strictEqual(known.authenticatedAt, first.authenticatedAt, "the provider's own session")
      const anew = yield* enter(freshly)
      assert.isAbove(Date.parse(anew.authenticatedAt), Date.parse(first.authenticatedAt))
    })
  )

  live(
    "is refused where the provider does not say when, or says that it was long ago",
    Effect.gen(function* () {
      for (const auth_time of [undefined, seconds() - 3_600]) {
        const { signIn, provider, query } = yield* answered({}, freshly)
        provider.spoil("/token", withClaims({ auth_time }))
        const refused = yield* Effect.flip(signIn.complete(freshly, query))
        assert.deepStrictEqual([refused.code, refused.facts.detail], ["SIGN_IN_FAILED", unprovenSignIn])
      }
    })
  )

  live(
    "is not otherwise refused where the provider does not say when: that was long ago",
    Effect.gen(function* () {
      const { signIn, provider, query } = yield* answered()
      provider.spoil("/token", withClaims({ auth_time: undefined }))
      assert.strictEqual((yield* signIn.complete(attempt, query)).authenticatedAt, longAgo)
    })
  )
})

describe("a sign-in fails", () => {
  live(
    "with another state, nonce or verifier than it began with",
    Effect.gen(function* () {
      for (const other of [{ state: "another" }, { nonce: "another" }, { codeVerifier: "another".repeat(9) }]) {
        const { signIn, query } = yield* answered()
        assert.strictEqual(yield* codeOf(signIn.complete({ ...attempt, ...other }, query)), "SIGN_IN_FAILED")
      }
    })
  )

  live(
    "with a code that was used before, also for the one who used it",
    Effect.gen(function* () {
      const { signIn, query } = yield* answered()
      assert.strictEqual(yield* codeOf(signIn.complete(attempt, query)), "SUCCEEDED")
      assert.strictEqual(yield* codeOf(signIn.complete(attempt, query)), "SIGN_IN_FAILED")
    })
  )

  live(
    "with a code that has expired",
    Effect.gen(function* () {
      const { signIn, query } = yield* answered({ codeLifetime: 1 })
      yield* Effect.sleep("2100 millis")
      assert.strictEqual(yield* codeOf(signIn.complete(attempt, query)), "SIGN_IN_FAILED")
    })
  )

  live(
    "where the person cancels at the provider",
    Effect.gen(function* () {
      const signIn = signInAt(yield* startProvider({ redirectUri }))
      const address = yield* signIn.begin(attempt)
      const query = yield* Effect.promise(() => new PersonAtProvider().refuse(address))
      assert.include(query, "error=access_denied")
      assert.strictEqual(yield* codeOf(signIn.complete(attempt, query)), "SIGN_IN_FAILED")
    })
  )

  const answers: ReadonlyArray<readonly [string, (query: string) => string]> = [
    ["nothing in it", () => ""],
    ["no code", (query) => query.replace(/code=[^&]+/, "")],
    ["two codes", (query) => `${query}&code=another`],
    ["another issuer's name", (query) => query.replace(/iss=[^&]+/, "iss=https%3A%2F%2Fevil.example")],
    ["no issuer's name", (query) => query.replace(/iss=[^&]+/, "")],
    ["a token in it", (query) => `${query}&id_token=a.b.c`]
  ]
  for (const [told, change] of answers) {
    live(
      `with an answer that has ${told}`,
      Effect.gen(function* () {
        const { signIn, query } = yield* answered()
        assert.strictEqual(yield* codeOf(signIn.complete(attempt, change(query))), "SIGN_IN_FAILED")
      })
    )
  }

  const claims: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
    ["another audience", { aud: "another-client" }],
    ["another issuer", { iss: "https://evil.example" }],
    ["an end in the past", { exp: seconds() - 3_600 }],
    ["no nonce", { nonce: undefined }],
    ["a subject that cannot be stored", { sub: "a\0b" }]
  ]
  for (const [told, changed] of claims) {
    live(
      `with an ID token of ${told}`,
      Effect.gen(function* () {
        const { signIn, provider, query } = yield* answered()
        provider.spoil("/token", withClaims(changed))
        assert.strictEqual(yield* codeOf(signIn.complete(attempt, query)), "SIGN_IN_FAILED")
      })
    )
  }
})

describe("an ID token", () => {
  live(
    "under a signature of something else is refused",
    Effect.gen(function* () {
      const { signIn, provider, query } = yield* answered()
      provider.spoil("/token", async (body) => {
        const [header, , signature] = body.id_token.split(".")
        const other: any = await withClaims({ sub: "mallory" })(body)
        return { ...body, id_token: [header, other.id_token.split(".")[1], signature].join(".") }
      })
      assert.strictEqual(yield* codeOf(signIn.complete(attempt, query)), "SIGN_IN_FAILED")
    })
  )

  const times: ReadonlyArray<readonly [string, Record<string, unknown>, number]> = [
    ["when the person proved it", { auth_time: seconds() - 3_600 }, -3_600],
    ["long ago, where the provider does not say", { auth_time: undefined }, -seconds()],
    ["no time in the future", { auth_time: seconds() + 86_400 }, 0]
  ]
  for (const [told, changed, expected] of times) {
    live(
      `tells ${told}`,
      Effect.gen(function* () {
        const { signIn, provider, query } = yield* answered()
        provider.spoil("/token", withClaims(changed))
        const { authenticatedAt } = yield* signIn.complete(attempt, query)
        assert.closeTo(Date.parse(authenticatedAt) / 1000, seconds() + expected, 8)
      })
    )
  }
})

describe("a provider that cannot serve", () => {
  live(
    "is no failed sign-in: down at first, and down at the callback",
    Effect.gen(function* () {
      const { signIn, provider, query } = yield* answered()
      yield* Effect.promise(provider.stop)
      assert.strictEqual(yield* codeOf(signIn.complete(attempt, query)), "TEMPORARILY_UNAVAILABLE")
      assert.strictEqual(yield* codeOf(signInAt(provider).begin(attempt)), "TEMPORARILY_UNAVAILABLE")
    })
  )

  live(
    "is asked again: what it could not answer is not remembered",
    Effect.gen(function* () {
      const provider = yield* startProvider({ redirectUri })
      const signIn = signInAt(provider)
      provider.spoil("/.well-known/openid-configuration", () => "starting")
      assert.strictEqual(yield* codeOf(signIn.begin(attempt)), "TEMPORARILY_UNAVAILABLE")
      provider.spoil("/.well-known/openid-configuration", (body) => body)
      assert.strictEqual(yield* codeOf(signIn.begin(attempt)), "SUCCEEDED")
    })
  )

  live(
    "is not used where its document is another issuer's",
    Effect.gen(function* () {
      const provider = yield* startProvider({ redirectUri })
      provider.spoil("/.well-known/openid-configuration", (body) => ({ ...body, issuer: "https://evil.example" }))
      assert.strictEqual(yield* codeOf(signInAt(provider).begin(attempt)), "TEMPORARILY_UNAVAILABLE")
    })
  )

  live(
    "is told from a person who failed: it refuses our own secret, has no keys, or answers nonsense",
    Effect.gen(function* () {
      const { provider, query } = yield* answered()
      const misconfigured = signInAt(provider, { secret: "another" })
      assert.strictEqual(yield* codeOf(misconfigured.complete(attempt, query)), "TEMPORARILY_UNAVAILABLE")
      for (const path of ["/jwks", "/token"]) {
        const { signIn, provider, query } = yield* answered()
        provider.spoil(path, () => "<h1>Bad gateway</h1>")
        assert.strictEqual(yield* codeOf(signIn.complete(attempt, query)), "TEMPORARILY_UNAVAILABLE")
      }
    })
  )
})

it.live("whatever goes wrong, no code, token or secret is logged or passed on", () => {
  const written: Array<string> = []
  const recorder = Logger.map(Logger.formatJson, (line) => void written.push(line))
  return Effect.gen(function* () {
    const { signIn, provider, query } = yield* answered()
    const failures = [
      yield* Effect.flip(signIn.complete({ ...attempt, state: "another" }, query)),
      yield* Effect.flip(signInAt(provider, { secret: "secret-canary" }).complete(attempt, query)),
      yield* Effect.flip(signIn.complete({ ...attempt, nonce: "another" }, query)),
      yield* Effect.andThen(Effect.promise(provider.stop), Effect.flip(signIn.complete(attempt, query)))
    ]
    const told = written.join("\n") + JSON.stringify(failures)
    assert.include(told, "invalid_client")
    const code = new URLSearchParams(query).get("code")
    assert.isNotNull(code)
    for (const canary of [code, "canary", provider.clientSecret, "eyJ"]) assert.notInclude(told, canary)
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([recorder])))
})
