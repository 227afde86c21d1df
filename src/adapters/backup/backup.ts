/** Backs up the embedded database, running or stopped, into one directory that is complete or absent. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { dataDirectory, clusterName } from "../embedded-postgres/cluster.ts"
import { asEmbeddedError, attempt, EmbeddedPostgresError } from "../embedded-postgres/error.ts"
import { copyCluster, type Copy } from "../embedded-postgres/online-copy.ts"
import type { ConnectionOptions } from "../postgres-storage/connections.ts"
import { replaceFile, syncDirectory } from "../private-file.ts"
import { copyWithDigest, digestOfFile, isEmptyOrAbsent, syncTree } from "./files.ts"
import { manifestName, thisPlatform, type BackupFile, type Manifest } from "./manifest.ts"
import { withUnfinished } from "./unfinished-directory.ts"
import { traced } from "../../vocabulary/traced.ts"

export interface Options {
  /** `DATA_DIR`. */
  readonly installation: string
  readonly target: string
  readonly withKeys: boolean
  readonly madeAt: string
}

/** Checked before anything is opened: a backup creates no installation and overwrites nothing. */
export const requireBackupPossible = ({ installation, target, withKeys }: Options) =>
  attempt(notWritten, () => {
    const refuse = (message: string): never => {
      throw new EmbeddedPostgresError({ message })
    }
    const database = path.join(installation, "database")
    if (!fs.existsSync(path.join(dataDirectory(database), "PG_VERSION"))) {
      refuse(`there is no embedded database in ${database}: nothing to back up`)
    }
    const inside = path.relative(path.resolve(installation), path.resolve(target))
    if (!inside.startsWith("..")) refuse(`${target} lies in ${installation}: choose a place outside`)
    if (!isEmptyOrAbsent(target)) refuse(`${target} is not empty: choose a new directory`)
    const absent = withKeys ? keyNames.filter((name) => !fs.existsSync(path.join(installation, name))) : []
    if (absent.length > 0) refuse(`${absent.join(" and ")} are not in ${installation}: leave out --with-keys`)
  })

const keyNames = ["keys/issuer-keys.json", "keys/secret-key"]

/** Copies the running cluster and its files; the directory gets its final name once it is complete. */
export const writeBackup = traced("backup.write")(function* (connection: ConnectionOptions, options: Options) {
  const { installation } = options
  const target = path.resolve(options.target)
  return yield* withUnfinished({ place: target, mark: "unfinished", mode: 0o700 }, (unfinished) =>
    Effect.gen(function* () {
      const contents = new Contents(unfinished)
      for (const name of ["database", `database/${clusterName}`]) yield* contents.directory(name)
      const below = contents.below(`database/${clusterName}`)
      yield* Effect.scoped(copyCluster(connection, dataDirectory(path.join(installation, "database")), below))
      if (options.withKeys) yield* contents.directory("keys")
      for (const name of ["database/password", "directory.json", ...(options.withKeys ? keyNames : [])]) {
        const from = path.join(installation, name)
        if (fs.existsSync(from)) yield* contents.file(name, from)
      }
      return yield* attemptWrite(() => {
        const manifest = path.join(unfinished, manifestName)
        replaceFile(manifest, `${JSON.stringify(contents.manifest(options.madeAt), null, 1)}\n`)
        const summary = { ...contents.summary, manifestSha256: digestOfFile(manifest) }
        syncTree(unfinished)
        fs.renameSync(unfinished, target)
        syncDirectory(path.dirname(target))
        return summary
      })
    }).pipe(Effect.mapError(asEmbeddedError(notWritten)))
  )
})

const notWritten = "the backup cannot be written"

const attemptWrite = <A>(write: () => A) => attempt(notWritten, write)

/** The files and directories copied into a backup so far. */
class Contents implements Copy {
  readonly #root: string
  readonly #directories: Array<string> = []
  readonly #files: Array<BackupFile> = []

  constructor(root: string) {
    this.#root = root
  }

  directory(name: string) {
    return attemptWrite(() => {
      fs.mkdirSync(path.join(this.#root, name), { mode: 0o700 })
      if (name.includes("/")) this.#directories.push(name)
    })
  }

  file(name: string, from: string) {
    return Effect.map(copyWithDigest(from, path.join(this.#root, name)), (copied) => {
      this.#files.push({ path: name, ...copied })
    })
  }

  text(name: string, text: string) {
    return attemptWrite(() => {
      const file = path.join(this.#root, name)
      replaceFile(file, text)
      this.#files.push({ path: name, bytes: Buffer.byteLength(text), sha256: digestOfFile(file) })
    })
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
