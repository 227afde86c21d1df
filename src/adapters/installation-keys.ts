/**
 * Compares the keys of this process with those that the database records: a start is refused without a key that signed
 * the stored history or that stored secrets need. A lost key is never replaced by a generated one.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { Context, Data, Effect, Layer, Option } from "effect"
import { Secrets } from "../ports/secrets.ts"
import { Signer } from "../ports/signer.ts"
import { Configuration, requireKeys } from "./configuration.ts"
import { makeKeys, readKeys } from "./issuer-keys.ts"
import { RecordedInstallation, type ConfiguredKeys, type InstallationRecord } from "./recorded-installation.ts"
import { makeSecretKey, readSecrets } from "./secret-key.ts"

/** Names the missing keys and where to put them, in one sentence; never a key. */
export class MissingKeysError extends Data.TaggedError("MissingKeysError")<{ readonly message: string }> {}

/** The keys as the variables and files give them now. */
export interface InstallationKeys {
  readonly signer: Signer["Service"]
  readonly secrets: Secrets["Service"]
}

/** Reads both kinds of keys and generates none. */
export const readInstallationKeys = (configuration: Configuration["Service"], epoch: string) =>
  Effect.all({
    signer: readKeys(keyLocations(configuration).issuerKeys.name),
    secrets: readSecrets(configuration, epoch)
  })

/** The keys of a start: read, or generated for the embedded database where nothing depends on earlier ones. */
export const keysOfStart = Effect.gen(function* () {
  const recorded = yield* RecordedInstallation
  const configuration = yield* Configuration
  yield* requireKeys("ISSUER_KEYS_FILE", "SECRET_KEY")
  const { issuerKeys, secretKey } = keyLocations(configuration)
  yield* requireRecorded(configuration, recorded, {
    issuerKeyIds: isAbsent(issuerKeys) ? [] : undefined,
    secretKeyIds: isAbsent(secretKey) ? [] : undefined
  })
  if (isAbsent(issuerKeys)) yield* makeKeys(issuerKeys.name)
  if (isAbsent(secretKey)) yield* makeSecretKey(secretKey.name)
  return yield* readInstallationKeys(configuration, recorded.epoch)
})

/** The issuer keys alone, for a command that needs no database; never generated here. */
export const issuerKeysOnly = Layer.effect(
  Signer,
  Effect.gen(function* () {
    yield* requireKeys("ISSUER_KEYS_FILE")
    const { issuerKeys } = keyLocations(yield* Configuration)
    if (!isAbsent(issuerKeys)) return yield* readKeys(issuerKeys.name)
    return yield* missing([
      `there are no issuer keys in ${issuerKeys.name}: the first \`countersign serve\` of an installation makes them`
    ])
  })
)

export const configuredKeys = ({ signer, secrets }: InstallationKeys): ConfiguredKeys => ({
  issuerKeys: signer.keys.keys,
  secretKeyIds: secrets.keyIds
})

const idsOf = ({ issuerKeys, secretKeyIds }: ConfiguredKeys): KeyIds => ({
  issuerKeyIds: issuerKeys.map(({ kid }) => kid),
  secretKeyIds
})

/** For commands beside servers: during a rotation an operator's shell may hold other keys than the servers, and records none. */
export const layerWithoutRecording = Layer.effectContext(
  Effect.gen(function* () {
    const keys = yield* keysOfStart
    yield* requireRecordedKeys(yield* Configuration, yield* RecordedInstallation, configuredKeys(keys))
    return Context.make(Signer, keys.signer).pipe(Context.add(Secrets, keys.secrets))
  })
)

/** The keys of a process, by their ids; undefined for a kind that is not compared. */
export interface KeyIds {
  readonly issuerKeyIds: ReadonlyArray<string> | undefined
  readonly secretKeyIds: ReadonlyArray<string> | undefined
}

/** A kind of key that the database depends on and that a process does not have. */
export interface LostKeys {
  /** The setting that leads to the keys' location. */
  readonly variable: string
  readonly message: string
}

