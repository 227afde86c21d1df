/**
 * What a schema cannot say about a script: every name is known where it is used, every operation exists and is the
 * actor's to do, keys of a step go together. Steps that do not decode are passed over here; what is wrong with them
 * has been said.
 */
import { Schema } from "effect"
import { refusals } from "../../src/vocabulary/refusal-rules.ts"
import { type ActorKind, type OperationForm, operationForms } from "../operations/forms.ts"
import { InnerStepForm, StepForm } from "./format.ts"
import { problemsOf } from "./issues.ts"
import type { Path, Problem } from "./problem.ts"
import { namesIn } from "./references.ts"
import { didYouMean } from "./suggest.ts"

export const operator = "operator"

export const checkScenario = (value: unknown): ReadonlyArray<Problem> => new Check(value).run()

const decodeStep = Schema.decodeUnknownOption(StepForm)
const decodeInnerStep = Schema.decodeUnknownOption(InnerStepForm)

class Check {
  readonly #script: Members
  readonly #problems: Array<Problem> = []
  readonly #actors = new Map<string, ActorKind>([[operator, "operator"]])
  readonly #organizations = new Set<string>()
  /** Everything that `${…}` can name so far. */
  readonly #names = new Set<string>()
  readonly #steps = new Map<string, StepForm | undefined>()

  constructor(value: unknown) {
    this.#script = membersOf(value)
  }

  run(): ReadonlyArray<Problem> {
    this.#given(membersOf(this.#script["given"]))
    const steps = this.#script["steps"]
    for (const [index, step] of (Array.isArray(steps) ? steps : []).entries())
      this.#step(step, ["steps", index], decodeStep)
    return this.#problems
  }

