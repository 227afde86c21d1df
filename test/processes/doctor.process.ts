/** `countersign doctor` reports the problems that a start would, and changes nothing. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { PgConnection } from "@effect/sql-pg"
import type { Finding } from "../../src/adapters/checks/finding.ts"
import { runChecks } from "../../src/command-line/doctor.ts"
import { migrations } from "../../src/migrations/all.ts"
import { Signer } from "../../src/ports/signer.ts"
import { embeddedInstallation, installationOn, operator, type Environment } from "../support/installation.ts"
import { freshDatabase, valuesOf } from "../support/postgres.ts"
import { runCommand } from "../support/run-command.ts"
import { freePort, spawnCommand, startServer } from "../support/server.ts"
import { freshService } from "../support/service.ts"
import { startMailServer } from "../support/smtp.ts"
import { startStripeServer, testKey } from "../support/stripe/server.ts"

const examineIn = (environment: Environment) =>
  Effect.gen(function* () {
    const port = environment["PORT"] ?? String(yield* freePort)
    const provider = ConfigProvider.fromEnvRecord({ ...environment, PORT: port })
    return yield* Effect.provideService(runChecks, ConfigProvider.ConfigProvider, provider)
  })

const problemsIn = (findings: ReadonlyArray<Finding>) =>
  findings.filter(({ outcome }) => outcome === "PROBLEM").map(({ message }) => message)

const assertFound = (findings: ReadonlyArray<Finding>, outcome: Finding["outcome"], message: RegExp): void => {
  const matching = findings.filter((finding) => finding.outcome === outcome)
  assert.isTrue(
    matching.some((finding) => message.test(finding.message)),
    `${outcome} ${message} among ${JSON.stringify(findings, null, 2)}`
  )
}

describe.concurrent("doctor", () => {
  it.live("doctor finds no problem before the first start of an embedded installation, and creates nothing.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const environment = yield* embeddedInstallation
        const findings = yield* examineIn(environment)
        assert.deepStrictEqual(problemsIn(findings), [])
        assertFound(findings, "OK", /^DATA_DIR: the first start makes the issuer keys$/)
        assert.isFalse(fs.existsSync(environment.DATA_DIR))
      })
    )
  )

  it.live("doctor lists the migrations that a start would run, and runs none.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { environment, connection } = yield* installationOn(yield* freshDatabase([]))
        const findings = yield* examineIn(environment)
        assert.deepStrictEqual(problemsIn(findings), [])
        assertFound(
          findings,
          "OK",
          new RegExp(`^DATABASE_URL: .* from 0 to ${migrations.length}: ${migrations[0]!.name}, `)
        )
        const session = yield* Effect.orDie(PgConnection.make(connection))
        const [row] = yield* Effect.orDie(session.queryValues("select to_regclass('countersign_migrations')"))
        assert.deepStrictEqual(row, [null])
      })
    )
  )

  it.live("doctor finds a database that is read-only, newer than the program, or unreachable.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { environment, connection } = yield* installationOn(yield* freshService)
        assertFound(yield* examineIn(environment), "OK", /^DATABASE_URL: the schema is that of this program/)
        const session = yield* Effect.orDie(PgConnection.make(connection))
        yield* Effect.orDie(
          session.query(
            `insert into countersign_migrations (id, name, checksum) values (${migrations.length + 1}, '', '')`
          )
        )
        assertFound(
          yield* examineIn(environment),
          "OK",
          /^DATABASE_URL: .* newer than that of this program, .* works with it/
        )
        yield* Effect.orDie(
          session.query(`update countersign_migrations set kind = 'contract' where id > ${migrations.length}`)
        )
        assertFound(
          yield* examineIn(environment),
          "PROBLEM",
          /^DATABASE_URL: .* newer than this program, .*start the newer program/
        )
        const readOnly = new URL(environment["DATABASE_URL"]!)
        readOnly.searchParams.set("options", "-c default_transaction_read_only=on")
        assertFound(
          yield* examineIn({ ...environment, DATABASE_URL: readOnly.href }),
          "PROBLEM",
          /^DATABASE_URL: .*read-only/
        )
        const nowhere = "postgres://operator:canary@127.0.0.1:1/database"
        const findings = yield* examineIn({ ...environment, DATABASE_URL: nowhere })
        assertFound(findings, "PROBLEM", /^DATABASE_URL: /)
        assert.notInclude(JSON.stringify(findings), "canary")
      })
    )
  )

  it.live("doctor finds that a required synchronous standby is missing.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { environment } = yield* installationOn(yield* freshService)
        const findings = yield* examineIn({ ...environment, REQUIRE_SYNC_STANDBY: "true" })
        assertFound(findings, "PROBLEM", /^DATABASE_URL: .* commits wait for no standby: set synchronous_standby_names/)
        assertFound(yield* examineIn({ ...environment, REQUIRE_SYNC_STANDBY: "yes" }), "PROBLEM", /true or false/)
      })
    )
  )

  it.live("doctor reports each problem of settings and files in the words of a refused start.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { environment } = yield* installationOn(yield* freshService)
        const wrong = {
          ...environment,
          DATBASE_URL: "postgres://localhost/",
          PORT: "http",
          ISSUER_KEYS_FILE: path.resolve("package.json"),
          TLS_CERT_FILE: "/nowhere/certificate.pem"
        }
        const { code, output } = yield* runCommand(wrong, "serve")
        assert.strictEqual(code, 1)
        assert.deepStrictEqual(
          problemsIn(yield* examineIn(wrong)).map((message) => `countersign: ${message}`),
          output.trimEnd().split("\n")
        )
      })
    )
  )

  it.live("doctor reports each missing recorded key in the words of a refused start.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* freshService
        const { environment } = yield* installationOn(connection)
        yield* Effect.asVoid(Signer).pipe(Effect.provide(Layer.fresh(operator(environment)), { local: true }))
        assertFound(yield* examineIn(environment), "OK", /^DATABASE_URL: no key is missing/)
        const { environment: other } = yield* installationOn(connection)
        const record = Effect.zip(
          valuesOf(connection, "select secret_key_id from countersign_installation"),
          valuesOf(connection, "select kid from countersign_issuer_keys")
        )
        const before = yield* record
        const problems = problemsIn(yield* examineIn(other))
        const { code, output } = yield* runCommand({ ...other, PORT: String(yield* freePort) }, "serve")
        assert.strictEqual(code, 1)
        const [issuerKey, secretKey] = output
          .replace(/^countersign: /, "")
          .trimEnd()
          .split("; ")
        assert.deepStrictEqual(problems, [`ISSUER_KEYS_FILE: ${issuerKey}`, `SECRET_KEY: ${secretKey}`])
        assert.deepStrictEqual(yield* record, before)
      })
    )
  )

  it.live("doctor finds a restore without a new epoch, and keys missing beside a stopped database.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const environment = yield* embeddedInstallation
        const database = path.join(environment.DATA_DIR, "database")
        fs.mkdirSync(path.join(database, "postgres-18"), { recursive: true })
        fs.writeFileSync(path.join(database, "postgres-18", "PG_VERSION"), "18\n")
        const [keys, secret] = ["issuer-keys.json", "secret-key"].map((file) =>
          path.join(environment.DATA_DIR, "keys", file)
        )
        const missing = [keys, secret].map((file) => `DATA_DIR: ${file} is missing beside a database`)
        const missingKeysIn = (findings: ReadonlyArray<Finding>) =>
          problemsIn(findings).map((message) => message.split(": put")[0])
        assert.deepStrictEqual(missingKeysIn(yield* examineIn(environment)), missing)
        fs.mkdirSync(path.join(database, "restored"))
        assertFound(
          yield* examineIn(environment),
          "PROBLEM",
          /^DATA_DIR: .* was restored .* `countersign admin after-restore` first$/
        )
      })
    )
  )

  it.live("doctor contacts the mail server and the sign-in provider.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { environment } = yield* installationOn(yield* freshService)
        const { port } = yield* startMailServer()
        const mail = { MAIL_FROM: "countersign@example.org" }
        const nothing = `127.0.0.1:${yield* freePort}`
        assertFound(
          yield* examineIn({ ...environment, ...mail, SMTP_URL: `smtp://127.0.0.1:${port}` }),
          "OK",
          /^SMTP_URL: the server takes/
        )
        const findings = yield* examineIn({
          ...environment,
          ...mail,
          SMTP_URL: `smtp://${nothing}`,
          OIDC_ISSUER: `http://${nothing}`,
          OIDC_CLIENT_ID: "countersign"
        })
        assertFound(findings, "PROBLEM", /^SMTP_URL: the server cannot be used/)
        assertFound(findings, "PROBLEM", /^OIDC_ISSUER: its metadata cannot be read/)
      })
    )
  )

  it.live("doctor asks Stripe whether it takes the key, and changes nothing there.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { environment } = yield* installationOn(yield* freshService)
        const stripe = yield* startStripeServer()
        const settings = { ...environment, STRIPE_API_ORIGIN: stripe.origin }
        const taken = yield* examineIn({ ...settings, STRIPE_SECRET_KEY: testKey })
        assertFound(taken, "OK", /^STRIPE_SECRET_KEY: Stripe takes the key, which is one of its TEST mode$/)
        const refused = yield* examineIn({ ...settings, STRIPE_SECRET_KEY: "sk_test_of_nobody" })
        assertFound(
          refused,
          "PROBLEM",
          /^STRIPE_SECRET_KEY: Stripe refuses the key \(StripeAuthenticationError 401 req/
        )
        assert.deepStrictEqual([...new Set(stripe.received.map(({ method }) => method))], ["GET"])
        const nothing = { ...settings, STRIPE_API_ORIGIN: `http://127.0.0.1:${yield* freePort}` }
        const silent = yield* examineIn({ ...nothing, STRIPE_SECRET_KEY: testKey })
        assertFound(
          silent,
          "PROBLEM",
          /^STRIPE_SECRET_KEY: Stripe does not answer \(StripeConnectionError ECONNREFUSED\)/
        )
      })
    )
  )

  it.live("doctor beside a running server finds the port and the data directory in use, and the database usable.", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const environment = yield* embeddedInstallation
        const { child, ended, origin } = yield* startServer(environment)
        const PORT = new URL(origin).port
        const doctor = spawnCommand({ ...environment, PORT }, "doctor", "--json")
        assert.strictEqual(yield* Effect.promise(() => doctor.ended), 1)
        const { problems, checks } = JSON.parse(doctor.output()) as { problems: number; checks: ReadonlyArray<Finding> }
        assert.strictEqual(problems, 2, doctor.output())
        assertFound(checks, "PROBLEM", new RegExp(`^PORT: in use .*${PORT}`))
        assertFound(checks, "PROBLEM", new RegExp(`^DATA_DIR: .* in use by process ${child.pid}`))
        assertFound(checks, "OK", /^DATA_DIR: the database takes writes$/)
        assert.isTrue((yield* Effect.promise(() => fetch(`${origin}/readyz`))).ok)
        const secretKey = path.join(environment.DATA_DIR, "keys", "secret-key")
        fs.renameSync(secretKey, `${secretKey}.elsewhere`)
        assertFound(
          yield* examineIn(environment),
          "PROBLEM",
          /^DATA_DIR: the secret key with the fingerprint .* is missing/
        )
        fs.renameSync(`${secretKey}.elsewhere`, secretKey)
        child.kill("SIGTERM")
        yield* Effect.promise(() => ended)
        const after = yield* runCommand({ ...environment, PORT }, "doctor")
        assert.strictEqual(after.code, 0, after.output)
        assert.match(after.output, /^ok {7}settings: /)
      })
    )
  )
})
