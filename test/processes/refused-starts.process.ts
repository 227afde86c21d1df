/**
 * Problems that prevent a start are printed, one line each: no stack trace, no secret, and exit code 1. The tables run the
 * command in this process; starts with several problems, on a used port and on a used directory are processes.
 */
import { once } from "node:events"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { embeddedInstallation, installationOn, type Environment } from "../support/installation.ts"
import { runCommand } from "../support/run-command.ts"
import { freePort, spawnCommand, startServer } from "../support/server.ts"
import { freshService } from "../support/service.ts"

const secret = "canary-of-a-password"
const testKey = "sk_test_canary_of_a_key"
const liveKey = "sk_live_canary_of_a_key"

interface Start {
  readonly name: string
  /** Derives the wrong settings from valid ones. */
  readonly change: (valid: Environment) => Environment
  readonly expected: RegExp
}

/** Settings of payments, beside valid ones. */
const paymentSettings: ReadonlyArray<readonly [name: string, variables: Environment, expected: RegExp]> = [
  ["a key that is none of Stripe's", { STRIPE_SECRET_KEY: secret }, /STRIPE_SECRET_KEY: expected a secret or restr/],
  ["a key of Stripe's without its mode", { STRIPE_SECRET_KEY: `sk_${secret}` }, /STRIPE_SECRET_KEY: expected a secre/],
  [
    "a publishable key",
    { STRIPE_SECRET_KEY: "pk_test_12345678" },
    /STRIPE_SECRET_KEY: expected a secret or restricted/
  ],
  [
    "a live key for a server of the test mode",
    { STRIPE_SECRET_KEY: liveKey, STRIPE_API_ORIGIN: "http://127.0.0.1:1", SITE_URL: "https://example.org" },
    /STRIPE_API_ORIGIN: a live key is sent to https:\/\/api\.stripe\.com only/
  ],
  [
    "a live key for a site without TLS",
    { STRIPE_SECRET_KEY: liveKey, SITE_URL: "http://example.org" },
    /SITE_URL: with a live key of Stripe it has to be an https origin/
  ],
  [
    "a STRIPE_API_ORIGIN on another machine without TLS",
    { STRIPE_SECRET_KEY: testKey, STRIPE_API_ORIGIN: "http://stripe.example" },
    /STRIPE_API_ORIGIN.*an https origin such as https:\/\/api\.stripe\.com/i
  ],
  [
    "a webhook secret that is none",
    { STRIPE_SECRET_KEY: testKey, STRIPE_WEBHOOK_SECRETS: `whsec_12345678,${secret}` },
    /STRIPE_WEBHOOK_SECRETS: expected 1 to 5 signing secrets/
  ],
  [
    "a webhook secret twice",
    { STRIPE_SECRET_KEY: testKey, STRIPE_WEBHOOK_SECRETS: "whsec_12345678,whsec_12345678" },
    /STRIPE_WEBHOOK_SECRETS: expected 1 to 5 signing secrets/
  ],
  [
    "a webhook secret without a key",
    { STRIPE_WEBHOOK_SECRETS: "whsec_12345678" },
    /STRIPE_SECRET_KEY is missing: without it STRIPE_WEBHOOK_SECRETS has no effect/
  ],
  ...["EUR,XTS", "eur", "ISK", ","].map(
    (currencies) =>
      [
        `the PAYMENT_CURRENCIES ${currencies}`,
        { STRIPE_SECRET_KEY: testKey, PAYMENT_CURRENCIES: currencies },
        /PAYMENT_CURRENCIES.*ISO 4217 codes such as EUR/i
      ] as const
  )
]

const paymentStarts = paymentSettings.map(([name, variables, expected]): Start => ({
  name,
  change: (valid) => ({ ...valid, ...variables }),
  expected
}))