  #say(path: Path, message: string, part: Problem["part"] = "value"): void {
    this.#problems.push({ path, part, message })
  }

  #given(given: Members): void {
    for (const name of Object.keys(membersOf(given["organizations"]))) {
      this.#organizations.add(name)
      this.#introduce(name, ["given", "organizations", name])
    }
    for (const [name, person] of Object.entries(membersOf(given["people"]))) {
      this.#introduceActor(name, "person", ["given", "people", name])
      for (const organization of Object.keys(membersOf(membersOf(person)["member"]))) {
        this.#organization(organization, ["given", "people", name, "member", organization], "key")
      }
    }
    for (const name of Object.keys(membersOf(given["visitors"]))) {
      this.#introduceActor(name, "visitor", ["given", "visitors", name])
    }
    this.#receivers(membersOf(given["receivers"]))
    for (const name of Object.keys(membersOf(given["credits"]))) {
      this.#organization(name, ["given", "credits", name], "key")
    }
  }

  #receivers(receivers: Members): void {
    const hosts = new Set<unknown>()
    for (const [name, receiver] of Object.entries(receivers)) {
      const path = ["given", "receivers", name]
      this.#introduceActor(name, "receiver", path)
      const { host } = membersOf(receiver)
      if (hosts.has(host)) this.#say([...path, "host"], `another receiver is at ${String(host)} already`)
      hosts.add(host)
    }
  }

  #step(value: unknown, path: Path, decode: typeof decodeStep): void {
    const { meanwhile, ...own } = membersOf(value)
    this.#references(own, path)
    // What is inside is checked by itself, and must not hide what is wrong around it.
    const step = decode(isSteps(meanwhile) ? { ...own, meanwhile: [{}] } : value)
    const id = membersOf(value)["id"]
    if (typeof id === "string") {
      if (this.#steps.has(id)) this.#say([...path, "id"], `another step is called ${id} already`)
      this.#steps.set(id, step._tag === "Some" ? step.value : undefined)
    }
    this.#refusal(membersOf(membersOf(value)["expect"])["error"], [...path, "expect", "error"])
    if (step._tag === "Some") {
      this.#companions(step.value, path)
      if (step.value.do !== undefined) this.#act(step.value, step.value.do, path)
      if (step.value.retry !== undefined) this.#retry(step.value.retry, path)
    }
    for (const [index, inner] of (isSteps(meanwhile) ? meanwhile : []).entries()) {
      this.#step(inner, [...path, "meanwhile", index], decodeInnerStep)
    }
    if (step._tag === "None") return
    this.#expectation(step.value, path)
    this.#keep(step.value.keep, path)
  }

  /** A step does one thing, and has only the keys of that thing. */
  #companions(step: StepForm, path: Path): void {
    const kinds = Object.keys(companions).filter((kind) => Object.hasOwn(step, kind))
    const [kind] = kinds
    if (kinds.length > 1) {
      this.#say(path, `a step does one thing; this one has ${kinds.join(" and ")}`)
    } else if (kind === undefined && Object.keys(step).some((key) => key !== "say" && key !== "id")) {
      this.#say(path, `a step needs one of ${Object.keys(companions).join(", ")}, or is a say alone`)
    } else if (kind !== undefined) {
      const allowed = companions[kind] ?? []
      for (const key of Object.keys(step)) {
        if (key === kind || key === "id" || key === "say" || allowed.includes(key)) continue
        this.#say([...path, key], `${key} does not go with ${kind}`, "key")
      }
    }
  }

  #act(step: StepForm, operation: string, path: Path): void {
    const form = operationForms.get(operation)
    if (form === undefined) {
      this.#say([...path, "do"], `there is no operation ${operation}${didYouMean(operation, operationForms.keys())}`)
    }
    if (step.as === undefined) this.#say([...path, "do"], "as is missing: who does this?", "key")
    else this.#actor(step.as, form, operation, [...path, "as"])
    if (form === undefined) return
    this.#on(step.on, form.actsOn, operation, path)
    for (const key of ["envelope", "inject", "with", "meanwhile"] as const) {
      if (Object.hasOwn(step, key) && !form.understands.includes(key)) {
        this.#say([...path, key], `${key} does not go with ${operation}`, "key")
      }
    }
    if (operation.endsWith("Worker") && ![...this.#actors.values()].includes("receiver")) {
      this.#say([...path, "do"], "there is no worker in a world without receivers")
    }
    if (form.input !== undefined) this.#input(step, form.input, operation, path)
    // Whoever polls may come back as an agent; whether it did shows when the scenario runs.
    if (operation === "pollConnection" && this.#actors.get(step.as ?? "") === "visitor") {
      this.#actors.set(step.as ?? "", "agent")
    }
  }

  #on(on: string | undefined, things: number, operation: string, path: Path): void {
    if (on === undefined) {
      if (things > 0) this.#say([...path, "do"], `on is missing: what is ${operation} done to?`, "key")
    } else if (things === 0) {
      this.#say([...path, "on"], `${operation} acts on nothing`, "key")
    } else if (on.split("/").length !== things) {
      this.#say(
        [...path, "on"],
        `${operation} acts on ${things === 1 ? "one thing" : `${things} things, with a slash between them`}`
      )
    }
  }

  #actor(name: string, form: OperationForm | undefined, operation: string, path: Path): void {
    const kind = this.#actors.get(name)
    if (kind === undefined) {
      this.#say(path, `nobody is called ${name} at this point${didYouMean(name, this.#actors.keys())}`)
    } else if (form !== undefined && !form.by.includes(kind)) {
      this.#say(path, `${operation} is done by ${form.by.join(" or ")}; ${name} is ${article(kind)}`)
    }
  }

  #input(step: StepForm, schema: Schema.Codec<any, any>, operation: string, path: Path): void {
    const { input = {} } = step
    const decoded = Schema.decodeUnknownResult(schema)(input, { errors: "all", onExcessProperty: "error" })
    if (decoded._tag === "Failure" && step.input === undefined) {
      return this.#say([...path, "do"], `${operation} needs an input`, "key")
    }
    if (decoded._tag === "Failure") {
      this.#problems.push(...problemsOf(decoded.failure.issue, input, [...path, "input"]))
      return
    }
    const { agent, person, organization, receiver } = input
    if (typeof receiver === "string") this.#party(receiver, "receiver", [...path, "input", "receiver"])
    if (typeof organization === "string") this.#organization(organization, [...path, "input", "organization"])
    if (typeof person === "string") this.#party(person, "person", [...path, "input", "person"])
    if (typeof agent !== "string") return
    if (operation === "grantAgent") this.#introduceActor(agent, "agent", [...path, "input", "agent"], "value")
    else this.#party(agent, "agent", [...path, "input", "agent"])
  }

  #retry(id: string, path: Path): void {
    const step = this.#steps.get(id)
    if (!this.#steps.has(id)) {
      this.#say([...path, "retry"], `no step before this one is called ${id}${didYouMean(id, this.#steps.keys())}`)
    } else if (step !== undefined && (step.do === undefined || operationForms.get(step.do)?.isRequest !== true)) {
      this.#say([...path, "retry"], `step ${id} sends no request that could be sent again`)
    }
  }

  #refusal(code: unknown, path: Path): void {
    if (typeof code !== "string" || Object.hasOwn(refusals, code)) return
    this.#say(path, `there is no refusal ${code}${didYouMean(code, Object.keys(refusals))}`)
  }

  #expectation({ expect, inject }: StepForm, path: Path): void {
    if (inject === undefined || expect === undefined) return
    this.#say([...path, "expect"], "no answer arrives at a step with inject, so it can expect nothing", "key")
  }

  #keep(keep: StepForm["keep"], path: Path): void {
    if (keep === undefined) return
    if (typeof keep === "string") this.#introduce(keep, [...path, "keep"], "value", "again")
    else for (const name of Object.keys(keep)) this.#introduce(name, [...path, "keep", name], "key", "again")
  }

  #references(value: unknown, path: Path): void {
    if (Array.isArray(value)) return value.forEach((item, index) => this.#references(item, [...path, index]))
    if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) this.#references(item, [...path, key])
    }
    if (typeof value !== "string") return
    for (const name of namesIn(value)) {
      if (name === undefined) this.#say(path, "a reference is ${name} or ${name.path}")
      else if (!this.#names.has(name)) {
        this.#say(path, `nothing is called ${name} at this point${didYouMean(name, this.#names)}`)
      }
    }
  }

  #introduceActor(name: string, kind: ActorKind, path: Path, part: Problem["part"] = "key"): void {
    this.#introduce(name, path, part)
    if (!this.#actors.has(name)) this.#actors.set(name, kind)
  }

  #introduce(name: string, path: Path, part: Problem["part"] = "key", repeated?: "again"): void {
    if (!nameForm.test(name)) this.#say(path, "a name is a letter, then letters, digits and hyphens", part)
    const isTaken = this.#actors.has(name) || this.#organizations.has(name)
    if (repeated === "again" ? isTaken : this.#names.has(name) || name === operator) {
      this.#say(path, `something else is called ${name} already`, part)
    }
    this.#names.add(name)
  }

  #organization(name: string, path: Path, part: Problem["part"] = "value"): void {
    if (this.#organizations.has(name)) return
    this.#say(path, `there is no organization ${name}${didYouMean(name, this.#organizations)}`, part)
  }

  #party(name: string, kind: ActorKind, path: Path): void {
    if (this.#actors.get(name) === kind) return
    const known = [...this.#actors].filter(([, is]) => is === kind).map(([is]) => is)
    this.#say(path, `there is no ${kind} ${name} at this point${didYouMean(name, known)}`)
  }
}

/** What each kind of step may carry beside `id` and `say`. */
const companions: { readonly [kind: string]: ReadonlyArray<string> } = {
  do: ["as", "on", "with", "input", "envelope", "inject", "meanwhile", "expect", "keep"],
  retry: ["inject", "expect", "keep"],
  advance: [],
  until: []
}

const nameForm = /^[A-Za-z][A-Za-z0-9-]*$/

const article = (kind: ActorKind): string => (/^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`)

const isSteps = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value) && value.length > 0

type Members = { readonly [key: string]: unknown }

const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {}
