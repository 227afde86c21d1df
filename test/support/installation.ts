/** An installation: a migrated database and a key file, passed to every process by variables. */
import { generateKeyPairSync, randomBytes, type JsonWebKey } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { ConfigProvider, Effect, Layer, Logger, Redacted, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServer } from "effect/http"
import { layer as clientScripts } from "../../src/adapters/client-scripts.ts"
import { instanceCaches } from "../../src/ports/caches.ts"
import { Configuration } from "../../src/adapters/configuration.ts"
import * as Database from "../../src/adapters/database.ts"
import * as InstallationFiles from "../../src/adapters/installation.ts"
import * as RunningKeys from "../../src/adapters/running-keys.ts"
import * as MailAdapter from "../../src/adapters/mail.ts"
import * as PaymentsAdapter from "../../src/adapters/payments.ts"
import * as SignInAdapter from "../../src/adapters/sign-in/layer.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { keyPurposes } from "../../src/ports/signer.ts"
import { CapabilityPorts } from "../../src/service.ts"
import { legalDocument, legalText } from "./service.ts"

export type Environment = Readonly<Record<string, string>>

export interface TestInstallation {
  readonly connection: ConnectionOptions
  /** The variables that `countersign` needs, except its port. */
  readonly environment: Environment
  readonly publicJwk: JsonWebKey
  /** Secrets that must not appear in any log. */
  readonly secrets: ReadonlyArray<string>
}

export const installationOn = (connection: ConnectionOptions): Effect.Effect<TestInstallation, never, Scope.Scope> =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const { privateKey, publicKey } = generateKeyPairSync("ed25519")
    const jwk = privateKey.export({ format: "jwk" })
    const keysFile = path.join(directory, "issuer-keys.json")
    fs.writeFileSync(keysFile, JSON.stringify(privateKeys(jwk)))
    const secretKey = randomBytes(32).toString("hex")
    const environment = {
      DATABASE_URL: urlOf(connection),
      ISSUER_KEYS_FILE: keysFile,
      SECRET_KEY: secretKey,
      LEGAL_TEXTS_DIR: writeLegalTexts(directory)
    }
    const password = connection.password === undefined ? [] : [Redacted.value(connection.password)]
    return {
      connection,
      environment,
      publicJwk: publicKey.export({ format: "jwk" }),
      secrets: [jwk.d!, secretKey, ...password]
    }
  })

/** The variables of an installation on an empty embedded default. Its Postgres is stopped with the scope. */
export const embeddedInstallation = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const environment = { DATA_DIR: path.join(directory, "data"), LEGAL_TEXTS_DIR: writeLegalTexts(directory) }
  yield* Effect.addFinalizer(() => Effect.sync(() => killPostgres(environment.DATA_DIR)))
  return environment
})

/** Kills the postmaster of a data directory with -9; its children end when they notice. */
export const killPostgres = (dataDirectory: string): void => {
  const record = path.join(dataDirectory, "database", "postgres-18", "postmaster.pid")
  if (!fs.existsSync(record)) return
  try {
    process.kill(Number(fs.readFileSync(record, "utf8").split("\n")[0]), "SIGKILL")
  } catch {
    // It has already ended and left its pid file.
  }
}

/** The legal text that the agreements of `parties.ts` name. */
const writeLegalTexts = (directory: string): string => {
  const texts = path.join(directory, "legal")
  fs.mkdirSync(texts)
  fs.writeFileSync(path.join(texts, `${legalDocument.kind}-${legalDocument.version}.txt`), legalText)
  return texts
}

/** A directory, removed with the scope, that the unprivileged user of Postgres can traverse. */
export const temporaryDirectory: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-"))
    fs.chmodSync(directory, 0o711)
    return directory
  }),
  (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true, maxRetries: 20 }))
)

/** The ports and adapters of `countersign admin` in this environment, without a log. */
export const operator = (environment: Environment) =>
  CapabilityPorts.pipe(
    Layer.provideMerge(Layer.provideMerge(RunningKeys.layer, Database.layerBesideServer)),
    Layer.provideMerge(
      Layer.mergeAll(
        InstallationFiles.layer,
        SignInAdapter.layer,
        MailAdapter.layer,
        PaymentsAdapter.layer,
        clientScripts,
        instanceCaches
      )
    ),
    Layer.provideMerge(Layer.mergeAll(SecureRandom.layerWebCrypto, HttpServer.layerServices, Logger.layer([]))),
    Layer.provideMerge(Configuration.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment)))
  )

const privateKeys = (jwk: JsonWebKey) => ({
  schema: "service.issuer-private-keys/v1",
  issuer: "countersign-test",
  environment: "test",
  keys: [
    {
      jwk,
      validFrom: "2020-01-01T00:00:00.000Z",
      validUntil: "2120-01-01T00:00:00.000Z",
      revokedAt: null,
      purposes: keyPurposes
    }
  ]
})

/** libpq writes a socket directory as the host of a URL. */
export const urlOf = ({ url, path: socket, host, port, username, password, database }: ConnectionOptions): string => {
  const made = new URL(url === undefined ? "postgres://localhost/" : Redacted.value(url))
  if (database !== undefined) made.pathname = `/${database}`
  if (socket !== undefined) made.searchParams.set("host", path.dirname(socket))
  if (host !== undefined) made.searchParams.set("host", host)
  if (port !== undefined) made.searchParams.set("port", String(port))
  if (username !== undefined) made.searchParams.set("user", username)
  if (password !== undefined) made.searchParams.set("password", Redacted.value(password))
  return made.href
}
