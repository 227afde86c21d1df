/** Compares the replica of READ_DATABASE_URL with its primary, as each of its reads does. */
import { Effect, Option, Result, type Redacted } from "effect"
import type { Settings } from "../configuration.ts"
import { parseDatabaseUrl, type DatabaseRole } from "../database-address.ts"
import { compareReplica } from "../postgres-storage/replica.ts"
import { ok, problem, skipped, type Finding } from "./finding.ts"

export const replicaFindings = ({ configuration }: Settings): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const { databaseUrl: primary, readDatabaseUrl: replica } = configuration
    if (Option.isNone(replica)) return [skipped("READ_DATABASE_URL: not set; the primary serves all reads")]
    if (Option.isNone(primary) || !isUrl(primary.value, "PRIMARY") || !isUrl(replica.value, "REPLICA")) {
      return [skipped("READ_DATABASE_URL: not compared with DATABASE_URL, since one of them cannot be used")]
    }
    const found = yield* Effect.scoped(compareReplica({ url: primary.value }, { url: replica.value }))
    if (found === undefined) return [ok("READ_DATABASE_URL: the replica has what the primary shows")]
    const { message, detail } = found
    const cause = detail === undefined ? "" : ` (${detail})`
    return [problem(`READ_DATABASE_URL: the replica ${message}${cause}: the primary would serve its reads`)]
  })

const isUrl = (url: Redacted.Redacted, role: DatabaseRole): boolean => Result.isSuccess(parseDatabaseUrl(url, role))
