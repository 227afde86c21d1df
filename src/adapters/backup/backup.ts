/** A backup of the embedded default, running or stopped: one directory, complete or absent. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { dataDirectory, clusterName } from "../embedded-postgres/cluster.ts"
import { attempt, EmbeddedPostgresError } from "../embedded-postgres/error.ts"
import { copyCluster, type Copy } from "../embedded-postgres/online-copy.ts"
import type { ConnectionOptions } from "../postgres-storage/connections.ts"
import { syncDirectory } from "../private-file.ts"
import { copyWithDigest, digestOfFile, isEmptyOrAbsent, syncTree, writeDurably } from "./files.ts"
import { manifestName, thisPlatform, type BackupFile, type Manifest } from "./manifest.ts"

export interface Options {
  /** `DATA_DIR`. */
  readonly installation: string
  readonly target: string
  readonly withKeys: boolean
  readonly madeAt: string
}

/** Checked before anything is opened: a backup starts no new installation and overwrites nothing. */
export const requireBackupPossible = ({ installation, target, withKeys }: Options) =>
  Effect.suspend(() => {
    const refuse = (message: string) => Effect.fail(new EmbeddedPostgresError({ message }))
    const database = path.join(installation, "database")
    if (!fs.existsSync(path.join(dataDirectory(database), "PG_VERSION"))) {
      return refuse(`there is no embedded database in ${database}: nothing to back up`)
    }
    const inside = path.relative(path.resolve(installation), path.resolve(target))
    if (!inside.startsWith("..")) return refuse(`${target} lies in ${installation}: choose a place outside`)
    if (!isEmptyOrAbsent(target)) return refuse(`${target} is not empty: choose a new directory`)
    const absent = withKeys ? keyNames.filter((name) => !fs.existsSync(path.join(installation, name))) : []
    if (absent.length > 0) return refuse(`${absent.join(" and ")} are not in ${installation}: leave out --with-keys`)
    return Effect.void
  })

const keyNames = ["keys/issuer-keys.json", "keys/secret-key"]

/** Copies the running cluster and what belongs to it; the directory has its name once everything is in it. */
export const writeBackup = Effect.fn("backup.write")(function* (connection: ConnectionOptions, options: Options) {
  const { installation, target } = options
  const unfinished = `${path.resolve(target)}.unfinished-${process.pid}`
  const write = (what: () => void) => attempt("the backup cannot be written", what)
  const made = Effect.gen(function* () {
    yield* write(() => fs.mkdirSync(unfinished, { recursive: true, mode: 0o700 }))
    const contents = new Contents(unfinished)
    yield* write(() => ["database", `database/${clusterName}`].forEach((name) => contents.directory(name)))
    const below = contents.below(`database/${clusterName}`)
    yield* Effect.scoped(copyCluster(connection, dataDirectory(path.join(installation, "database")), below))
    yield* write(() => {
      const beside = ["database/password", "directory.json", ...(options.withKeys ? keyNames : [])]
      if (options.withKeys) contents.directory("keys")
      for (const name of beside) {
        const from = path.join(installation, name)
        if (fs.existsSync(from)) contents.file(name, from)
      }
      writeDurably(
        path.join(unfinished, manifestName),
        `${JSON.stringify(contents.manifest(options.madeAt), null, 1)}\n`
      )
      syncTree(unfinished)
      fs.renameSync(unfinished, target)
      syncDirectory(path.dirname(path.resolve(target)))
    })
    return contents.summary
  })
  const summary = yield* Effect.onError(made, () =>
    Effect.sync(() => fs.rmSync(unfinished, { recursive: true, force: true }))
  )
  return { ...summary, manifestSha256: digestOfFile(path.join(target, manifestName)) }
})

/** What has been copied into a backup so far. */
class Contents implements Copy {
  readonly #root: string
  readonly #directories: Array<string> = []
  readonly #files: Array<BackupFile> = []

  constructor(root: string) {
    this.#root = root
  }

  directory(name: string): void {
    fs.mkdirSync(path.join(this.#root, name), { mode: 0o700 })
    if (name.includes("/")) this.#directories.push(name)
  }

  file(name: string, from: string): void {
    this.#files.push({ path: name, ...copyWithDigest(from, path.join(this.#root, name)) })
  }

  text(name: string, text: string): void {
    const file = path.join(this.#root, name)
    writeDurably(file, text)
    this.#files.push({ path: name, bytes: Buffer.byteLength(text), sha256: digestOfFile(file) })
  }

  below(place: string): Copy {
    return {
      directory: (name) => this.directory(`${place}/${name}`),
      file: (name, from) => this.file(`${place}/${name}`, from),
      text: (name, text) => this.text(`${place}/${name}`, text)
    }
  }

  manifest(madeAt: string): Manifest {
    const [directories, files] = [this.#directories, this.#files]
    return {
      schema: "countersign.backup/v1",
      madeAt,
      cluster: clusterName,
      platform: thisPlatform,
      directories,
      files
    }
  }

  get summary() {
    return { files: this.#files.length, bytes: this.#files.reduce((sum, { bytes }) => sum + bytes, 0) }
  }
}
