/** The paths of the embedded Postgres, and the user that runs it: Postgres refuses to run as root. */
import * as crypto from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, type Scope } from "effect"
import { makeDirectories } from "../directories.ts"
import { attempt, EmbeddedPostgresError } from "./error.ts"

/** Undefined where this process does not run as root, and Postgres runs as the same user. */
export type PostgresUser = { readonly uid: number; readonly gid: number } | undefined

const nobody = 65534

export const postgresUser = (): PostgresUser => (process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : undefined)

export const socketName = ".s.PGSQL.5432"

// The longest path that the kernel accepts for a socket, without its closing NUL.
const socketPathBytesMax = 107

/** Beside the data, or in a short temporary path where that one is too long for a socket. */
export const prepareSocketDirectory = (
  directory: string,
  user: PostgresUser
): Effect.Effect<string, EmbeddedPostgresError, Scope.Scope> =>
  Effect.acquireRelease(makeSocketDirectory(directory, user), (sockets) =>
    Effect.sync(() => {
      if (fs.readdirSync(sockets).length === 0) fs.rmdirSync(sockets)
    })
  )

/** The directory of the socket for a data directory. */
export const socketDirectory = (directory: string): string => {
  const beside = path.join(directory, "run")
  const fits = Buffer.byteLength(path.join(beside, socketName)) <= socketPathBytesMax && !/[,"]/.test(beside)
  return fits ? beside : path.join(os.tmpdir(), `countersign-${shortHash(directory)}`)
}

const makeSocketDirectory = (directory: string, user: PostgresUser): Effect.Effect<string, EmbeddedPostgresError> =>
  attempt("the directory for the socket cannot be made", () => {
    const sockets = socketDirectory(directory)
    makeDirectories(sockets, 0o700)
    const stats = fs.lstatSync(sockets)
    const owners = [process.getuid?.(), user?.uid]
    if (!stats.isDirectory() || !owners.includes(stats.uid)) {
      throw new EmbeddedPostgresError({ message: `${sockets} belongs to another user` })
    }
    fs.chmodSync(sockets, 0o700)
    if (user !== undefined) fs.chownSync(sockets, user.uid, user.gid)
    return sockets
  })

/** The first directory on the path that the user of Postgres may not enter. */
export const firstInaccessibleDirectory = (target: string, user: PostgresUser): string | undefined => {
  if (user === undefined) return undefined
  for (let current = path.resolve(target); ; current = path.dirname(current)) {
    const { mode, uid } = fs.statSync(current)
    const passable = uid === user.uid ? mode & 0o100 : mode & 0o001
    if (!passable) return current
    if (current === path.dirname(current)) return undefined
  }
}

const shortHash = (text: string): string =>
  crypto.createHash("sha256").update(path.resolve(text)).digest("hex").slice(0, 16)
