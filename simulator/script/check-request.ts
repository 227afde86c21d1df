/** Checks a step's operation: it exists, its actor may call it, and target and input are complete. */
import { Schema } from "effect"
import { operationForms } from "../operations/forms.ts"
import type { StepForm } from "./format.ts"
import { problemsOf } from "./issues.ts"
import type { Known } from "./known.ts"
import type { Path } from "./problem.ts"
import { didYouMean } from "../../src/vocabulary/suggest.ts"

export const checkAct = (step: StepForm, operation: string, path: Path, context: Known): void => {
  const form = operationForms.get(operation)
  if (form === undefined) {
    context.say([...path, "do"], `unknown operation ${operation}${didYouMean(operation, operationForms.keys())}`)
  }
  if (step.as === undefined) context.say([...path, "do"], "as is missing: name the actor", "key")
  else context.actor(step.as, form, operation, [...path, "as"])
  if (form === undefined) return
  checkOn(step.on, form.actsOn, operation, path, context)
  for (const key of ["envelope", "inject", "with", "meanwhile", "within"] as const) {
    if (!Object.hasOwn(step, key) || form.understands.includes(key)) continue
    context.say([...path, key], reasons[key] ?? `${key} is not allowed with ${operation}`, "key")
  }
  if (operation.endsWith("Worker") && !context.hasWorker) {
    context.say([...path, "do"], "this scenario has no worker: add receivers or worker to given")
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

const checkOn = (on: string | undefined, count: number, operation: string, path: Path, context: Known): void => {
  if (on === undefined) {
    if (count > 0) context.say([...path, "do"], `on is missing: name the target of ${operation}`, "key")
  } else if (count === 0) {
    context.say([...path, "on"], `${operation} has no target`, "key")
  } else if (on.split("/").length !== count) {
    const expected = count === 1 ? "one target" : `${count} targets, separated by a slash`
    context.say([...path, "on"], `${operation} takes ${expected}`)
  }
}

const checkInput = (
  step: StepForm,
  form: Schema.Codec<any, any>,
  operation: string,
  path: Path,
  context: Known
): void => {
  const { input = {} } = step
  const at = [...path, "input"]
  const decoded = Schema.decodeUnknownResult(form)(input, { errors: "all", onExcessProperty: "error" })
  if (decoded._tag === "Failure" && step.input === undefined) {
    return context.say([...path, "do"], `input is missing: ${operation} requires one`, "key")
  }
  if (decoded._tag === "Failure") return context.add(problemsOf(decoded.failure.issue, input, at))
  const { agent, person, organization, receiver, provider } = input
  if (operation === "setProvider" && typeof provider === "string") context.provider(provider, [...at, "provider"])
  if (typeof receiver === "string") context.party(receiver, "receiver", [...at, "receiver"])
  if (typeof organization === "string") context.organization(organization, [...at, "organization"])
  if (typeof person === "string") context.party(person, "person", [...at, "person"])
  if (typeof agent !== "string") return
  if (operation === "grantAgent") context.introduceActor(agent, "agent", [...at, "agent"], "value")
  else context.party(agent, "agent", [...at, "agent"])
}

export const checkSend = ({ as, send }: StepForm, path: Path, context: Known): void => {
  if (as === undefined) context.say([...path, "send"], "as is missing: name the sender", "key")
  else context.actor(as, undefined, "send", [...path, "as"])
  const kind = context.actors.get(as ?? "")
  if (kind === "operator" || kind === "receiver") {
    context.say([...path, "as"], `a request is sent by a person, an agent or a visitor, not by ${as}`)
  }
  if (send?.json !== undefined && send.text !== undefined) {
    context.say([...path, "send", "text"], "a request has one body: json or text", "key")
  }
}

export const checkRetry = (id: string, path: Path, context: Known): void => {
  const step = context.steps.get(id)
  if (!context.steps.has(id)) {
    context.say([...path, "retry"], `no earlier step has the id ${id}${didYouMean(id, context.steps.keys())}`)
  } else if (step !== undefined && step.send === undefined && !isRequest(step.do)) {
    context.say([...path, "retry"], `step ${id} sends no request to retry`)
  }
}

const isRequest = (operation: string | undefined): boolean =>
  operation !== undefined && operationForms.get(operation)?.isRequest === true
