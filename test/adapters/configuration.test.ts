import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { Configuration, readSettings } from "../../src/adapters/configuration.ts"
import { defaultWebhookTiming } from "../../src/ports/webhook-timing.ts"

/** The webhook timing that these variables set, or the error message. */
const timingFrom = (environment: Readonly<Record<string, string>>) =>
  Configuration.pipe(
    Effect.map(({ webhookTiming }) => webhookTiming),
    Effect.provide(
      Configuration.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment))))
    ),
    Effect.catch(({ message }) => Effect.succeed(message))
  )

describe("the timing of webhooks", () => {
  it.effect("Webhook timing has its defaults where no variable is set.", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* timingFrom({}), defaultWebhookTiming)
    })
  )

  it.effect("Webhook timing is set by its variables.", () =>
    Effect.gen(function* () {
      const message = yield* timingFrom({
        WEBHOOK_BATCH: "2",
        WEBHOOK_INTERVAL: "1500 millis",
        WEBHOOK_LEASE: "3 seconds",
        WEBHOOK_TIMEOUT: "1 second",
        WEBHOOK_BACKOFF: "1.5 seconds"
      })
      assert.deepStrictEqual(message, { batch: 2, interval: 1_500, lease: 3_000, timeout: 1_000, backoff: 1_500 })
    })
  )

  const leases = [
    // The deadline of an attempt and a sixth of the lease together must be less than the lease.
    { WEBHOOK_LEASE: "12001 millis" },
    { WEBHOOK_LEASE: "3 seconds", WEBHOOK_TIMEOUT: "2499 millis" },
    // Of a longer lease only five seconds are required.
    { WEBHOOK_LEASE: "10 minutes", WEBHOOK_TIMEOUT: "594999 millis" }
  ]
  for (const environment of leases) {
    it.effect(`Webhook timing can be ${JSON.stringify(environment)}.`, () =>
      Effect.gen(function* () {
        assert.isObject(yield* timingFrom(environment))
      })
    )
  }

  const wrong: ReadonlyArray<readonly [environment: Readonly<Record<string, string>>, expected: RegExp]> = [
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
  for (const [environment, expected] of wrong) {
    it.effect(`Webhook timing ${JSON.stringify(environment)} is refused in one line.`, () =>
      Effect.gen(function* () {
        const message = yield* timingFrom(environment)
        assert.match(String(message), expected)
        assert.notInclude(String(message), "\n")
      })
    )
  }
})

describe("problems of the settings", () => {
  it.effect("A start reports every problem of its settings at once, one line each.", () =>
    Effect.gen(function* () {
      const message = yield* timingFrom({
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

  const malformed: ReadonlyArray<readonly [environment: Readonly<Record<string, string>>, problem: string]> = [
    [{ PORT: "abc" }, "PORT: Expected a whole number from 1 to 65535"],
    [{ PORT: "0" }, "PORT: Expected a whole number from 1 to 65535"],
    [{ PORT: "8080.5" }, "PORT: Expected a whole number from 1 to 65535"],
    [{ DATABASE_CONNECTIONS: "none" }, "DATABASE_CONNECTIONS: Expected a whole number from 1"],
    ...["foo", "localhost:4318", "ftp://127.0.0.1", "http://"].map(
      (address) =>
        [
          { OTEL_EXPORTER_OTLP_ENDPOINT: address },
          "OTEL_EXPORTER_OTLP_ENDPOINT: Expected an http or https address such as http://127.0.0.1:4318"
        ] as const
    )
  ]
  for (const [environment, problem] of malformed) {
    it.effect(`The problem of ${JSON.stringify(environment)} names the expected form.`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* timingFrom(environment), problem)
      })
    )
  }

  it.effect("A setting that depends on a malformed one is not checked.", () =>
    Effect.gen(function* () {
      assert.match(
        String(yield* timingFrom({ WEBHOOK_LEASE: "12", WEBHOOK_TIMEOUT: "20 seconds" })),
        /^[^\n]*WEBHOOK_LEASE: /
      )
      assert.notInclude(String(yield* timingFrom({ WEBHOOK_LEASE: "12", WEBHOOK_TIMEOUT: "40 seconds" })), "\n")
    })
  )
})

describe("the replica", () => {
  const problemsOf = (environment: Readonly<Record<string, string>>) =>
    Effect.map(
      Effect.provideService(readSettings, ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment)),
      ({ problems }) => problems
    )

  it.effect("READ_DATABASE_URL names standbys of DATABASE_URL, and is refused without it.", () =>
    Effect.gen(function* () {
      const DATABASE_URL = "postgres://h1/db"
      assert.deepStrictEqual(yield* problemsOf({ DATABASE_URL, READ_DATABASE_URL: "postgres://h2,h3/db" }), [])
      assert.deepStrictEqual(yield* problemsOf({ READ_DATABASE_URL: "postgres://h2/db" }), [
        "DATABASE_URL is missing: READ_DATABASE_URL names replicas of its Postgres, and the embedded one has none"
      ])
      const [problem, ...others] = yield* problemsOf({ DATABASE_URL, READ_DATABASE_URL: "mysql://u:secret@h2/db" })
      assert.match(problem!, /^READ_DATABASE_URL: expected postgres:/)
      assert.deepStrictEqual([problem!.includes("secret"), others], [false, []])
    })
  )
})

describe("the former names of variables", () => {
  it.effect("CALLBACK_LEASE is read as WEBHOOK_LEASE, and the start warns about it.", () =>
    Effect.gen(function* () {
      const provider = ConfigProvider.fromEnvRecord({ CALLBACK_LEASE: "40 seconds" })
      const { configuration, warnings, problems } = yield* Effect.provideService(
        readSettings,
        ConfigProvider.ConfigProvider,
        provider
      )
      assert.strictEqual(configuration.webhookTiming.lease, 40_000)
      assert.deepStrictEqual(warnings, [
        "CALLBACK_LEASE is now called WEBHOOK_LEASE; a later version ignores the former name"
      ])
      assert.deepStrictEqual(problems, [])
    })
  )

  it.effect("A malformed value under a former name is refused", () =>
    Effect.gen(function* () {
      assert.match(String(yield* timingFrom({ CALLBACK_INTERVAL: "soon" })), /^WEBHOOK_INTERVAL: /)
    })
  )

  it.effect("A variable under both of its names is refused", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* timingFrom({ CALLBACK_BATCH: "10", WEBHOOK_BATCH: "20" }),
        "CALLBACK_BATCH and WEBHOOK_BATCH are two names of one variable; unset CALLBACK_BATCH"
      )
    })
  )
})
