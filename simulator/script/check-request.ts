/** Checks what a step asks for: that the operation exists, is the actor's to do, and has the words it needs. */
import { Schema } from "effect"
import { operationForms } from "../operations/forms.ts"
import type { StepForm } from "./format.ts"
import { problemsOf } from "./issues.ts"
import type { Known } from "./known.ts"
import type { Path } from "./problem.ts"
import { didYouMean } from "../../src/vocabulary/suggest.ts"

export const checkAct = (step: StepForm, operation: string, path: Path, known: Known): void => {
  const form = operationForms.get(operation)
  if (form === undefined) {
    known.say([...path, "do"], `there is no operation ${operation}${didYouMean(operation, operationForms.keys())}`)
  }
  if (step.as === undefined) known.say([...path, "do"], "as is missing: who does this?", "key")
  else known.actor(step.as, form, operation, [...path, "as"])
  if (form === undefined) return
  checkOn(step.on, form.actsOn, operation, path, known)
  for (const key of ["envelope", "inject", "with", "meanwhile", "within"] as const) {
    if (!Object.hasOwn(step, key) || form.understands.includes(key)) continue
    known.say([...path, key], reasons[key] ?? `${key} does not go with ${operation}`, "key")
  }
  if (operation.endsWith("Worker") && !known.hasWorker) {
    known.say([...path, "do"], "there is no worker here: give the world receivers, or say in given what a worker does")
  }
  if (form.input !== undefined) checkInput(step, form.input, operation, path, known)
  // Whoever polls may come back as an agent; whether it did shows when the scenario runs.
  if (operation === "pollConnection" && known.actors.get(step.as ?? "") === "visitor") {
    known.actors.set(step.as ?? "", "agent")
  }
}

const reasons: { readonly [key: string]: string } = {
  within: "within asks again and again, and so it goes with an operation that reads, or with received"
}

const checkOn = (on: string | undefined, things: number, operation: string, path: Path, known: Known): void => {
  if (on === undefined) {
    if (things > 0) known.say([...path, "do"], `on is missing: what is ${operation} done to?`, "key")
  } else if (things === 0) {
    known.say([...path, "on"], `${operation} acts on nothing`, "key")
  } else if (on.split("/").length !== things) {
    const many = things === 1 ? "one thing" : `${things} things, with a slash between them`
    known.say([...path, "on"], `${operation} acts on ${many}`)
  }
}

const checkInput = (
  step: StepForm,
  form: Schema.Codec<any, any>,
  operation: string,
  path: Path,
  known: Known
): void => {
  const { input = {} } = step
  const at = [...path, "input"]
  const decoded = Schema.decodeUnknownResult(form)(input, { errors: "all", onExcessProperty: "error" })
  if (decoded._tag === "Failure" && step.input === undefined) {
    return known.say([...path, "do"], `${operation} needs an input`, "key")
  }
  if (decoded._tag === "Failure") return known.add(problemsOf(decoded.failure.issue, input, at))
  const { agent, person, organization, receiver, provider } = input
  if (operation === "setProvider" && typeof provider === "string") known.provider(provider, [...at, "provider"])
  if (typeof receiver === "string") known.party(receiver, "receiver", [...at, "receiver"])
  if (typeof organization === "string") known.organization(organization, [...at, "organization"])
  if (typeof person === "string") known.party(person, "person", [...at, "person"])
  if (typeof agent !== "string") return
  if (operation === "grantAgent") known.introduceActor(agent, "agent", [...at, "agent"], "value")
  else known.party(agent, "agent", [...at, "agent"])
}

export const checkSend = ({ as, send }: StepForm, path: Path, known: Known): void => {
  if (as === undefined) known.say([...path, "send"], "as is missing: who sends this?", "key")
  else known.actor(as, undefined, "send", [...path, "as"])
  const kind = known.actors.get(as ?? "")
  if (kind === "operator" || kind === "receiver") {
    known.say([...path, "as"], `a request is sent by a person, an agent or a visitor; ${as} sends none`)
  }
  if (send?.json !== undefined && send.text !== undefined) {
    known.say([...path, "send", "text"], "a request has one body: json or text", "key")
  }
}

export const checkRetry = (id: string, path: Path, known: Known): void => {
  const step = known.steps.get(id)
  if (!known.steps.has(id)) {
    known.say([...path, "retry"], `no step before this one is called ${id}${didYouMean(id, known.steps.keys())}`)
  } else if (step !== undefined && step.send === undefined && !isRequest(step.do)) {
    known.say([...path, "retry"], `step ${id} sends no request that could be sent again`)
  }
}

const isRequest = (operation: string | undefined): boolean =>
  operation !== undefined && operationForms.get(operation)?.isRequest === true
