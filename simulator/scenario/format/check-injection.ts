/** Checks injected faults: one fault each, with its target where the step does not imply it. */
import { lockKinds } from "../../../src/ports/table.ts"
import { tables } from "../../../src/tables.ts"
import type { NestingLevel } from "./check-step.ts"
import type { SearchForm, StepForm } from "./scenario-form.ts"
import { joinAlternatives, type CheckContext, operator, paymentProvider } from "./check-context.ts"
import { apiOperations } from "../operations/agent-api.ts"
import type { ProblemPath } from "./problem.ts"
import { didYouMean } from "../../../src/vocabulary/suggest.ts"

type Injection = Exclude<NonNullable<StepForm["inject"]>, string>

export const checkInjection = (step: StepForm, path: ProblemPath, context: CheckContext): void => {
  const { inject } = step
  if (inject === undefined) return
  const at = [...path, "inject"]
  if (typeof inject === "string") {
    if (isAlone(step)) context.report(at, `${inject} requires do, retry or send in the same step`)
    return
  }
  for (const problem of problemsWith(inject, isAlone(step) ? kinds : ofRequest)) context.report(at, problem)
  checkPoint(inject, at, context)
  if (isAlone(step)) checkTarget(inject, at, context)
  else checkBesideRequest(inject, at, context)
}

/** The point of a fault exists, and so does the table or lock that it names. */
const checkPoint = (
  { database, crash, at: point = "commit", in: where }: Injection,
  at: ProblemPath,
  context: CheckContext
): void => {
  if (database === undefined && point !== "commit") context.report([...at, "at"], "at requires database", "key")
  if (where === undefined) return
  if ((database ?? crash) === undefined) return context.report([...at, "in"], "in requires database or crash", "key")
  if (point === "begin") return context.report([...at, "in"], "in does not apply to at: begin", "key")
  const names: ReadonlyArray<string> = point === "lock" ? lockKinds : tables.map(({ name }) => name)
  if (names.includes(where)) return
  context.report([...at, "in"], `unknown ${point === "lock" ? "lock" : "table"} ${where}${didYouMean(where, names)}`)
}

/** A scenario has at most one search, at the top level; its faults have no counts of their own. */
export const checkSearch = (
  search: SearchForm,
  path: ProblemPath,
  level: NestingLevel,
  context: CheckContext
): void => {
  if (level !== "outer") context.report(path, "explore is allowed only as a top-level step", "key")
  if (context.hasSearch) context.report(path, "a scenario has at most one explore step", "key")
  context.hasSearch = true
  for (const [index, fault] of (search.faults ?? []).entries()) {
    const at = [...path, "faults", index]
    for (const problem of problemsWith(fault, kinds)) context.report(at, problem)
    checkPoint(fault, at, context)
    checkTarget(fault, at, context)
    for (const key of ["skip", "times"] as const) {
      if (fault[key] !== undefined)
        context.report([...at, key], `${key} is not allowed here: the search chooses it`, "key")
    }
  }
  for (const name of Object.keys(search.receivers ?? {}))
    context.requireActorOfKind(name, "receiver", [...path, "receivers", name])
  if (search.payments !== undefined) context.requireActorOfKind(paymentProvider, "provider", [...path, "payments"])
}

/** An injection is exactly one fault. */
const problemsWith = (inject: Injection, allowed: ReadonlyArray<string>): ReadonlyArray<string> => {
  const faults = kinds.filter((kind) => inject[kind] !== undefined)
  if (faults.length > 1) return [`an injection is one fault; this one has ${faults.join(" and ")}`]
  return faults.length === 0 ? [`inject has no fault: add ${joinAlternatives(allowed)}`] : []
}

const ofRequest = ["database", "crash"] as const
const kinds = [...ofRequest, "lost"] as const

const isAlone = (step: StepForm): boolean =>
  step.do === undefined && step.retry === undefined && step.send === undefined

const checkBesideRequest = (inject: Injection, at: ProblemPath, context: CheckContext): void => {
  if (inject.of !== undefined) {
    context.report([...at, "of"], "of is not allowed beside a request: the fault applies to this request", "key")
  }
  for (const key of ["to", "edge"] as const) {
    if (inject[key] !== undefined) context.report([...at, key], `${key} is allowed only in a step of its own`, "key")
  }
  if (inject.lost !== undefined) {
    context.report([...at, "lost"], `beside a request, write inject: lost-${inject.lost}`, "key")
  }
}

/** An injection in a step of its own applies to the next request of an actor, or to the worker. */
const checkTarget = (injection: Injection, at: ProblemPath, context: CheckContext): void => {
  const { of, crash, lost } = injection
  checkOperation(injection, at, context)
  if (of === undefined) {
    return context.report(at, "of is missing: name an actor or worker", "key")
  }
  const kind = of === worker ? worker : context.actors.get(of)
  if (kind === undefined) {
    const near = didYouMean(of, [...context.actors.keys(), worker])
    context.report([...at, "of"], `unknown actor ${of}${near}`)
  } else if (kind === worker && !context.hasWorker) {
    context.report([...at, "of"], "this scenario has no worker: add receivers or worker to given")
  } else if (kind === worker && lost !== undefined) {
    context.report([...at, "of"], "lost does not apply to worker: set the outcome of webhook attempts with setReceiver")
  } else if (kind === operator && (crash ?? lost) !== undefined) {
    context.report([...at, "of"], "crash and lost do not apply to operator: its commands send no request")
  } else if (kind === "receiver") {
    context.report([...at, "of"], `${of} is a receiver: set its faults with setReceiver`)
  }
}

/** An edge answers requests, and a fault can be tied to an operation of them. */
const checkOperation = ({ of, lost, to, edge }: Injection, at: ProblemPath, context: CheckContext): void => {
  if (edge !== undefined && lost === undefined) context.report([...at, "edge"], "edge requires lost", "key")
  if (to === undefined) return
  if (of === worker) context.report([...at, "to"], "to does not apply to worker: it sends no request", "key")
  if (!Object.hasOwn(apiOperations, to))
    context.report([...at, "to"], `unknown operation ${to}${didYouMean(to, Object.keys(apiOperations))}`)
}

const worker = "worker"

/** True if the step's answer never reaches its actor. */
export const losesAnswer = (step: StepForm): boolean => {
  const { inject } = step
  return !isAlone(step) && (typeof inject === "string" || inject?.crash !== undefined)
}
