/**
 * The keys of a server or worker: recorded in the database before they are used, and read again while the process runs.
 * A reload replaces all of them at once, or none.
 */
import { Context, Data, Effect, Layer, Schedule, Semaphore } from "effect"
import { Secrets } from "../ports/secrets.ts"
import { Signer } from "../ports/signer.ts"
import { TlsCertificate } from "../ports/tls-certificate.ts"
import { limits } from "../vocabulary/limits.ts"
import { now } from "../vocabulary/instant.ts"
import { Configuration } from "./configuration.ts"
import {
  configuredKeys,
  type InstallationKeys,
  keysOfStart,
  readInstallationKeys,
  requireRecordedKeys
} from "./installation-keys.ts"
import { countReload, recordKeyExpiry } from "./key-metrics.ts"
import { type InstallationRecord, RecordedInstallation } from "./recorded-installation.ts"

/** The reason in one sentence; the keys in use have stayed. */
export class KeysNotReloaded extends Data.TaggedError("KeysNotReloaded")<{ readonly message: string }> {}

/** Reads and checks something that is replaced together with the keys; the result replaces it, and cannot fail. */
export type ReloadPart = Effect.Effect<() => void, { readonly message: string }>

export class KeyReload extends Context.Service<
  KeyReload,
  {
    /** An operation that begins after it uses the new keys. Reloads of one process run one after another. */
    readonly reload: Effect.Effect<void, KeysNotReloaded>
  }
>()("countersign/adapters/KeyReload") {}

/** Adds a part to every later reload; without a reload there is nothing to add to. */
export const AddReloadPart = Context.Reference<(part: ReloadPart) => void>("countersign/adapters/AddReloadPart", {
  defaultValue: () => () => {}
})

export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const recorded = yield* RecordedInstallation
    const configuration = yield* Configuration
    const certificate = yield* TlsCertificate
    const record = (keys: InstallationKeys) => {
      const configured = configuredKeys(keys)
      return recorded.record(configured, (stored) => requireRecordedKeys(configuration, stored, configured))
    }
    let current = yield* Effect.tap(keysOfStart, record)
    const parts: Array<ReloadPart> = []
    const replaceAll = Effect.gen(function* () {
      const read = yield* readInstallationKeys(configuration, recorded.epoch)
      yield* requireSameIssuer(current, read)
      const replacements = yield* Effect.all(parts)
      yield* requireRecordedKeys(configuration, ownKeys(current), configuredKeys(read))
      yield* record(read)
      current = read
      for (const replace of replacements) replace()
    })
    const updateExpiry = Effect.flatMap(now, (moment) =>
      recordKeyExpiry(current.signer.keys, certificate.endsAt(), moment)
    )
    yield* Effect.forkScoped(Effect.repeat(updateExpiry, Schedule.spaced(limits.keyExpiryInterval)))
    const { withPermit } = yield* Semaphore.make(1)
    const reload = replaceAll.pipe(
      Effect.timeoutOrElse({
        duration: limits.keyReload,
        orElse: () =>
          Effect.fail({ message: `they were not read and recorded within ${limits.keyReload / 1000} seconds` })
      }),
      Effect.mapError(({ message }) => new KeysNotReloaded({ message: message.replaceAll(/\s+/g, " ") })),
      Effect.tapError(({ message }) =>
        Effect.andThen(
          countReload({ outcome: "REFUSED" }),
          Effect.logError(`the keys were not reloaded, and the earlier ones stay: ${message}`)
        )
      ),
      Effect.tap(() => Effect.andThen(countReload({ outcome: "RELOADED" }), updateExpiry)),
      Effect.tap(() =>
        Effect.logInfo("the keys were reloaded", {
          issuerKeyIds: current.signer.keys.keys.map(({ kid }) => kid),
          secretKeyFingerprints: current.secrets.keyIds
        })
      ),
      withPermit
    )
    return Context.make(
      Signer,
      latestSigner(() => current.signer)
    ).pipe(
      Context.add(
        Secrets,
        latestSecrets(() => current.secrets)
      ),
      Context.add(KeyReload, { reload }),
      Context.add(AddReloadPart, (part) => void parts.push(part))
    )
  })
)

/** An operation in flight may have begun with the current secret key, so one reload does not take it away. */
const ownKeys = ({ secrets }: InstallationKeys): InstallationRecord => ({
  epoch: "",
  issuerKeyIds: [],
  secretKeyId: secrets.keyIds[0]
})

/** Records name their issuer, so it is the same for as long as the installation exists. */
const requireSameIssuer = ({ signer: before }: InstallationKeys, { signer: after }: InstallationKeys) =>
  before.keys.issuer === after.keys.issuer && before.keys.environment === after.keys.environment
    ? Effect.void
    : Effect.fail({
        message:
          `the issuer keys are of ${after.keys.issuer} in ${after.keys.environment}, and this installation is` +
          ` ${before.keys.issuer} in ${before.keys.environment}: keep both names`
      })

// Getters, so that an operation which takes a member at its beginning keeps that of one set of keys.
const latestSigner = (current: () => Signer["Service"]): Signer["Service"] => ({
  get sign() {
    return current().sign
  },
  get keys() {
    return current().keys
  }
})

const latestSecrets = (current: () => Secrets["Service"]): Secrets["Service"] => ({
  get keyIds() {
    return current().keyIds
  },
  get tokenHash() {
    return current().tokenHash
  },
  get keyedHash() {
    return current().keyedHash
  },
  get derive() {
    return current().derive
  },
  get seal() {
    return current().seal
  },
  get open() {
    return current().open
  }
})
