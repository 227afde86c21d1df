import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { Configuration } from "../../src/adapters/configuration.ts"
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
        CALLBACK_BATCH: "2",
        CALLBACK_INTERVAL: "1500 millis",
        CALLBACK_LEASE: "3 seconds",
        CALLBACK_TIMEOUT: "1 second",
        CALLBACK_BACKOFF: "1.5 seconds"
      })
      assert.deepStrictEqual(told, { batch: 2, interval: 1_500, lease: 3_000, timeout: 1_000, backoff: 1_500 })
    })
  )

  const leases = [
    // A sixth of the lease and the deadline of a send: together less than the lease.
    { CALLBACK_LEASE: "12001 millis" },
    { CALLBACK_LEASE: "3 seconds", CALLBACK_TIMEOUT: "2499 millis" },
    // Of a longer lease no more than five seconds are wanted.
    { CALLBACK_LEASE: "10 minutes", CALLBACK_TIMEOUT: "594999 millis" }
  ]
  for (const environment of leases) {
    it.effect(`may be ${JSON.stringify(environment)}`, () =>
      Effect.gen(function* () {
        assert.isObject(yield* paceBy(environment))
      })
    )
  }

  const wrong: ReadonlyArray<readonly [environment: Readonly<Record<string, string>>, told: RegExp]> = [
    [{ CALLBACK_BATCH: "0" }, /^CALLBACK_BATCH: /],
    [{ CALLBACK_BATCH: "1.5" }, /^CALLBACK_BATCH: /],
    [{ CALLBACK_BATCH: "1001" }, /^CALLBACK_BATCH: /],
    ...["soon", "15", "0 seconds", "-1 second", "61 minutes", "Infinity"].map(
      (duration) => [{ CALLBACK_INTERVAL: duration }, /^CALLBACK_INTERVAL: .*such as "15 seconds"/] as const
    ),
    [{ CALLBACK_BACKOFF: "0 millis" }, /^CALLBACK_BACKOFF: /],
    [{ CALLBACK_LEASE: "12 seconds" }, /^CALLBACK_LEASE: 12000 ms .*CALLBACK_TIMEOUT \(10000 ms\).*\(2000 ms\)/],
    [{ CALLBACK_TIMEOUT: "25 seconds" }, /^CALLBACK_LEASE: 30000 ms .*CALLBACK_TIMEOUT \(25000 ms\).*\(5000 ms\)/],
    [{ CALLBACK_LEASE: "3 seconds", CALLBACK_TIMEOUT: "2500 millis" }, /^CALLBACK_LEASE: 3000 ms .*\(500 ms\)/],
    [{ CALLBACK_LEASE: "10 minutes", CALLBACK_TIMEOUT: "595 seconds" }, /^CALLBACK_LEASE: 600000 ms .*\(5000 ms\)/]
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
        CALLBACK_LEASE: "12 seconds",
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
        "CALLBACK_LEASE"
      ])
    })
  )

  it.effect("that depend on a malformed one are not judged", () =>
    Effect.gen(function* () {
      assert.match(
        String(yield* paceBy({ CALLBACK_LEASE: "12", CALLBACK_TIMEOUT: "20 seconds" })),
        /^[^\n]*CALLBACK_LEASE: /
      )
      assert.notInclude(String(yield* paceBy({ CALLBACK_LEASE: "12", CALLBACK_TIMEOUT: "40 seconds" })), "\n")
    })
  )
})
