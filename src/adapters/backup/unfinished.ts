/** A directory that has its name once everything is in it, or is removed. */
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { attempt, EmbeddedPostgresError } from "../embedded-postgres/error.ts"
import { takeFileLock, type FileLock } from "../file-lock.ts"

interface Naming {
  readonly place: string
  /** Between the place and a random suffix. */
  readonly mark: string
  readonly mode: number
}

interface Unfinished {
  readonly directory: string
  readonly lock: FileLock
}

/**
 * Makes a directory beside `place` for `fill`, which renames it at its end; one that is still there after it, also after
 * an interruption, is removed. A killed process leaves its own: the next one for this place removes it. The kernel says
 * by a lock beside each whether its process lives, since containers that share a disk have the same process numbers.
 */
export const withUnfinished = <A, R>(
  { place, mark, mode }: Naming,
  fill: (directory: string) => Effect.Effect<A, EmbeddedPostgresError, R>
): Effect.Effect<A, EmbeddedPostgresError, R> =>
  Effect.acquireUseRelease(
    attempt(`no directory can be made beside ${place}`, () => {
      removeLeftovers(place, mark)
      return make(`${place}.${mark}-${randomBytes(8).toString("hex")}`, mode)
    }),
    ({ directory }) => fill(directory),
    ({ directory, lock }) => attempt(`${directory} cannot be removed: remove it`, () => remove(directory, lock))
  )

const make = (directory: string, mode: number): Unfinished => {
  const lock = takeFileLock(lockOf(directory), "exclusive")
  if (lock === undefined) {
    throw new EmbeddedPostgresError({ message: `another command looks at ${directory} at this moment: try again` })
  }
  try {
    fs.mkdirSync(directory, { mode })
    return { directory, lock }
  } catch (cause) {
    remove(directory, lock)
    throw cause
  }
}

const lockOf = (directory: string): string => `${directory}.lock`

/** The lock goes last, so that a directory without one has no process. */
const remove = (directory: string, lock: FileLock): void => {
  fs.rmSync(directory, { recursive: true, force: true })
  fs.rmSync(lockOf(directory), { force: true })
  lock.release()
}

/** A name is used once: where another process removes the same leftover, or finishes just now, nothing else is hit. */
const removeLeftovers = (place: string, mark: string): void => {
  const [parent, prefix] = [path.dirname(place), `${path.basename(place)}.${mark}-`]
  if (!fs.existsSync(parent)) return
  const suffixes = fs
    .readdirSync(parent)
    .filter((name) => name.startsWith(prefix))
    .map((name) => /^([0-9a-f]+)(?:\.lock(?:-journal)?)?$/.exec(name.slice(prefix.length))?.[1])
  for (const suffix of new Set(suffixes)) {
    if (suffix === undefined) continue
    const directory = path.join(parent, `${prefix}${suffix}`)
    const lock = takeFileLock(lockOf(directory), "exclusive")
    if (lock !== undefined) remove(directory, lock)
  }
}
