/** A directory that gets its final name once it is complete, and is removed otherwise. */
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { attempt, EmbeddedPostgresError } from "../embedded-postgres/error.ts"
import { takeFileLock, type FileLock } from "../file-lock.ts"

interface Options {
  readonly place: string
  /** Between the final path and a random suffix. */
  readonly mark: string
  readonly mode: number
}

interface LockedDirectory {
  readonly directory: string
  readonly lock: FileLock
}

/**
 * Makes a directory beside `place` for `fill`, which renames it in the end; if it still exists afterwards, as after an
 * interruption, it is removed. A killed process leaves its directory behind, and the next one for this place removes it.
 * A lock file beside each shows whether its process lives: process numbers repeat among containers that share a disk.
 */
export const withUnfinished = <A, R>(
  { place, mark, mode }: Options,
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

const make = (directory: string, mode: number): LockedDirectory => {
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

/** The lock file is removed last: a directory without one has no process. */
const remove = (directory: string, lock: FileLock): void => {
  fs.rmSync(directory, { recursive: true, force: true })
  fs.rmSync(lockOf(directory), { force: true })
  lock.release()
}

/** Names are unique, so a leftover that another process renames or removes at the same time is not confused with another one. */
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
