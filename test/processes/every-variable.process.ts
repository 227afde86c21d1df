/** All documented variables work together: one start with every variable set. */
import * as fs from "node:fs"
import * as https from "node:https"
import * as path from "node:path"
import { randomBytes } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { variables } from "../../src/adapters/variables.ts"
import { documentedVariables } from "../support/documented-variables.ts"
import { installationOn, temporaryDirectory } from "../support/installation.ts"
import { freePort, spawnCommand } from "../support/server.ts"
import { freshService } from "../support/service.ts"

const tls = path.resolve(import.meta.dirname, "../support/tls")
const ca = fs.readFileSync(path.join(tls, "certificate.pem"))

/** Each stands beside a file of the same key, which is set instead. */
const replacedByFiles = ["SECRET_KEY", "SECRET_KEY_PREVIOUS"]

const secretKeyFiles = (directory: string, secretKey: string) => {
  const files = {
    SECRET_KEY_FILE: path.join(directory, "secret-key"),
    SECRET_KEY_PREVIOUS_FILE: path.join(directory, "secret-key-previous")
  }
  fs.writeFileSync(files.SECRET_KEY_FILE, secretKey)
  fs.writeFileSync(files.SECRET_KEY_PREVIOUS_FILE, randomBytes(32).toString("base64"))
  return files
}

/** A value for each variable except those of the installation. A documented variable missing here fails the test. */
const valuesWith = (ports: { readonly serve: number; readonly metrics: number }, dataDirectory: string) => ({
  DATABASE_CONNECTIONS: "4",
  READ_DATABASE_URL: "postgres://reader@127.0.0.1:1,127.0.0.1:2/countersign?target_session_attrs=standby",
  OIDC_ISSUER: "https://login.example",
  OIDC_CLIENT_ID: "countersign",
  OIDC_CLIENT_SECRET: "a-secret",
  SMTP_URL: "smtps://operator:password@127.0.0.1:1",
  MAIL_FROM: "countersign@example.org",
  STRIPE_SECRET_KEY: "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
  STRIPE_WEBHOOK_SECRETS: "whsec_12345678, whsec_23456789",
  STRIPE_API_ORIGIN: "http://127.0.0.1:1",
  PAYMENT_CURRENCIES: "EUR, USD",
  DATA_DIR: dataDirectory,
  HOST: "127.0.0.1",
  PORT: String(ports.serve),
  SITE_URL: `https://localhost:${ports.serve}`,
  TLS_CERT_FILE: path.join(tls, "certificate.pem"),
  TLS_KEY_FILE: path.join(tls, "key.pem"),
  TRUSTED_PROXIES: "10.0.0.0/8, ::1",
  REQUESTS_IN_FLIGHT: "100",
  RATE_PER_CREDENTIAL: "1000",
  RATE_PER_ADDRESS: "1000",
  REQUIRE_SYNC_STANDBY: "false",
  WEBHOOK_BATCH: "10",
  WEBHOOK_INTERVAL: "10 seconds",
  WEBHOOK_LEASE: "20 seconds",
  WEBHOOK_TIMEOUT: "5 seconds",
  WEBHOOK_BACKOFF: "10 seconds",
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
  METRICS_PORT: String(ports.metrics)
})

const statusOf = (url: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    https
      .get(url, { ca, servername: "localhost" }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      .on("error", () => resolve(undefined))
  })

it("docs/operating/running.md documents exactly the variables that a start reads.", () => {
  assert.deepStrictEqual([...documentedVariables].sort(), [...variables].sort())
})

it.live(
  "With every documented variable set, serve starts, answers metrics, readiness and pages, and ends on SIGTERM.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { environment } = yield* installationOn(yield* freshService)
        const ports = { serve: yield* freePort, metrics: yield* freePort }
        const directory = yield* temporaryDirectory
        const { SECRET_KEY: secretKey = "", ...others } = environment
        const every = { ...others, ...secretKeyFiles(directory, secretKey), ...valuesWith(ports, directory) }
        const variablesSet = documentedVariables.filter((name) => !replacedByFiles.includes(name))
        assert.deepStrictEqual(Object.keys(every).sort(), [...variablesSet].sort())
        const { child, ended, output } = yield* Effect.acquireRelease(
          Effect.sync(() => spawnCommand(every, "serve")),
          ({ child, ended }) => Effect.promise(() => (child.kill("SIGKILL"), ended))
        )
        const origin = every.SITE_URL
        while ((yield* Effect.promise(() => statusOf(`${origin}/readyz`))) !== 200) {
          assert.isNull(child.exitCode, output())
          yield* Effect.sleep(50)
        }
        assert.strictEqual(yield* Effect.promise(() => statusOf(`${origin}/workspace/`)), 200)
        // The service is ready before its workers are, and before it prints anything.
        while (!output().includes("  next ")) yield* Effect.sleep(50)
        assert.include(output(), "\n  payments       STRIPE, TEST, in EUR, USD\n")
        const metrics = `http://127.0.0.1:${ports.metrics}`
        const metricsText = yield* Effect.promise(async () => (await fetch(`${metrics}/metrics?x=1`)).text())
        assert.include(metricsText, `countersign_http_requests_total{method="GET",status="200"}`)
        assert.match(metricsText, /^countersign_key_expiry_seconds\{purpose="EVENT"\} [1-9]\d{8,}$/m)
        // The service is not reachable on the port of the metrics.
        assert.strictEqual((yield* Effect.promise(() => fetch(`${metrics}/readyz`))).status, 404)
        child.kill("SIGTERM")
        assert.strictEqual(yield* Effect.promise(() => ended), 0, output())
      })
    )
)
