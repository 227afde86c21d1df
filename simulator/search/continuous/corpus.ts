/** The folder of a continuous search: its checkpoint, and one script for each failure class. */
import { hash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Result } from "effect"
import { readScript } from "../../scenario/files.ts"
import { replayScript } from "../findings/replay-script.ts"
import type { PropertySet } from "../minimize/trials.ts"
import { type Finding, type Progress, progressText, readProgress } from "./progress.ts"
import type { SaveFinding } from "./continuous-search.ts"

export class Corpus {
  readonly #folder: string

  /** Throws if the folder cannot be created. */
  constructor(folder: string) {
    this.#folder = folder
    fs.mkdirSync(path.join(folder, "findings"), { recursive: true })
  }

  /** Undefined without a checkpoint; a failure describes an invalid one. */
  read(): Result.Result<Progress | undefined, string> {
    if (!fs.existsSync(this.#checkpoint)) return Result.succeed(undefined)
    const progress = readProgress(fs.readFileSync(this.#checkpoint, "utf8"))
    return Result.mapError(progress, (reason) => `${this.#checkpoint} is no checkpoint: ${reason}`)
  }

  /** Atomic: an interrupted write leaves the previous checkpoint. */
  write(progress: Progress): void {
    this.#replace(this.#checkpoint, progressText(progress))
  }

  /** Idempotent: an iteration repeated after a crash writes the same file. */
  readonly saveFinding: SaveFinding = ({ property, cause, text }) => {
    const slug = property.toLowerCase().replace(/[^a-z0-9]+/g, "-")
    const name = `${slug}-${hash("sha256", cause).slice(0, 8)}.yaml`
    this.#replace(this.fileOf(name), text)
    return name
  }

  fileOf(name: string): string {
    return path.join(this.#folder, "findings", name)
  }

  /** Replays the known findings; a finding without its file is forgotten. */
  replayFindings(findings: ReadonlyArray<Finding>, checks: PropertySet): ReadonlyArray<Finding> {
    return findings.flatMap((finding) => {
      if (finding.file === null) return [finding]
      const file = this.fileOf(finding.file)
      return fs.existsSync(file) ? [{ ...finding, state: stateOf(file, checks) }] : []
    })
  }

  get #checkpoint(): string {
    return path.join(this.#folder, "checkpoint.json")
  }

  #replace(file: string, text: string): void {
    const next = `${file}.next`
    fs.writeFileSync(next, text)
    fs.renameSync(next, file)
  }
}

const stateOf = (file: string, checks: PropertySet): Finding["state"] => {
  const replayed = Result.flatMap(readScript(file), (scenario) => replayScript(file, scenario, checks))
  if (Result.isFailure(replayed)) return "DIVERGED"
  return replayed.success.ended === "REPRODUCES" ? "FAILS" : replayed.success.ended
}
