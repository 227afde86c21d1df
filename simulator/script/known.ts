/** What a script has introduced so far, and what was found to be wrong with it: every check reads and adds to this. */
import type { ActorKind, OperationForm } from "../operations/forms.ts"
import type { StepForm } from "./format.ts"
import type { Path, Problem } from "./problem.ts"
import { didYouMean } from "../../src/vocabulary/suggest.ts"

export const operator = "operator"

/** In a script these are always processes of the service. */
const processes: ReadonlySet<string> = new Set(["service", "worker"])

export class Known {
  readonly actors = new Map<string, ActorKind>([[operator, "operator"]])
  readonly organizations = new Set<string>()
  readonly providers = new Set<string>()
  /** Everything that `${…}` can name so far. */
  readonly names = new Set<string>()
  /** By their ids; undefined for one that has no form. */
  readonly steps = new Map<string, StepForm | undefined>()
  hasWorker = false
  /** The part that is being checked. */
  within: string | undefined
  isInLoop = false
  /** Orders are searched from some point above on. */
  isSearched = false
  #problems: Array<Problem> = []

  /** What is wrong; it is told once. */
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

  /** What is kept may be kept again under the same name; whoever acts has a name to themselves. */
  introduce(name: string, path: Path, part: Problem["part"] = "key", repeated?: "again"): void {
    if (!nameForm.test(name)) this.say(path, "a name is a letter, then letters, digits and hyphens", part)
    const isTaken = this.actors.has(name) || this.organizations.has(name)
    if (repeated === "again" ? isTaken : this.names.has(name) || name === operator) {
      this.say(path, `something else is called ${name} already`, part)
    }
    if (repeated === undefined && processes.has(name)) this.say(path, `${name} is what a process is called`, part)
    this.names.add(name)
  }

  organization(name: string, path: Path, part: Problem["part"] = "value"): void {
    if (this.organizations.has(name)) return
    this.say(path, `there is no organization ${name}${didYouMean(name, this.organizations)}`, part)
  }

  /** Somebody of one kind. */
  party(name: string, kind: ActorKind, path: Path): void {
    if (this.actors.get(name) === kind) return
    const known = [...this.actors].filter(([, is]) => is === kind).map(([is]) => is)
    this.say(path, `there is no ${kind} ${name} at this point${didYouMean(name, known)}`)
  }

  provider(name: string, path: Path): void {
    if (this.providers.has(name)) return
    this.say(path, `there is no provider ${name}${didYouMean(name, this.providers)}`)
  }

  /** Whoever does something, and may. */
  actor(name: string, form: OperationForm | undefined, operation: string, path: Path): void {
    const kind = this.actors.get(name)
    if (kind === undefined) {
      this.say(path, `nobody is called ${name} at this point${didYouMean(name, this.actors.keys())}`)
    } else if (form !== undefined && !form.by.includes(kind)) {
      const is = name === kind ? "is not" : `is ${withArticle(kind)}`
      this.say(path, `${operation} is done by ${anyOf(form.by.map(withArticle))}; ${name} ${is}`)
    }
  }
}

const nameForm = /^[A-Za-z][A-Za-z0-9-]*$/

/** Of the operator there is one. */
export const withArticle = (kind: ActorKind): string =>
  kind === operator ? `the ${kind}` : /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`

/** `a, b or c`. */
export const anyOf = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`
