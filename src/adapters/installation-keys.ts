/**
 * Compares the keys of this process with those that the database records: a start is refused without a key that signed
 * the stored history or that stored secrets need. A lost key is never replaced by a new one.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { Data, Effect, Layer, Option } from "effect"
import { Secrets } from "../ports/secrets.ts"
import { Signer } from "../ports/signer.ts"
import { Configuration } from "./configuration.ts"
import * as IssuerKeys from "./issuer-keys.ts"
import { RecordedInstallation, type ConfiguredKeys, type InstallationRecord } from "./recorded-installation.ts"
import * as SecretKey from "./secret-key.ts"

/** Names what is missing and where to put it, in one sentence; never a key. */
export class MissingKeysError extends Data.TaggedError("MissingKeysError")<{ readonly message: string }> {}

/** Both kinds of keys: read, or made on the embedded default where nothing depends on earlier ones, then recorded. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const recorded = yield* RecordedInstallation
    const { issuerKeys, secretKey } = placesOf(yield* Configuration)
    const lost = [
      isAbsent(issuerKeys) ? lostIssuerKeys(recorded.issuerKeyIds, issuerKeys) : [],
      isAbsent(secretKey) ? lostSecretKey(recorded.secretKeyId, secretKey) : []
    ].flat()
    if (lost.length > 0) return yield* missing(lost)
    return Layer.provideMerge(recordKeys, Layer.mergeAll(IssuerKeys.layer, SecretKey.layerOf(recorded.epoch)))
  })
)

/** The issuer keys alone, for a command that needs no database; they are never made here. */
export const issuerKeysAlone = Layer.unwrap(
  Effect.gen(function* () {
    const { issuerKeys } = placesOf(yield* Configuration)
    if (!isAbsent(issuerKeys)) return IssuerKeys.layer
    return yield* missing([
      `there are no issuer keys in ${issuerKeys.name}: the first \`countersign serve\` of an installation makes them`
    ])
  })
)

const recordKeys = Layer.effectDiscard(
  Effect.gen(function* () {
    const { record } = yield* RecordedInstallation
    const { issuerKeys, secretKey } = placesOf(yield* Configuration)
    const { keys } = (yield* Signer).keys
    const { keyIds } = yield* Secrets
    const configured: ConfiguredKeys = { issuerKeys: keys, secretKeyIds: keyIds }
    const check = ({ issuerKeyIds, secretKeyId }: InstallationRecord) => {
      const unknown = issuerKeyIds.filter((kid) => !keys.some((key) => key.kid === kid))
      const isSecretKeyHere = secretKeyId === null || keyIds.includes(secretKeyId)
      const lost = [
        ...lostIssuerKeys(unknown, issuerKeys),
        ...(isSecretKeyHere ? [] : lostSecretKey(secretKeyId, secretKey))
      ]
      return lost.length === 0 ? Effect.void : missing(lost)
    }
    yield* record(configured, check)
  })
)

/** Where a kind of key is read from. */
interface Place {
  readonly name: string
  /** True for the files of the embedded default, which are made where they are absent. */
  readonly isOurs: boolean
}

const placesOf = ({ dataDirectory, issuerKeysFile, secretKey }: Configuration["Service"]) => {
  const ours = (file: string): Place => ({ name: path.join(dataDirectory, "keys", file), isOurs: true })
  return {
    issuerKeys: Option.match(issuerKeysFile, {
      onNone: () => ours("issuer-keys.json"),
      onSome: (name): Place => ({ name, isOurs: false })
    }),
    secretKey: Option.isNone(secretKey) ? ours("secret-key") : { name: "SECRET_KEY", isOurs: false }
  }
}

const isAbsent = ({ name, isOurs }: Place): boolean => isOurs && !fs.existsSync(name)

const lostIssuerKeys = (kids: ReadonlyArray<string>, { name }: Place): ReadonlyArray<string> => {
  if (kids.length === 0) return []
  const [keys, are, them] = kids.length === 1 ? ["key", "is", "it"] : ["keys", "are", "them"]
  return [`the issuer ${keys} ${kids.join(", ")} of the stored history ${are} missing: put ${them} back into ${name}`]
}

const lostSecretKey = (keyId: string | null, { name, isOurs }: Place): ReadonlyArray<string> => {
  if (keyId === null) return []
  const into = isOurs ? `into ${name}` : "as SECRET_KEY, or as SECRET_KEY_PREVIOUS beside a new one"
  return [`the secret key with the fingerprint ${keyId} is missing: put it back ${into}`]
}

const missing = (sentences: ReadonlyArray<string>) =>
  Effect.fail(new MissingKeysError({ message: sentences.join("; ") }))
