/** Compares the keys that a start would use with those that the database records, by the same rule as the start. */
import { Effect, Option } from "effect"
import type { Settings } from "../configuration.ts"
import { isAbsent, type KeyIds, lostKeys, keyLocations } from "../installation-keys.ts"
import { readKeys } from "../issuer-keys.ts"
import type { InstallationRecord } from "../recorded-installation.ts"
import { readSecrets } from "../secret-key.ts"
import { isEmbedded } from "./files.ts"
import { ok, problem, type Finding } from "./finding.ts"

/** For a reachable database; `variable` is the setting that leads to it. */
export const recordedKeyFindings = Effect.fnUntraced(function* (
  settings: Settings,
  variable: string,
  recorded: InstallationRecord
): Effect.fn.Return<ReadonlyArray<Finding>> {
  const ids = yield* keyIds(settings)
  const lost = lostKeys(settings.configuration, recorded, ids)
  if (lost.length > 0) return lost.map(({ variable, message }) => problem(`${variable}: ${message}`))
  const absent = absentFiles(settings)
  if (absent.length > 0)
    return absent.map((name) => ok(`DATA_DIR: nothing depends on a key, and a start makes ${name}`))
  // Unreadable keys are reported by another check.
  if (ids.issuerKeyIds === undefined || ids.secretKeyIds === undefined) return []
  return [ok(`${variable}: no key is missing that the stored history depends on`)]
})

/** For an embedded database that does not run, whose records are unknown. */
export const absentKeyFindings = (settings: Settings): ReadonlyArray<Finding> =>
  absentFiles(settings).map((name) =>
    problem(
      `DATA_DIR: ${name} is missing beside a database: put it back, since a start without it is refused where it was in use`
    )
  )

const absentFiles = (settings: Settings): ReadonlyArray<string> => {
  if (!isEmbedded(settings)) return []
  const { issuerKeys, secretKey } = keyLocations(settings.configuration)
  return [issuerKeys, secretKey].filter(isAbsent).map(({ name }) => name)
}

const keyIds = (settings: Settings): Effect.Effect<KeyIds> =>
  Effect.all({ issuerKeyIds: issuerKeyIds(settings), secretKeyIds: secretKeyIds(settings) })

type Ids = Effect.Effect<ReadonlyArray<string> | undefined>

const none: Ids = Effect.succeed([])
const notCompared: Ids = Effect.succeed(undefined)

const issuerKeyIds = (settings: Settings): Ids => {
  if (!isEmbedded(settings) && Option.isNone(settings.configuration.issuerKeysFile)) return notCompared
  const { issuerKeys } = keyLocations(settings.configuration)
  if (isAbsent(issuerKeys)) return none
  return Effect.match(readKeys(issuerKeys.name), {
    onFailure: () => undefined,
    onSuccess: ({ keys }) => keys.keys.map(({ kid }) => kid)
  })
}

const secretKeyIds = (settings: Settings): Ids => {
  const { secretKey, secretKeyFile } = settings.configuration
  if (!isEmbedded(settings) && Option.isNone(secretKey) && Option.isNone(secretKeyFile)) return notCompared
  if (isAbsent(keyLocations(settings.configuration).secretKey)) return none
  return Effect.match(readSecrets(settings.configuration, ""), {
    onFailure: () => undefined,
    onSuccess: ({ keyIds }) => keyIds
  })
}