const starts: ReadonlyArray<Start> = [
  {
    name: "DATABASE_URL without ISSUER_KEYS_FILE",
    change: ({ ISSUER_KEYS_FILE: _removed, ...rest }) => rest,
    expected: /ISSUER_KEYS_FILE is missing/
  },
  {
    name: "a missing ISSUER_KEYS_FILE",
    change: (valid) => ({ ...valid, ISSUER_KEYS_FILE: "/nowhere/keys.json" }),
    expected: /\/nowhere\/keys\.json cannot be read/
  },
  {
    name: "a malformed ISSUER_KEYS_FILE",
    change: (valid) => ({ ...valid, ISSUER_KEYS_FILE: path.resolve("package.json") }),
    expected: /do not have the documented form/
  },
  {
    name: "DATABASE_URL without SECRET_KEY",
    change: ({ SECRET_KEY: _removed, ...rest }) => rest,
    expected: /: SECRET_KEY is missing/
  },
  {
    name: "a misspelled variable",
    change: ({ DATABASE_URL: url, ...rest }) => ({ ...rest, DATBASE_URL: withPassword(url!, secret) }),
    expected: /DATBASE_URL is no variable of Countersign; did you mean DATABASE_URL\?/
  },
  {
    name: "a HOST of another machine",
    change: (valid) => ({ ...valid, HOST: "host.invalid" }),
    expected: /: HOST: .*host\.invalid/
  },
  {
    name: "a SECRET_KEY that is too short",
    change: (valid) => ({ ...valid, SECRET_KEY: secret }),
    expected: /SECRET_KEY: expected 32 bytes/
  },
  {
    name: "SECRET_KEY beside SECRET_KEY_FILE",
    change: (valid) => ({ ...valid, SECRET_KEY_FILE: valid["ISSUER_KEYS_FILE"]! }),
    expected: /SECRET_KEY_FILE: SECRET_KEY gives the same key; unset one of them/
  },
  {
    name: "SECRET_KEY_PREVIOUS beside SECRET_KEY_PREVIOUS_FILE",
    change: (valid) => ({ ...valid, SECRET_KEY_PREVIOUS: "0".repeat(64), SECRET_KEY_PREVIOUS_FILE: "/nowhere" }),
    expected: /SECRET_KEY_PREVIOUS_FILE: SECRET_KEY_PREVIOUS gives the same key; unset one of them/
  },
  {
    name: "a malformed SECRET_KEY_PREVIOUS",
    change: (valid) => ({ ...valid, SECRET_KEY_PREVIOUS: "0".repeat(63) }),
    expected: /SECRET_KEY_PREVIOUS: expected 32 bytes/
  },
  {
    name: "an OIDC_ISSUER without OIDC_CLIENT_ID",
    change: (valid) => ({ ...valid, OIDC_ISSUER: "https://login.example", OIDC_CLIENT_SECRET: secret }),
    expected: /OIDC_CLIENT_ID is missing/
  },
  {
    name: "an OIDC_CLIENT_ID without OIDC_ISSUER",
    change: (valid) => ({ ...valid, OIDC_CLIENT_ID: "countersign", OIDC_CLIENT_SECRET: secret }),
    expected: /OIDC_ISSUER is missing/
  },
  {
    name: "an OIDC_ISSUER on another machine without TLS",
    change: (valid) => ({ ...valid, OIDC_ISSUER: "http://login.example", OIDC_CLIENT_ID: "countersign" }),
    expected: /OIDC_ISSUER: expected an https address/i
  },
  {
    name: "an SMTP_URL without MAIL_FROM",
    change: (valid) => ({ ...valid, SMTP_URL: `smtps://operator:${secret}@mail.example` }),
    expected: /MAIL_FROM is missing/
  },
  {
    name: "an SMTP_URL with another scheme",
    change: (valid) => ({ ...valid, SMTP_URL: `https://operator:${secret}@mail.example`, MAIL_FROM: "a@mail.example" }),
    expected: /SMTP_URL: expected smtps/
  },
  ...paymentStarts,
  ...["example.org", "https://example.org/pages", "ftp://example.org"].map((address) => ({
    name: `the SITE_URL ${address}`,
    change: (valid: Record<string, string>) => ({ ...valid, SITE_URL: address }),
    expected: /SITE_URL.*an origin such as https:\/\/example\.org/
  })),
  {
    name: "a database that refuses the password",
    change: (valid) => ({ ...valid, DATABASE_URL: withPassword(valid["DATABASE_URL"]!, secret) }),
    expected: /password/
  },
  {
    name: "a database that cannot be reached",
    change: (valid) => ({ ...valid, DATABASE_URL: `postgres://operator:${secret}@127.0.0.1:1/database` }),
    expected: /127\.0\.0\.1|connect/i
  },
  {
    name: "a malformed DATABASE_URL",
    change: (valid) => ({ ...valid, DATABASE_URL: `operator:${secret}@somewhere` }),
    expected: /DATABASE_URL|URL/
  },
  { name: "a PORT that is not a number", change: (valid) => ({ ...valid, PORT: "http" }), expected: /PORT/ },
  { name: "a PORT above 65535", change: (valid) => ({ ...valid, PORT: "65536" }), expected: /PORT|port/ },
  {
    name: "a trusted proxy that is not an address",
    change: (valid) => ({ ...valid, TRUSTED_PROXIES: "10.0.0.0/8, proxy" }),
    expected: /TRUSTED_PROXIES/
  },
  {
    name: "a WEBHOOK_LEASE shorter than an attempt",
    change: (valid) => ({ ...valid, WEBHOOK_LEASE: "12 seconds" }),
    expected: /WEBHOOK_LEASE: 12000 ms has to be more than WEBHOOK_TIMEOUT/
  },
  {
    name: "a certificate without its key",
    change: (valid) => ({ ...valid, TLS_CERT_FILE: "certificate.pem" }),
    expected: /TLS_CERT_FILE and TLS_KEY_FILE belong together/
  }
]

