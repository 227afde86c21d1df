/** Parts: files that scripts include. Each is read once per script. */
import { Result, Schema } from "effect"
import { PartForm } from "./scenario-form.ts"
import { problemsOfIssue } from "./schema-problems.ts"
import { isMembers } from "./untyped-members.ts"
import { renderProblems } from "./problem.ts"
import { readSource, type Source } from "./yaml-source.ts"

/** Loads a file by its path relative to the script; undefined if it does not exist. */
export type LoadFile = (name: string) => { readonly file: string; readonly text: string } | undefined

export interface Part {
  readonly file: string
  readonly text: string
  readonly source: Source
  /** The decoded part, or its rendered problems. */
  readonly form: Result.Result<PartForm, string>
}

export class Parts {
  readonly #load: LoadFile
  readonly #read = new Map<string, Part | undefined>()

  constructor(load: LoadFile) {
    this.#load = load
  }

  /** Undefined if the file does not exist. */
  get(name: string): Part | undefined {
    if (!this.#read.has(name)) this.#read.set(name, this.#readPart(name))
    return this.#read.get(name)
  }

  /** The rendered problems of the parts that do not decode. */
  get undecodable(): ReadonlyArray<string> {
    return [...this.#read.values()].flatMap((part) =>
      part !== undefined && Result.isFailure(part.form) ? [part.form.failure] : []
    )
  }

  #readPart(name: string): Part | undefined {
    const loaded = this.#load(name)
    if (loaded === undefined) return undefined
    const { file, text } = loaded
    const source = readSource(text)
    return { file, text, source, form: formOf(file, text, source) }
  }
}

const formOf = (file: string, text: string, source: Source): Result.Result<PartForm, string> => {
  if (source.problems.length > 0) return Result.fail(renderProblems(file, text, source.problems))
  const isScenario = isMembers(source.value) && Object.hasOwn(source.value, "scenario")
  if (!isMembers(source.value) || isScenario) {
    const message = isScenario ? "this file is a scenario; a part starts with part: and its title" : notAPart
    return Result.fail(renderProblems(file, text, [source.place({ path: [], part: "value", message })]))
  }
  const decoded = Schema.decodeUnknownResult(PartForm)(source.value, { errors: "all", onExcessProperty: "error" })
  if (Result.isSuccess(decoded)) return Result.succeed(decoded.success)
  const problems = problemsOfIssue(decoded.failure.issue, source.value)
  return Result.fail(renderProblems(file, text, problems.map(source.place)))
}

const notAPart = "not a part: a part starts with part: and its title, and has steps:"
