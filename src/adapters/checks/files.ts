/** Checks the files that a start reads, without creating any: readable, of the documented form, and valid now. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Option } from "effect"
import { missingPurposes } from "../../ports/signer.ts"
import { now } from "../../vocabulary/instant.ts"
import { ConfigurationError, type Settings } from "../configuration.ts"
import { codeOf, nearestExisting, tryWriting } from "../directories.ts"
import { hasCluster } from "../embedded-postgres/cluster.ts"
import { firstInaccessibleDirectory, postgresUser } from "../embedded-postgres/paths.ts"
import { readPrerequisites, readTexts } from "../installation.ts"
import { readKeys } from "../issuer-keys.ts"
import { readSecretKey } from "../secret-key.ts"
import { readDirectory } from "../sign-in/directory.ts"
import { readTls } from "../tls.ts"
import { findingOf, ok, problem, skipped, type Finding } from "./finding.ts"

type Findings = Effect.Effect<ReadonlyArray<Finding>>

const none: Findings = Effect.succeed([])
const one = (finding: Effect.Effect<Finding>): Findings => Effect.map(finding, (only) => [only])

/** True where this installation runs the embedded Postgres. */
export const isEmbedded = ({ present }: Settings): boolean => !present.has("DATABASE_URL")

/** The files of every command. */
export const fileFindings = (settings: Settings): Findings =>
  Effect.map(
    Effect.all([
      dataDirectoryFinding(settings),
      issuerKeysFindings(settings),
      secretKeyFindings(settings),
      legalFindings(settings)
    ]),
    (findings) => findings.flat()
  )

/** The files that `serve` alone needs. */
export const serverFileFindings = (settings: Settings): Findings =>
  Effect.map(Effect.all([directoryFinding(settings), tlsFindings(settings)]), (findings) => findings.flat())

const dataDirectoryFinding = (settings: Settings) =>
  Effect.sync((): Finding => {
    const directory = path.resolve(settings.configuration.dataDirectory)
    if (!isEmbedded(settings)) return skipped("DATA_DIR: not used with DATABASE_URL")
    const existing = nearestExisting(directory)
    try {
      if (!fs.statSync(existing).isDirectory()) return problem(`DATA_DIR: ${existing} is no directory`)
      tryWriting(existing)
    } catch (cause) {
      return problem(`DATA_DIR: no file can be made in ${existing} (${codeOf(cause)}): choose another place`)
    }
    const obstacle = firstInaccessibleDirectory(existing, postgresUser())
    if (obstacle !== undefined && obstacle !== directory && !obstacle.startsWith(directory)) {
      return problem(
        `DATA_DIR: started by root, Postgres runs as nobody and cannot enter ${obstacle}: choose another place, or another user`
      )
    }
    const { bavail, bsize } = fs.statfsSync(existing)
    const free = `${Math.floor((bavail * bsize) / 1_000_000)} MB free`
    return ok(
      existing === directory
        ? `DATA_DIR: ${directory}, ${free}`
        : `DATA_DIR: the first start makes ${directory}, ${free}`
    )
  })

const issuerKeysFindings = (settings: Settings): Findings => {
  const { issuerKeysFile, dataDirectory } = settings.configuration
  if (Option.isSome(issuerKeysFile)) return keysFindings("ISSUER_KEYS_FILE", issuerKeysFile.value)
  // Missing beside DATABASE_URL: a problem of the settings.
  if (!isEmbedded(settings)) return none
  const file = path.join(dataDirectory, "keys", "issuer-keys.json")
  return fs.existsSync(file) ? keysFindings("DATA_DIR", file) : absentKey(dataDirectory, "the issuer keys")
}

/** Beside a cluster, whether a key may be absent depends on the database, which this check does not read. */
const absentKey = (dataDirectory: string, what: string): Findings =>
  hasCluster(path.resolve(dataDirectory, "database"))
    ? none
    : Effect.succeed([ok(`DATA_DIR: the first start makes ${what}`)])

const keysFindings = (variable: string, file: string) =>
  one(
    findingOf(Effect.all([readKeys(file), now]), {
      variable,
      onSuccess: ([{ keys }, moment]) => {
        const valid = keys.keys.filter((key) => missingPurposes({ ...keys, keys: [key] }, moment).length < 3)
        const until = valid.map(({ validUntil }) => validUntil).sort()
        return `the issuer keys in ${file} sign now; the first of them ends ${until[0]}`
      }
    })
  )

const secretKeyFindings = (settings: Settings): Findings => {
  const { secretKey, dataDirectory } = settings.configuration
  // The settings are checked for its form, and for its absence.
  if (Option.isSome(secretKey) || !isEmbedded(settings)) return none
  const file = path.join(dataDirectory, "keys", "secret-key")
  return fs.existsSync(file)
    ? one(findingOf(readSecretKey(file), { variable: "DATA_DIR", onSuccess: () => `the secret key is in ${file}` }))
    : absentKey(dataDirectory, "the secret key")
}

const legalFindings = ({ configuration: { legalTextsDirectory } }: Settings): Findings => {
  if (Option.isNone(legalTextsDirectory)) {
    return Effect.succeed([ok("LEGAL_TEXTS_DIR: not set; an example text that binds nobody is served")])
  }
  const directory = legalTextsDirectory.value
  const variable = "LEGAL_TEXTS_DIR"
  const texts = findingOf(readTexts(directory), {
    variable,
    onSuccess: (texts) => `${directory} holds ${texts.map(({ kind, version }) => `${kind} ${version}`).join(", ")}`
  })
  const prerequisites = findingOf(readPrerequisites(directory), {
    variable,
    onSuccess: (prerequisites) => {
      const unmet = prerequisites.filter(({ met }) => !met).map(({ id }) => id)
      const blocked = unmet.length === 0 ? "all met" : `not met: ${unmet.join(", ")}; no new agreement can be made`
      return prerequisites.length === 0 ? "no prerequisites" : `${prerequisites.length} prerequisites, ${blocked}`
    }
  })
  return Effect.all([texts, prerequisites])
}

const directoryFinding = (settings: Settings): Effect.Effect<Finding> => {
  const { dataDirectory } = settings.configuration
  if (settings.present.has("OIDC_ISSUER")) return Effect.succeed(skipped("DATA_DIR: people sign in at OIDC_ISSUER"))
  if (!isEmbedded(settings)) {
    return Effect.succeed(skipped("OIDC_ISSUER: not set; with DATABASE_URL people cannot sign in without it"))
  }
  return findingOf(readDirectory(dataDirectory), {
    variable: "DATA_DIR",
    onSuccess: ({ people }) =>
      people.length === 0 ? "the first start makes the person who can sign in" : `${people.length} can sign in`
  })
}

const tlsFindings = ({ configuration }: Settings): Findings =>
  Effect.gen(function* () {
    const pair = yield* readTls(configuration)
    if (Option.isNone(pair)) return [skipped("TLS_CERT_FILE: not set; a proxy has to end TLS for other machines")]
    const { validFrom, validTo } = pair.value.certificate
    return [ok(`TLS_CERT_FILE: valid from ${validFrom} to ${validTo}, with its key`)]
  }).pipe(
    Effect.catch((error: ConfigurationError) => Effect.succeed(error.problems.map((message) => problem(message))))
  )
