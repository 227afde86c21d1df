/** Checks the properties of a script: their keys, paths and values, and that every name in them is known. */
import { apiOperations } from "../operations/agent-api.ts"
import { type OperationForm, operationForms } from "../operations/operation-forms.ts"
import { type Subject, subjects, vocabularies } from "../properties/subjects.ts"
import { checkReferences } from "./check-references.ts"
import { joinAlternatives, type CheckContext } from "./check-context.ts"
import { isMembers, itemsOf, type Members, membersOf } from "./untyped-members.ts"
import type { ProblemPath } from "./problem.ts"
import { type PropertyKind, propertyKinds } from "./property-form.ts"
import { didYouMean } from "../../../src/vocabulary/suggest.ts"

/** After the steps, so that every name that they introduce is known. */
export const checkProperties = (script: Members, context: CheckContext): void => {
  for (const kind of propertyKinds) {
    const names = new Set<unknown>()
    for (const [index, value] of itemsOf(script[kind]).entries()) {
      if (!isMembers(value)) continue
      const path = [kind, index]
      if (names.has(value["name"])) context.report([...path, "name"], `duplicate property name in ${kind}`)
      names.add(value["name"])
      checkProperty(kind, value, path, context)
    }
  }
}

const checkProperty = (kind: PropertyKind, value: Members, path: ProblemPath, context: CheckContext): void => {
  const found = subjects.filter((one) => value[one] !== undefined)
  const [subject] = found
  if (subject === undefined) return context.report(path, `subject is missing: add ${joinAlternatives(subjects)}`)
  if (found.length > 1) {
    return context.report(path, `a property has one subject; this one has ${found.join(" and ")}`)
  }
  checkReferences(value, path, context)
  checkKeys(kind, subject, value, path, context)
  for (const key of ["when", "matches"] as const) checkPaths(subject, value[key], [...path, key], context)
  if (subject === "answers") checkAnswers(membersOf(value[subject]), [...path, subject], context)
  if (subject === "requests" || subject === "tells") checkSender(membersOf(value[subject]), [...path, subject], context)
  const { receiver } = membersOf(value["callbacks"])
  if (typeof receiver === "string") context.requireActorOfKind(receiver, "receiver", [...path, "callbacks", "receiver"])
}

const checkKeys = (
  kind: PropertyKind,
  subject: Subject,
  value: Members,
  path: ProblemPath,
  context: CheckContext
): void => {
  const { least, most, matches } = value
  const isCounted = least !== undefined || most !== undefined
  for (const key of ["least", "most"] as const) {
    if (value[key] === undefined) continue
    if (subject === "project") context.report([...path, key], `${key} does not apply to project`, "key")
    else if (kind === "never") context.report([...path, key], `${key} is not allowed in never`, "key")
  }
  if (kind === "always" && least !== undefined && subject !== "project") {
    context.report([...path, "least"], "least is allowed only in eventually", "key")
  }
  if (typeof least === "number" && typeof most === "number" && least > most) {
    context.report([...path, "least"], `at least ${least} and at most ${most} cannot both hold`)
  }
  if (matches !== undefined || isCounted) return
  const isCountAlone = kind === "never" && (subject === "callbacks" || subject === "tells")
  if (isCountAlone || (kind === "eventually" && subject !== "project")) return
  context.report(path, "matches is missing: add the members and values that must hold", "key")
}

/** A path that no value of this kind has would make the property vacuous. */
const checkPaths = (subject: Subject, members: unknown, at: ProblemPath, context: CheckContext): void => {
  const vocabulary = vocabularies[subject]
  for (const [key, value] of Object.entries(membersOf(members))) {
    if (!vocabulary.members.some((member) => key === member || key.startsWith(`${member}.`))) {
      const near = didYouMean(key, vocabulary.members)
      context.report(
        [...at, key],
        `unknown key ${key}${near === "" ? `; known keys: ${vocabulary.members.join(", ")}` : near}`,
        "key"
      )
    }
    const words = vocabulary.values[key]
    if (words === undefined || typeof value !== "string" || value.includes("${") || words.includes(value)) continue
    context.report([...at, key], `unknown value ${value}${didYouMean(value, words)}`)
  }
}

/** What an actor sent before is no part of the state that a search compares. */
const checkSender = ({ as, do: operation }: Members, path: ProblemPath, context: CheckContext): void => {
  if (context.hasSearch) context.report(path, "requests and tells are judged in one order only, without explore")
  if (typeof as === "string" && !context.actors.has(as)) {
    context.report([...path, "as"], `unknown actor ${as}${didYouMean(as, context.actors.keys())}`)
  }
  if (typeof operation === "string" && !Object.hasOwn(apiOperations, operation)) {
    context.report(
      [...path, "do"],
      `unknown operation ${operation}${didYouMean(operation, Object.keys(apiOperations))}`
    )
  }
}

const checkAnswers = (
  { step, as, do: operation, ...others }: Members,
  path: ProblemPath,
  context: CheckContext
): void => {
  if (step === undefined && as === undefined && operation === undefined && Object.keys(others).length === 0) {
    context.report(path, `selector is missing: add ${joinAlternatives(["step", "as", "do"])}`)
  }
  if (typeof step === "string" && !context.steps.has(step)) {
    context.report([...path, "step"], `unknown step ${step}${didYouMean(step, context.steps.keys())}`)
  }
  if (typeof as === "string" && !context.actors.has(as)) {
    context.report([...path, "as"], `unknown actor ${as}${didYouMean(as, context.actors.keys())}`)
  }
  const hasAnswer = (form: OperationForm | undefined) => form?.isRequest === true || form?.isAnswered === true
  if (typeof operation === "string" && !hasAnswer(operationForms.get(operation))) {
    const requests = [...operationForms].filter(([, form]) => hasAnswer(form)).map(([name]) => name)
    context.report([...path, "do"], `unknown request ${operation}${didYouMean(operation, requests)}`)
  }
}
