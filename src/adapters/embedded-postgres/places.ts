/** Where things lie, and as whom Postgres runs: it refuses to run as root. */
import * as crypto from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, type Scope } from "effect"
import { makeDirectories } from "../directories.ts"
import { attempt, EmbeddedPostgresError } from "./error.ts"

/** Undefined where we are not root and Postgres runs as ourselves. */
export type PostgresUser = { readonly uid: number; readonly gid: number } | undefined

const nobody = 65534

export const postgresUser = (): PostgresUser => (process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : undefined)

export const socketName = ".s.PGSQL.5432"

// The longest path that the kernel takes for a socket, without its closing NUL.
const socketPathBytesMax = 107

/** Beside the data, or in a short place of our own where that path is too long for a socket. */
export const prepareSocketDirectory = (
  directory: string,
  user: PostgresUser
): Effect.Effect<string, EmbeddedPostgresError, Scope.Scope> =>
  Effect.acquireRelease(makeSocketDirectory(directory, user), (sockets) =>
    Effect.sync(() => {
      if (fs.readdirSync(sockets).length === 0) fs.rmdirSync(sockets)
    })
  )

/** Where the socket of a directory lies. */
export const socketDirectory = (directory: string): string => {
  const beside = path.join(directory, "run")
  const fits = Buffer.byteLength(path.join(beside, socketName)) <= socketPathBytesMax && !/[,"]/.test(beside)
  return fits ? beside : path.join(os.tmpdir(), `countersign-${shortHash(directory)}`)
}

const makeSocketDirectory = (directory: string, user: PostgresUser): Effect.Effect<string, EmbeddedPostgresError> =>
  attempt("the directory for the socket cannot be made", () => {
    const sockets = socketDirectory(directory)
    makeDirectories(sockets, 0o700)
    const found = fs.lstatSync(sockets)
    const owners = [process.getuid?.(), user?.uid]
    if (!found.isDirectory() || !owners.includes(found.uid)) {
      throw new EmbeddedPostgresError({ message: `${sockets} belongs to somebody else` })
    }
    fs.chmodSync(sockets, 0o700)
    if (user !== undefined) fs.chownSync(sockets, user.uid, user.gid)
    return sockets
  })

/** The first directory on the way to a path that the user of Postgres may not pass. */
export const firstObstacle = (target: string, user: PostgresUser): string | undefined => {
  if (user === undefined) return undefined
  for (let at = path.resolve(target); ; at = path.dirname(at)) {
    const { mode, uid } = fs.statSync(at)
    const passable = uid === user.uid ? mode & 0o100 : mode & 0o001
    if (!passable) return at
    if (at === path.dirname(at)) return undefined
  }
}

const shortHash = (text: string): string =>
  crypto.createHash("sha256").update(path.resolve(text)).digest("hex").slice(0, 16)
