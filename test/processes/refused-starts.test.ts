/** What keeps `countersign` from running is told to the operator, one line for each problem: no stack, no secret, and code 1. */
import { once } from "node:events"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { embeddedInstallation, installationOn, type Environment } from "../support/installation.ts"
import { freePort, spawnCommand, startServer } from "../support/server.ts"
import { freshService } from "../support/service.ts"

const secret = "canary-of-a-password"

interface Start {
  readonly name: string
  /** What the operator has set wrong, from what would be right. */
  readonly spoil: (right: Environment) => Environment
  readonly told: RegExp
}

const starts: ReadonlyArray<Start> = [
  {
    name: "DATABASE_URL without ISSUER_KEYS_FILE",
    spoil: ({ ISSUER_KEYS_FILE: _removed, ...rest }) => rest,
    told: /ISSUER_KEYS_FILE is missing/
  },
  {
    name: "an ISSUER_KEYS_FILE that is not there",
    spoil: (right) => ({ ...right, ISSUER_KEYS_FILE: "/nowhere/keys.json" }),
    told: /\/nowhere\/keys\.json cannot be read/
  },
  {
    name: "an ISSUER_KEYS_FILE of another form",
    spoil: (right) => ({ ...right, ISSUER_KEYS_FILE: path.resolve("package.json") }),
    told: /do not have the documented form/
  },
  {
    name: "DATABASE_URL without SECRET_KEY",
    spoil: ({ SECRET_KEY: _removed, ...rest }) => rest,
    told: /: SECRET_KEY is missing/
  },
  {
    name: "a variable whose name differs from one of ours by a letter",
    spoil: ({ DATABASE_URL: url, ...rest }) => ({ ...rest, DATBASE_URL: withPassword(url!, secret) }),
    told: /DATBASE_URL is no variable of Countersign; did you mean DATABASE_URL\?/
  },
  {
    name: "a HOST that is not of this machine",
    spoil: (right) => ({ ...right, HOST: "host.invalid" }),
    told: /: HOST: .*host\.invalid/
  },
  {
    name: "a SECRET_KEY that is too short",
    spoil: (right) => ({ ...right, SECRET_KEY: secret }),
    told: /SECRET_KEY: expected 32 bytes/
  },
  {
    name: "a SECRET_KEY_PREVIOUS that is none",
    spoil: (right) => ({ ...right, SECRET_KEY_PREVIOUS: "0".repeat(63) }),
    told: /SECRET_KEY_PREVIOUS: expected 32 bytes/
  },
  {
    name: "an OIDC_ISSUER without OIDC_CLIENT_ID",
    spoil: (right) => ({ ...right, OIDC_ISSUER: "https://login.example", OIDC_CLIENT_SECRET: secret }),
    told: /OIDC_CLIENT_ID is missing/
  },
  {
    name: "an OIDC_CLIENT_ID without OIDC_ISSUER",
    spoil: (right) => ({ ...right, OIDC_CLIENT_ID: "countersign", OIDC_CLIENT_SECRET: secret }),
    told: /OIDC_ISSUER is missing/
  },
  {
    name: "an OIDC_ISSUER beyond this machine without TLS",
    spoil: (right) => ({ ...right, OIDC_ISSUER: "http://login.example", OIDC_CLIENT_ID: "countersign" }),
    told: /OIDC_ISSUER: expected an https address/i
  },
  {
    name: "an SMTP_URL without MAIL_FROM",
    spoil: (right) => ({ ...right, SMTP_URL: `smtps://operator:${secret}@mail.example` }),
    told: /MAIL_FROM is missing/
  },
  {
    name: "an SMTP_URL of another kind",
    spoil: (right) => ({ ...right, SMTP_URL: `https://operator:${secret}@mail.example`, MAIL_FROM: "a@mail.example" }),
    told: /SMTP_URL: expected smtps/
  },
  ...["example.org", "https://example.org/pages", "ftp://example.org"].map((address) => ({
    name: `the SITE_URL ${address}`,
    spoil: (right: Record<string, string>) => ({ ...right, SITE_URL: address }),
    told: /SITE_URL.*an origin such as https:\/\/example\.org/
  })),
  {
    name: "a database that refuses the password",
    spoil: (right) => ({ ...right, DATABASE_URL: withPassword(right["DATABASE_URL"]!, secret) }),
    told: /password/
  },
  {
    name: "a database that cannot be reached",
    spoil: (right) => ({ ...right, DATABASE_URL: `postgres://operator:${secret}@127.0.0.1:1/database` }),
    told: /127\.0\.0\.1|connect/i
  },
  {
    name: "a DATABASE_URL that is none",
    spoil: (right) => ({ ...right, DATABASE_URL: `operator:${secret}@somewhere` }),
    told: /DATABASE_URL|URL/
  },
  { name: "a PORT that is no number", spoil: (right) => ({ ...right, PORT: "http" }), told: /PORT/ },
  { name: "a PORT beyond all ports", spoil: (right) => ({ ...right, PORT: "65536" }), told: /PORT|port/ },
  {
    name: "a proxy that is no address",
    spoil: (right) => ({ ...right, TRUSTED_PROXIES: "10.0.0.0/8, proxy" }),
    told: /TRUSTED_PROXIES/
  },
  {
    name: "a WEBHOOK_LEASE that ends before its send",
    spoil: (right) => ({ ...right, WEBHOOK_LEASE: "12 seconds" }),
    told: /WEBHOOK_LEASE: 12000 ms has to be more than WEBHOOK_TIMEOUT/
  },
  {
    name: "a certificate without its key",
    spoil: (right) => ({ ...right, TLS_CERT_FILE: "certificate.pem" }),
    told: /TLS_CERT_FILE and TLS_KEY_FILE belong together/
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

const assertOneLine = (output: string, told: RegExp): void => {
  assert.match(output.trimEnd(), /^countersign: [^\n]+$/, "one line, and nothing else")
  assert.match(output, told)
  assert.notInclude(output, secret)
}

const ends = (environment: Environment, command: string) =>
  Effect.promise(async (signal) => {
    const { child, ended, output } = spawnCommand(environment, command)
    signal.addEventListener("abort", () => child.kill("SIGKILL"))
    return { code: await ended, output: output() }
  })

/** What would be right: a start that is refused leaves it as it was for the next one. */
class Right extends Context.Service<Right, Environment>()("test/Right") {}
const right = Layer.effect(
  Right,
  Effect.map(Effect.flatMap(freshService, installationOn), ({ environment }) => environment)
)

describe.concurrent("serve does not start", () => {
  layer(right, { excludeTestServices: true })("on the operator's own Postgres", (it) => {
    for (const { name, spoil, told } of starts) {
      it.effect(`with ${name}, and says so in one line`, () =>
        Effect.gen(function* () {
          const environment = spoil({ ...(yield* Right), PORT: String(yield* freePort) })
          const { code, output } = yield* ends(environment, "serve")
          assertOneLine(output, told)
          assert.strictEqual(code, 1)
        })
      )
    }

    it.effect("with several problems, and says each of them on a line of its own", () =>
      Effect.gen(function* () {
        const { DATABASE_URL: url, ...environment } = yield* Right
        const { code, output } = yield* ends(
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
            ...tlsPair("nowhere.pem", "callbacks/nowhere.pem")
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

    it.effect("on a port in use, and says so in one line", () =>
      Effect.gen(function* () {
        const taken = net.createServer().listen(0, "127.0.0.1")
        yield* Effect.promise(() => once(taken, "listening"))
        yield* Effect.addFinalizer(() => Effect.sync(() => taken.close()))
        const { port } = taken.address() as net.AddressInfo
        const { code, output } = yield* ends({ ...(yield* Right), PORT: String(port) }, "serve")
        assertOneLine(output, new RegExp(`in use.*${port}`))
        assert.strictEqual(code, 1)
      })
    )
  })

  it.live("with a DATA_DIR where nothing can be made, and says so in one line", () =>
    Effect.gen(function* () {
      for (const command of ["serve", "migrate"]) {
        const { code, output } = yield* ends({ DATA_DIR: "/proc/nothing" }, command)
        assertOneLine(output, /DATA_DIR: .*\/proc/)
        assert.strictEqual(code, 1)
      }
    })
  )

  it.live("with a broken directory of people, and says so in one line before it makes anything", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const environment = yield* embeddedInstallation
        fs.mkdirSync(environment.DATA_DIR, { mode: 0o711 })
        fs.writeFileSync(path.join(environment.DATA_DIR, "directory.json"), `{"people":[]}`)
        const { code, output } = yield* ends(environment, "serve")
        assertOneLine(output, /DATA_DIR: .*directory\.json does not have the documented form/)
        assert.strictEqual(code, 1)
        assert.deepStrictEqual(fs.readdirSync(environment.DATA_DIR), ["directory.json"])
      })
    )
  )

  it.live(
    "on a data directory in use, and leaves its server alone",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const environment = yield* embeddedInstallation
          const { origin, child, ended } = yield* startServer(environment)
          const keys = fs.readFileSync(path.join(environment.DATA_DIR, "keys", "issuer-keys.json"), "utf8")
          const { code, output } = yield* ends({ ...environment, PORT: new URL(origin).port }, "serve")
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
