/** The state of the checks of one script: the names declared so far, and the problems found. */
import type { ActorKind, OperationForm } from "../operations/forms.ts"
import type { StepForm } from "./format.ts"
import type { Path, Problem } from "./problem.ts"
import { didYouMean } from "../../src/vocabulary/suggest.ts"

export const operator = "operator"

/** Names reserved for processes of the service. */
const processes: ReadonlySet<string> = new Set(["service", "worker"])

export class Known {
  readonly actors = new Map<string, ActorKind>([[operator, "operator"]])
  readonly organizations = new Set<string>()
  readonly providers = new Set<string>()
  /** All names that `${…}` can refer to so far. */
  readonly names = new Set<string>()
  /** By id; undefined for a step that does not decode. */
  readonly steps = new Map<string, StepForm | undefined>()
  hasWorker = false
  /** The part under check; undefined for the script itself. */
  within: string | undefined
  isInLoop = false
  /** True after an `explore` step. */
  isSearched = false
  #problems: Array<Problem> = []

  /** Returns the problems and clears them. */
  taken(): ReadonlyArray<Problem> {
    const problems = this.#problems
    this.#problems = []
    return problems
  }

  say(path: Path, message: string, part: Problem["part"] = "value"): void {
    this.add([{ path, part, message }])
  }

  add(problems: ReadonlyArray<Problem>): void {
    const { within } = this
    for (const problem of problems) this.#problems.push(within === undefined ? problem : { ...problem, within })
  }

  introduceActor(name: string, kind: ActorKind, path: Path, part: Problem["part"] = "key"): void {
    this.introduce(name, path, part)
    if (!this.actors.has(name)) this.actors.set(name, kind)
  }

  /** The name of a kept value may be declared again; the name of an actor is unique. */
  introduce(name: string, path: Path, part: Problem["part"] = "key", repeated?: "again"): void {
    if (!nameForm.test(name)) this.say(path, "a name is a letter, then letters, digits and hyphens", part)
    const isTaken = this.actors.has(name) || this.organizations.has(name)
    if (repeated === "again" ? isTaken : this.names.has(name) || name === operator) {
      this.say(path, `name ${name} is already used`, part)
    }
    if (repeated === undefined && processes.has(name)) this.say(path, `name ${name} is reserved for a process`, part)
    this.names.add(name)
  }

  organization(name: string, path: Path, part: Problem["part"] = "value"): void {
    if (this.organizations.has(name)) return
    this.say(path, `unknown organization ${name}${didYouMean(name, this.organizations)}`, part)
  }

  /** Checks that an actor of this kind is declared. */
  party(name: string, kind: ActorKind, path: Path): void {
    if (this.actors.get(name) === kind) return
    const known = [...this.actors].filter(([, is]) => is === kind).map(([is]) => is)
    this.say(path, `unknown ${kind} ${name}${didYouMean(name, known)}`)
  }

  provider(name: string, path: Path): void {
    if (this.providers.has(name)) return
    this.say(path, `unknown provider ${name}${didYouMean(name, this.providers)}`)
  }

  /** Checks that an actor is declared and may call the operation. */
  actor(name: string, form: OperationForm | undefined, operation: string, path: Path): void {
    const kind = this.actors.get(name)
    if (kind === undefined) {
      this.say(path, `unknown actor ${name}${didYouMean(name, this.actors.keys())}`)
    } else if (form !== undefined && !form.by.includes(kind)) {
      const is = name === kind ? "is not" : `is ${withArticle(kind)}`
      this.say(path, `${operation} requires ${anyOf(form.by.map(withArticle))}; ${name} ${is}`)
    }
  }
}

const nameForm = /^[A-Za-z][A-Za-z0-9-]*$/

/** The operator takes the definite article. */
export const withArticle = (kind: ActorKind): string =>
  kind === operator ? `the ${kind}` : /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`

/** `a, b or c`. */
export const anyOf = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`
