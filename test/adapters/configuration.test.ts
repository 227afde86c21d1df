import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { Configuration, readSettings } from "../../src/adapters/configuration.ts"
import { specifiedPace } from "../../src/ports/callback-pace.ts"

/** The pace that these variables make, or what is wrong with them. */
const paceBy = (environment: Readonly<Record<string, string>>) =>
  Configuration.pipe(
    Effect.map(({ callbackPace }) => callbackPace),
    Effect.provide(
      Configuration.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment))))
    ),
    Effect.catch(({ message }) => Effect.succeed(message))
  )

describe("the pace of callbacks", () => {
  it.effect("is the specified one where nothing is set", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* paceBy({}), specifiedPace)
    })
  )

  it.effect("is what the variables say: here a tenth of everything", () =>
    Effect.gen(function* () {
      const told = yield* paceBy({
        WEBHOOK_BATCH: "2",
        WEBHOOK_INTERVAL: "1500 millis",
        WEBHOOK_LEASE: "3 seconds",
        WEBHOOK_TIMEOUT: "1 second",
        WEBHOOK_BACKOFF: "1.5 seconds"
      })
      assert.deepStrictEqual(told, { batch: 2, interval: 1_500, lease: 3_000, timeout: 1_000, backoff: 1_500 })
    })
  )

  const leases = [
    // A sixth of the lease and the deadline of a send: together less than the lease.
    { WEBHOOK_LEASE: "12001 millis" },
    { WEBHOOK_LEASE: "3 seconds", WEBHOOK_TIMEOUT: "2499 millis" },
    // Of a longer lease no more than five seconds are wanted.
    { WEBHOOK_LEASE: "10 minutes", WEBHOOK_TIMEOUT: "594999 millis" }
  ]
  for (const environment of leases) {
    it.effect(`may be ${JSON.stringify(environment)}`, () =>
      Effect.gen(function* () {
        assert.isObject(yield* paceBy(environment))
      })
    )
  }

  const wrong: ReadonlyArray<readonly [environment: Readonly<Record<string, string>>, told: RegExp]> = [
    [{ WEBHOOK_BATCH: "0" }, /^WEBHOOK_BATCH: /],
    [{ WEBHOOK_BATCH: "1.5" }, /^WEBHOOK_BATCH: /],
    [{ WEBHOOK_BATCH: "1001" }, /^WEBHOOK_BATCH: /],
    ...["soon", "15", "0 seconds", "-1 second", "61 minutes", "Infinity"].map(
      (duration) => [{ WEBHOOK_INTERVAL: duration }, /^WEBHOOK_INTERVAL: .*such as "15 seconds"/] as const
    ),
    [{ WEBHOOK_BACKOFF: "0 millis" }, /^WEBHOOK_BACKOFF: /],
    [{ WEBHOOK_LEASE: "12 seconds" }, /^WEBHOOK_LEASE: 12000 ms .*WEBHOOK_TIMEOUT \(10000 ms\).*\(2000 ms\)/],
    [{ WEBHOOK_TIMEOUT: "25 seconds" }, /^WEBHOOK_LEASE: 30000 ms .*WEBHOOK_TIMEOUT \(25000 ms\).*\(5000 ms\)/],
    [{ WEBHOOK_LEASE: "3 seconds", WEBHOOK_TIMEOUT: "2500 millis" }, /^WEBHOOK_LEASE: 3000 ms .*\(500 ms\)/],
    [{ WEBHOOK_LEASE: "10 minutes", WEBHOOK_TIMEOUT: "595 seconds" }, /^WEBHOOK_LEASE: 600000 ms .*\(5000 ms\)/]
  ]
  for (const [environment, told] of wrong) {
    it.effect(`is refused for ${JSON.stringify(environment)}, on one line`, () =>
      Effect.gen(function* () {
        const message = yield* paceBy(environment)
        assert.match(String(message), told)
        assert.notInclude(String(message), "\n")
      })
    )
  }
})

describe("the settings", () => {
  it.effect("are refused with every problem at once, one line each", () =>
    Effect.gen(function* () {
      const message = yield* paceBy({
        DATBASE_URL: "postgres://localhost/",
        PORT: "70000",
        TLS_KEY_FILE: "key.pem",
        TRUSTED_PROXIES: "proxy",
        WEBHOOK_LEASE: "12 seconds",
        SECRET_KEY: "short"
      })
      const names = String(message)
        .split("\n")
        .map((line) => line.split(/[: ]/)[0])
      assert.deepStrictEqual(names, [
        "DATBASE_URL",
        "PORT",
        "TRUSTED_PROXIES",
        "SECRET_KEY",
        "TLS_CERT_FILE",
        "WEBHOOK_LEASE"
      ])
    })
  )

  it.effect("that depend on a malformed one are not judged", () =>
    Effect.gen(function* () {
      assert.match(
        String(yield* paceBy({ WEBHOOK_LEASE: "12", WEBHOOK_TIMEOUT: "20 seconds" })),
        /^[^\n]*WEBHOOK_LEASE: /
      )
      assert.notInclude(String(yield* paceBy({ WEBHOOK_LEASE: "12", WEBHOOK_TIMEOUT: "40 seconds" })), "\n")
    })
  )
})

describe("the former names of variables", () => {
  it.effect("CALLBACK_LEASE is read as WEBHOOK_LEASE, and the start warns about it", () =>
    Effect.gen(function* () {
      const provider = ConfigProvider.fromEnvRecord({ CALLBACK_LEASE: "40 seconds" })
      const { configuration, warnings, problems } = yield* Effect.provideService(
        readSettings,
        ConfigProvider.ConfigProvider,
        provider
      )
      assert.strictEqual(configuration.callbackPace.lease, 40_000)
      assert.deepStrictEqual(warnings, [
        "CALLBACK_LEASE is now called WEBHOOK_LEASE; a later version ignores the former name"
      ])
      assert.deepStrictEqual(problems, [])
    })
  )

  it.effect("A malformed value under a former name is refused", () =>
    Effect.gen(function* () {
      assert.match(String(yield* paceBy({ CALLBACK_INTERVAL: "soon" })), /^WEBHOOK_INTERVAL: /)
    })
  )

  it.effect("A variable under both of its names is refused", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* paceBy({ CALLBACK_BATCH: "10", WEBHOOK_BATCH: "20" }),
        "CALLBACK_BATCH and WEBHOOK_BATCH are two names of one variable; unset CALLBACK_BATCH"
      )
    })
  )
})