const tlsPair = (certificate: string, key: string): Environment => {
  const folder = path.resolve(import.meta.dirname, "../support/tls")
  return { TLS_CERT_FILE: path.join(folder, certificate), TLS_KEY_FILE: path.join(folder, key) }
}

const withPassword = (url: string, password: string): string => {
  const changed = new URL(url)
  if (changed.searchParams.has("password")) changed.searchParams.set("password", password)
  else changed.password = password
  return changed.href
}

const assertOneLine = (output: string, expected: RegExp): void => {
  assert.match(output.trimEnd(), /^countersign: [^\n]+$/, "one line, and nothing else")
  assert.match(output, expected)
  assert.notMatch(output, /canary/)
}

const runToEnd = (environment: Environment, command: string) =>
  Effect.promise(async (signal) => {
    const { child, ended, output } = spawnCommand(environment, command)
    signal.addEventListener("abort", () => child.kill("SIGKILL"))
    return { code: await ended, output: output() }
  })

/** Valid settings; a refused start leaves their database unchanged. */
class ValidSettings extends Context.Service<ValidSettings, Environment>()("test/Right") {}
const valid = Layer.effect(
  ValidSettings,
  Effect.map(Effect.flatMap(freshService, installationOn), ({ environment }) => environment)
)

describe.concurrent("refused starts", () => {
  layer(valid, { excludeTestServices: true })("on a Postgres of DATABASE_URL", (it) => {
    for (const { name, change, expected } of starts) {
      it.effect(`serve is refused with ${name}, in one line.`, () =>
        Effect.gen(function* () {
          const environment = change({ ...(yield* ValidSettings), PORT: String(yield* freePort) })
          const { code, output } = yield* runCommand(environment, "serve")
          assertOneLine(output, expected)
          assert.strictEqual(code, 1)
        })
      )
    }

    it.effect("serve is refused with several problems, one line each.", () =>
      Effect.gen(function* () {
        const { DATABASE_URL: url, ...environment } = yield* ValidSettings
        const { code, output } = yield* runToEnd(
          {
            DATABASE_URL: withPassword(url!, secret),
            LEGAL_TEXTS_DIR: environment["LEGAL_TEXTS_DIR"]!,
            DATABASE_CONECTIONS: "5",
            PORT: "http",
            RATE_PER_ADDRESS: "0",
            SECRET_KEY_PREVIOUS: secret,
            SMTP_URL: `smtps://operator:${secret}@mail.example`,
            WEBHOOK_LEASE: "3 seconds",
            ISSUER_KEYS_FILE: "/nowhere/keys.json",
            ...tlsPair("nowhere.pem", "webhooks/nowhere.pem")
          },
          "serve"
        )
        assert.deepStrictEqual(
          output
            .trimEnd()
            .split("\n")
            .map((line) => /^countersign: ([A-Z_]+)(:| is) /.exec(line)?.[1]),
          [
            "DATABASE_CONECTIONS",
            "PORT",
            "RATE_PER_ADDRESS",
            "SECRET_KEY_PREVIOUS",
            "MAIL_FROM",
            "WEBHOOK_LEASE",
            "SECRET_KEY",
            "ISSUER_KEYS_FILE",
            "TLS_CERT_FILE",
            "TLS_KEY_FILE"
          ]
        )
        assert.notInclude(output, secret)
        assert.strictEqual(code, 1)
      })
    )

    it.effect("serve is refused on a port in use, in one line.", () =>
      Effect.gen(function* () {
        const taken = net.createServer().listen(0, "127.0.0.1")
        yield* Effect.promise(() => once(taken, "listening"))
        yield* Effect.addFinalizer(() => Effect.sync(() => taken.close()))
        const { port } = taken.address() as net.AddressInfo
        const { code, output } = yield* runToEnd({ ...(yield* ValidSettings), PORT: String(port) }, "serve")
        assertOneLine(output, new RegExp(`in use.*${port}`))
        assert.strictEqual(code, 1)
      })
    )
  })

  it.live("serve and migrate are refused with an unusable DATA_DIR, in one line.", () =>
    Effect.gen(function* () {
      for (const command of ["serve", "migrate"]) {
        const { code, output } = yield* runCommand({ DATA_DIR: "/proc/nothing" }, command)
        assertOneLine(output, /DATA_DIR: .*\/proc/)
        assert.strictEqual(code, 1)
      }
    })
  )

  it.live("serve is refused with a malformed directory of people, in one line and before any file is created.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const environment = yield* embeddedInstallation
        fs.mkdirSync(environment.DATA_DIR, { mode: 0o711 })
        fs.writeFileSync(path.join(environment.DATA_DIR, "directory.json"), `{"people":[]}`)
        const { code, output } = yield* runCommand(environment, "serve")
        assertOneLine(output, /DATA_DIR: .*directory\.json does not have the documented form/)
        assert.strictEqual(code, 1)
        assert.deepStrictEqual(fs.readdirSync(environment.DATA_DIR), ["directory.json"])
      })
    )
  )

  it.live(
    "serve is refused on a data directory in use, without an effect on its server.",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const environment = yield* embeddedInstallation
          const { origin, child, ended } = yield* startServer(environment)
          const keys = fs.readFileSync(path.join(environment.DATA_DIR, "keys", "issuer-keys.json"), "utf8")
          const { code, output } = yield* runToEnd({ ...environment, PORT: new URL(origin).port }, "serve")
          assertOneLine(output, /in use/)
          assert.strictEqual(code, 1)
          const { ok } = yield* Effect.promise(() => fetch(`${origin}/readyz`))
          assert.isTrue(ok)
          assert.strictEqual(keys, fs.readFileSync(path.join(environment.DATA_DIR, "keys", "issuer-keys.json"), "utf8"))
          child.kill("SIGTERM")
          yield* Effect.promise(() => ended)
        })
      ),
    180_000
  )
})
