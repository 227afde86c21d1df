/** `countersign.backup/v1`: the contents of a backup of the embedded database, with the digest of each file. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Schema } from "effect"
import { EmbeddedPostgresError } from "../embedded-postgres/error.ts"
import { clusterName } from "../embedded-postgres/cluster.ts"

const Sha256 = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/u))

/** Below `database/` or `keys/`, or the directory of people; never a path that leaves the backup. */
const BackupPath = Schema.String.check(
  Schema.makeFilter((text: string) => path.posix.normalize(text) === text && inside.test(text), {
    expected: "a path inside the backup"
  })
)
const inside = /^(?:database\/[^/].*|keys\/(?:issuer-keys\.json|secret-key)|directory\.json)$/u

export const Manifest = Schema.Struct({
  schema: Schema.Literal("countersign.backup/v1"),
  madeAt: Schema.String,
  /** The files of a cluster fit one major version of Postgres on one platform. */
  cluster: Schema.String,
  platform: Schema.String,
  directories: Schema.Array(BackupPath),
  files: Schema.Array(Schema.Struct({ path: BackupPath, bytes: Schema.Int, sha256: Sha256 }))
})
export type Manifest = typeof Manifest.Type
export type BackupFile = Manifest["files"][number]

export const manifestName = "manifest.json"

export const thisPlatform = `${process.platform}-${process.arch}`

/** Reads the manifest of a backup that this program can restore on this machine. */
export const readManifest = Effect.fnUntraced(function* (backup: string) {
  const file = path.join(backup, manifestName)
  const refuse = (message: string) => new EmbeddedPostgresError({ message })
  const text = yield* Effect.try({
    try: () => fs.readFileSync(file, "utf8"),
    catch: () => refuse(`there is no backup in ${backup}: ${file} cannot be read`)
  })
  const manifest = yield* Effect.mapError(decode(text), () => refuse(`${file} does not have the documented form`))
  if (manifest.cluster !== clusterName || manifest.platform !== thisPlatform) {
    return yield* refuse(
      `the backup is of ${manifest.cluster} on ${manifest.platform}, and this program has ${clusterName} on ` +
        `${thisPlatform}: restore it there, and move the data with pg_dump`
    )
  }
  return manifest
})

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Manifest))
