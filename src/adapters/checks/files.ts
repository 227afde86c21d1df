/** Checks the files that a start reads, without creating any: readable, of the documented form, and valid now. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Option, Result } from "effect"
import { certificateWarnings, keyWarnings } from "../../ports/key-expiry.ts"
import { missingPurposes } from "../../ports/signer.ts"
import { now } from "../../vocabulary/instant.ts"
import { ConfigurationError, type Settings } from "../configuration.ts"
import { codeOf, nearestExisting, tryWriting } from "../directories.ts"
import { hasCluster } from "../embedded-postgres/cluster.ts"
import { firstInaccessibleDirectory, postgresUser } from "../embedded-postgres/paths.ts"
import { readPrerequisites, readTexts } from "../installation.ts"
import { readKeys } from "../issuer-keys.ts"
import { readPreviousKey, readSecretKey } from "../secret-key.ts"
import { readDirectory } from "../sign-in/directory.ts"
import { clientScriptFinding } from "../client-scripts.ts"
import { endOfCertificate, readTls } from "../tls.ts"
import { findingOf, ok, problem, problemWith, skipped, warning, type Finding } from "./finding.ts"

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
  Effect.map(
    Effect.all([directoryFinding(settings), tlsFindings(settings), one(Effect.sync(clientScriptFinding))]),
    (findings) => findings.flat()
  )

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

const keysFindings = (variable: string, file: string): Findings =>
  Effect.gen(function* () {
    const moment = yield* now
    const read = yield* Effect.result(readKeys(file))
    if (Result.isFailure(read)) return [problemWith(variable, read.failure.message)]
    const { keys } = read.success
    const valid = keys.keys.filter((key) => missingPurposes({ ...keys, keys: [key] }, moment).length < 3)
    const until = valid.map(({ validUntil }) => validUntil).sort()
    return [
      ok(`${variable}: the issuer keys in ${file} sign now; the first of them ends ${until[0]}`),
      ...keyWarnings(keys, moment).map((sentence) => warning(`${variable}: ${sentence}`))
    ]
  })

const secretKeyFindings = (settings: Settings): Findings => {
  const { secretKeyPrevious, secretKeyPreviousFile } = settings.configuration
  // The settings are checked for both at once.
  if (Option.isNone(secretKeyPreviousFile) || Option.isSome(secretKeyPrevious)) return currentKeyFindings(settings)
  const file = secretKeyPreviousFile.value
  const previous = findingOf(readPreviousKey(file), {
    variable: "SECRET_KEY_PREVIOUS_FILE",
    onSuccess: (key) =>
      key === undefined ? `${file} is empty: no previous key` : `the previous secret key is in ${file}`
  })
  return Effect.zipWith(currentKeyFindings(settings), previous, (current, finding) => [...current, finding])
}

const currentKeyFindings = (settings: Settings): Findings => {
  const { secretKey, secretKeyFile, dataDirectory } = settings.configuration
  // The settings are checked for its form, for its absence, and for a file beside it.
  if (Option.isSome(secretKey)) return none
  if (Option.isSome(secretKeyFile)) return one(secretKeyFinding("SECRET_KEY_FILE", secretKeyFile.value))
  if (!isEmbedded(settings)) return none
  const file = path.join(dataDirectory, "keys", "secret-key")
  return fs.existsSync(file) ? one(secretKeyFinding("DATA_DIR", file)) : absentKey(dataDirectory, "the secret key")
}

const secretKeyFinding = (variable: string, file: string) =>
  findingOf(readSecretKey(file), { variable, onSuccess: () => `the secret key is in ${file}` })

const legalFindings = ({ configuration: { legalTextsDirectory } }: Settings): Findings => {
  if (Option.isNone(legalTextsDirectory)) {
    return Effect.succeed([ok("LEGAL_TEXTS_DIR: not set; an example text that binds no party is served")])
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
      people.length === 0 ? "the first start makes the person who can sign in" : peopleText(people.length)
  })
}

const peopleText = (count: number): string => (count === 1 ? "1 person can sign in" : `${count} people can sign in`)

const tlsFindings = ({ configuration }: Settings): Findings =>
  Effect.gen(function* () {
    const pair = yield* readTls(configuration)
    if (Option.isNone(pair)) return [skipped("TLS_CERT_FILE: not set; a proxy has to end TLS for other machines")]
    const { validFrom, validTo } = pair.value.certificate
    const expiring = certificateWarnings(endOfCertificate(pair.value), yield* now)
    return [
      ok(`TLS_CERT_FILE: valid from ${validFrom} to ${validTo}, with its key`),
      ...expiring.map((sentence) => warning(`TLS_CERT_FILE: ${sentence}`))
    ]
  }).pipe(
    Effect.catch((error: ConfigurationError) => Effect.succeed(error.problems.map((message) => problem(message))))
  )
