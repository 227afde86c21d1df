/** Checks a step's operation: it exists, its actor may call it, and target and input are complete. */
import { Schema } from "effect"
import { operationForms } from "../operations/operation-forms.ts"
import type { StepForm } from "./scenario-form.ts"
import { problemsOfIssue } from "./schema-problems.ts"
import type { CheckContext } from "./check-context.ts"
import type { ProblemPath } from "./problem.ts"
import { didYouMean } from "../../../src/vocabulary/suggest.ts"

export const checkAct = (step: StepForm, operation: string, path: ProblemPath, context: CheckContext): void => {
  const form = operationForms.get(operation)
  if (form === undefined) {
    context.report([...path, "do"], `unknown operation ${operation}${didYouMean(operation, operationForms.keys())}`)
  }
  if (step.as === undefined) context.report([...path, "do"], "as is missing: name the actor", "key")
  else context.requireActor(step.as, form, operation, [...path, "as"])
  if (form === undefined) return
  checkOn(step.on, form.actsOn, operation, path, context)
  for (const key of ["envelope", "inject", "with", "meanwhile", "within"] as const) {
    if (!Object.hasOwn(step, key) || form.understands.includes(key)) continue
    context.report([...path, key], reasons[key] ?? `${key} is not allowed with ${operation}`, "key")
  }
  if (operation.endsWith("Worker") && !context.hasWorker) {
    context.report([...path, "do"], "this scenario has no worker: add receivers or worker to given")
  }
  if (form.input !== undefined) checkInput(step, form.input, operation, path, context)
  // A poll may make the visitor an agent; only the run shows whether it did.
  if (operation === "pollConnection" && context.actors.get(step.as ?? "") === "visitor") {
    context.actors.set(step.as ?? "", "agent")
  }
}

const reasons: { readonly [key: string]: string } = {
  within: "within repeats the request, so it is allowed only with read operations and received"
}

const checkOn = (
  on: string | undefined,
  count: number,
  operation: string,
  path: ProblemPath,
  context: CheckContext
): void => {
  if (on === undefined) {
    if (count > 0) context.report([...path, "do"], `on is missing: name the target of ${operation}`, "key")
  } else if (count === 0) {
    context.report([...path, "on"], `${operation} has no target`, "key")
  } else if (on.split("/").length !== count) {
    const expected = count === 1 ? "one target" : `${count} targets, separated by a slash`
    context.report([...path, "on"], `${operation} takes ${expected}`)
  }
}

const checkInput = (
  step: StepForm,
  form: Schema.Codec<any, any>,
  operation: string,
  path: ProblemPath,
  context: CheckContext
): void => {
  const { input = {} } = step
  const at = [...path, "input"]
  const decoded = Schema.decodeUnknownResult(form)(input, { errors: "all", onExcessProperty: "error" })
  if (decoded._tag === "Failure" && step.input === undefined) {
    return context.report([...path, "do"], `input is missing: ${operation} requires one`, "key")
  }
  if (decoded._tag === "Failure") return context.add(problemsOfIssue(decoded.failure.issue, input, at))
  const { agent, person, organization, receiver, provider } = input
  if (operation === "setProvider" && typeof provider === "string")
    context.requireProvider(provider, [...at, "provider"])
  if (typeof receiver === "string") context.requireActorOfKind(receiver, "receiver", [...at, "receiver"])
  if (typeof organization === "string") context.requireOrganization(organization, [...at, "organization"])
  if (typeof person === "string") context.requireActorOfKind(person, "person", [...at, "person"])
  if (typeof agent !== "string") return
  if (operation === "grantAgent") context.declareActor(agent, "agent", [...at, "agent"], "value")
  else context.requireActorOfKind(agent, "agent", [...at, "agent"])
}

export const checkSend = ({ as, send }: StepForm, path: ProblemPath, context: CheckContext): void => {
  if (as === undefined) context.report([...path, "send"], "as is missing: name the sender", "key")
  else context.requireActor(as, undefined, "send", [...path, "as"])
  const kind = context.actors.get(as ?? "")
  if (kind === "operator" || kind === "provider" || kind === "receiver") {
    context.report([...path, "as"], `a request is sent by a person, an agent or a visitor, not by ${as}`)
  }
  if (send?.json !== undefined && send.text !== undefined) {
    context.report([...path, "send", "text"], "a request has one body: json or text", "key")
  }
}

export const checkRetry = (id: string, path: ProblemPath, context: CheckContext): void => {
  const step = context.steps.get(id)
  if (!context.steps.has(id)) {
    context.report([...path, "retry"], `no earlier step has the id ${id}${didYouMean(id, context.steps.keys())}`)
  } else if (step !== undefined && step.send === undefined && !isRequest(step.do)) {
    context.report([...path, "retry"], `step ${id} sends no request to retry`)
  }
}

const isRequest = (operation: string | undefined): boolean =>
  operation !== undefined && operationForms.get(operation)?.isRequest === true