/** Every kind of key of which a recorded one is missing in a process. */
export const lostKeys = (
  configuration: Configuration["Service"],
  recorded: InstallationRecord,
  { issuerKeyIds, secretKeyIds }: KeyIds
): ReadonlyArray<LostKeys> => {
  const { issuerKeys, secretKey } = keyLocations(configuration)
  const lostIds = issuerKeyIds === undefined ? [] : recorded.issuerKeyIds.filter((kid) => !issuerKeyIds.includes(kid))
  const { secretKeyId } = recorded
  const isSecretKeyLost = secretKeyId !== null && secretKeyIds?.includes(secretKeyId) === false
  return [
    ...(lostIds.length === 0 ? [] : [lostIssuerKeys(lostIds, issuerKeys)]),
    ...(isSecretKeyLost ? [lostSecretKey(secretKeyId, secretKey)] : [])
  ]
}

/** Fails where a recorded key is not among these. */
export const requireRecordedKeys = (
  configuration: Configuration["Service"],
  recorded: InstallationRecord,
  keys: ConfiguredKeys
) => requireRecorded(configuration, recorded, idsOf(keys))

const requireRecorded = (configuration: Configuration["Service"], recorded: InstallationRecord, ids: KeyIds) => {
  const lost = lostKeys(configuration, recorded, ids)
  return lost.length === 0 ? Effect.void : missing(lost.map(({ message }) => message))
}

/** The location that a kind of key is read from. */
interface KeyLocation {
  readonly variable: string
  readonly name: string
  /** True for the files of the embedded database, which are generated where absent. */
  readonly isEmbedded: boolean
}

export const keyLocations = ({
  dataDirectory,
  issuerKeysFile,
  secretKey,
  secretKeyFile
}: Configuration["Service"]): { readonly issuerKeys: KeyLocation; readonly secretKey: KeyLocation } => {
  const embeddedFile = (file: string): KeyLocation => ({
    variable: "DATA_DIR",
    name: path.join(dataDirectory, "keys", file),
    isEmbedded: true
  })
  return {
    issuerKeys: Option.match(issuerKeysFile, {
      onNone: () => embeddedFile("issuer-keys.json"),
      onSome: (name): KeyLocation => ({ variable: "ISSUER_KEYS_FILE", name, isEmbedded: false })
    }),
    secretKey: Option.isSome(secretKey)
      ? { variable: "SECRET_KEY", name: "SECRET_KEY", isEmbedded: false }
      : Option.match(secretKeyFile, {
          onNone: () => embeddedFile("secret-key"),
          onSome: (name) => ({ variable: "SECRET_KEY_FILE", name, isEmbedded: false })
        })
  }
}

/** True for an absent file of the embedded database. */
export const isAbsent = ({ name, isEmbedded }: KeyLocation): boolean => isEmbedded && !fs.existsSync(name)

const lostIssuerKeys = (kids: ReadonlyArray<string>, { variable, name }: KeyLocation): LostKeys => {
  const [keys, are, them] = kids.length === 1 ? ["key", "is", "it"] : ["keys", "are", "them"]
  const message = `the issuer ${keys} ${kids.join(", ")} of the stored history ${are} missing: put ${them} back into ${name}`
  return { variable, message }
}

const lostSecretKey = (keyId: string, { variable, name, isEmbedded }: KeyLocation): LostKeys => {
  const into =
    variable === "SECRET_KEY"
      ? "as SECRET_KEY, or as SECRET_KEY_PREVIOUS beside a new one"
      : isEmbedded
        ? `into ${name}`
        : `into ${name}, or as SECRET_KEY_PREVIOUS_FILE beside a new one`
  return { variable, message: `the secret key with the fingerprint ${keyId} is missing: put it back ${into}` }
}

const missing = (sentences: ReadonlyArray<string>) =>
  Effect.fail(new MissingKeysError({ message: sentences.join("; ") }))
