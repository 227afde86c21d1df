/** The state of the checks of one script: the names declared so far, and the problems found. */
import type { ActorKind, OperationForm } from "../operations/operation-forms.ts"
import type { StepForm } from "./scenario-form.ts"
import type { ProblemPath, Problem } from "./problem.ts"
import { didYouMean } from "../../../src/vocabulary/suggest.ts"

export const operator = "operator"

/** The actor who acts for the payers, banks and staff of a world's payment provider. */
export const paymentProvider = "provider"

/** Names reserved for processes of the service. */
const processes: ReadonlySet<string> = new Set(["service", "worker"])

export class CheckContext {
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
  hasSearch = false
  #problems: Array<Problem> = []

  /** Returns the problems and clears them. */
  takeProblems(): ReadonlyArray<Problem> {
    const problems = this.#problems
    this.#problems = []
    return problems
  }

  report(path: ProblemPath, message: string, part: Problem["part"] = "value"): void {
    this.add([{ path, part, message }])
  }

  add(problems: ReadonlyArray<Problem>): void {
    const { within } = this
    for (const problem of problems) this.#problems.push(within === undefined ? problem : { ...problem, within })
  }

  declareActor(name: string, kind: ActorKind, path: ProblemPath, part: Problem["part"] = "key"): void {
    this.declare(name, path, part)
    if (!this.actors.has(name)) this.actors.set(name, kind)
  }

  /** The name of a kept value may be declared again; the name of an actor is unique. */
  declare(name: string, path: ProblemPath, part: Problem["part"] = "key", repeated?: "again"): void {
    if (!nameForm.test(name)) this.report(path, "a name is a letter, then letters, digits and hyphens", part)
    const isTaken = this.actors.has(name) || this.organizations.has(name)
    if (repeated === "again" ? isTaken : this.names.has(name) || name === operator) {
      this.report(path, `name ${name} is already used`, part)
    }
    if (repeated === undefined && processes.has(name)) this.report(path, `name ${name} is reserved for a process`, part)
    this.names.add(name)
  }

  requireOrganization(name: string, path: ProblemPath, part: Problem["part"] = "value"): void {
    if (this.organizations.has(name)) return
    this.report(path, `unknown organization ${name}${didYouMean(name, this.organizations)}`, part)
  }

  /** Checks that an actor of this kind is declared. */
  requireActorOfKind(name: string, kind: ActorKind, path: ProblemPath): void {
    if (this.actors.get(name) === kind) return
    const known = [...this.actors].filter(([, is]) => is === kind).map(([is]) => is)
    this.report(path, `unknown ${kind} ${name}${didYouMean(name, known)}`)
  }

  requireProvider(name: string, path: ProblemPath): void {
    if (this.providers.has(name)) return
    this.report(path, `unknown provider ${name}${didYouMean(name, this.providers)}`)
  }

  /** Checks that an actor is declared and may call the operation. */
  requireActor(name: string, form: OperationForm | undefined, operation: string, path: ProblemPath): void {
    const kind = this.actors.get(name)
    if (kind === undefined && name === paymentProvider) {
      this.report(path, "this world has no payment provider: add payments to given")
    } else if (kind === undefined) {
      this.report(path, `unknown actor ${name}${didYouMean(name, this.actors.keys())}`)
    } else if (form !== undefined && !form.by.includes(kind)) {
      const is = name === kind ? "is not" : `is ${withArticle(kind)}`
      this.report(path, `${operation} requires ${joinAlternatives(form.by.map(withArticle))}; ${name} ${is}`)
    }
  }
}

const nameForm = /^[A-Za-z][A-Za-z0-9-]*$/

/** Of the operator and the provider there is one. */
export const withArticle = (kind: ActorKind): string =>
  kind === operator || kind === paymentProvider ? `the ${kind}` : /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`

/** `a, b or c`. */
export const joinAlternatives = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`
