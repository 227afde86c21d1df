/** Checks one step and its inner steps: their keys, which keys combine, and the names that they use and declare. */
import { Option, Schema } from "effect"
import { refusals } from "../../../src/vocabulary/refusal-rules.ts"
import { checkInjection, checkSearch, losesAnswer } from "./check-injection.ts"
import { checkReferences } from "./check-references.ts"
import { checkAct, checkRetry, checkSend } from "./check-request.ts"
import { InnerStepForm, OuterStepForm, StepForm } from "./scenario-form.ts"
import type { CheckContext } from "./check-context.ts"
import { isMembers, itemsOf, membersOf } from "./untyped-members.ts"
import type { ProblemPath } from "./problem.ts"
import { didYouMean } from "../../../src/vocabulary/suggest.ts"

/** The nesting level of a step determines its schema. */
export type NestingLevel = "outer" | "loop" | "inner"

const strict = { errors: "all", onExcessProperty: "error" } as const

const decoders: { readonly [L in NestingLevel]: (value: unknown) => Option.Option<OuterStepForm> } = {
  outer: Schema.decodeUnknownOption(OuterStepForm, strict),
  loop: Schema.decodeUnknownOption(StepForm, strict),
  inner: Schema.decodeUnknownOption(InnerStepForm, strict)
}

/** Of a step that does not decode, only the inner steps are checked: its own problems are already reported. */
export const checkStep = (value: unknown, path: ProblemPath, level: NestingLevel, context: CheckContext): void => {
  const { meanwhile, together, outside, ...own } = membersOf(value)
  checkReferences(own, path, context, " at this point")
  // Inner steps are checked on their own; their problems must not hide those of the outer step.
  const inside = withoutContents({ meanwhile, together, outside })
  // The schema of inner steps refuses these keys; the other keys are still checked.
  const shallow = level === "inner" && kindsIn(own).length > 0 ? own : { ...own, ...inside }
  const decoded = decoders[level](isMembers(value) ? shallow : value)
  const step = Option.getOrUndefined(decoded)
  checkId(own["id"], step, path, context)
  checkRefusal(membersOf(own["expect"])["error"], [...path, "expect", "error"], context)
  if (step !== undefined) checkAction(step, path, level, context)
  for (const [key, inner] of Object.entries({ meanwhile, together })) {
    for (const [index, one] of itemsOf(inner).entries()) checkStep(one, [...path, key, index], "inner", context)
  }
  for (const [index, event] of itemsOf(outside).entries()) checkOutside(event, [...path, "outside", index], context)
  if (step !== undefined) checkAnswer(step, path, context)
}

/** Replaces each inner step by an empty one, which always decodes. */
const withoutContents = (inside: { readonly [key: string]: unknown }): { readonly [key: string]: unknown } =>
  Object.fromEntries(
    Object.entries(inside).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, itemsOf(value).length > 0 ? itemsOf(value).map(() => ({})) : value]]
    )
  )

const checkId = (id: unknown, step: StepForm | undefined, path: ProblemPath, context: CheckContext): void => {
  if (typeof id !== "string") return
  if (context.isInLoop) {
    context.report([...path, "id"], "a step in a loop cannot have an id: it runs more than once")
  } else if (context.steps.has(id) && context.within === undefined) {
    context.report([...path, "id"], `duplicate step id ${id}`)
  }
  context.steps.set(id, step)
}

const checkAction = (step: StepForm, path: ProblemPath, level: NestingLevel, context: CheckContext): void => {
  checkKeys(step, path, level, context)
  if (step.do !== undefined) checkAct(step, step.do, path, context)
  if (step.send !== undefined) checkSend(step, path, context)
  if (step.retry !== undefined) checkRetry(step.retry, path, context)
  checkInjection(step, path, context)
  if (step.explore !== undefined) checkSearch(step.explore, [...path, "explore"], level, context)
  if (step.together?.length === 1) context.report([...path, "together"], "together requires at least two steps")
  if (level === "inner" && step.choose !== undefined) {
    context.report([...path, "choose"], "choose is not allowed in an inner step: set it on the outer step", "key")
  }
}

const checkOutside = (value: unknown, path: ProblemPath, context: CheckContext): void => {
  const { receiver, answers, ...own } = membersOf(value)
  if (receiver === undefined && answers === undefined) return checkStep(value, path, "inner", context)
  if (typeof receiver === "string") context.requireActorOfKind(receiver, "receiver", [...path, "receiver"])
  if (receiver === undefined)
    context.report(path, "receiver is missing: name the receiver whose program answers", "key")
  if (answers === undefined) context.report(path, "answers is missing: add the answer of the program", "key")
  for (const key of Object.keys(own)) context.report([...path, key], `${key} is not allowed with answers`, "key")
}

/** A step has one action, and only the keys of that action. */
const checkKeys = (step: StepForm, path: ProblemPath, level: NestingLevel, context: CheckContext): void => {
  const found = kindsIn(step)
  // Beside a request, inject is the fault of that request.
  const kinds = found.length > 1 ? found.filter((kind) => kind !== "inject") : found
  const [kind] = kinds
  if (kinds.length > 1) {
    context.report(path, `a step has one action; this one has ${kinds.join(" and ")}`)
  } else if (kind === undefined) {
    const others = Object.keys(step).filter((key) => key !== "say" && key !== "id")
    if (others.length > 0) context.report(path, `a step has one of ${kindsAt(level).join(", ")}, or only say`)
    else if (step.say === undefined) context.report(path, "this step is empty: add an action or say")
  } else {
    const allowed = keysOf[kind] ?? []
    for (const key of Object.keys(step)) {
      if (key === kind || everywhere.includes(key) || allowed.includes(key)) continue
      context.report([...path, key], `${key} is not allowed with ${kind}`, "key")
    }
  }
}

const everywhere: ReadonlyArray<string> = ["id", "say", "outside"]

/** The keys that each kind of step allows beside `everywhere`. */
const keysOf: { readonly [kind: string]: ReadonlyArray<string> } = {
  do: ["as", "on", "with", "input", "envelope", "inject", "meanwhile", "expect", "within", "keep", "choose"],
  send: ["as", "inject", "expect", "keep"],
  retry: ["inject", "expect", "keep"],
  advance: ["choose"],
  until: ["choose"],
  together: ["choose"],
  explore: ["choose"],
  inject: []
}

const kindsIn = (step: object): ReadonlyArray<string> => Object.keys(keysOf).filter((kind) => Object.hasOwn(step, kind))

const kindsAt = (level: NestingLevel): ReadonlyArray<string> => {
  const kinds = Object.keys(keysOf)
  if (level === "inner") return kinds.filter((kind) => kind !== "together" && kind !== "explore")
  return level === "outer" ? [...kinds, "use", "for"] : kinds
}

const checkRefusal = (code: unknown, path: ProblemPath, context: CheckContext): void => {
  if (typeof code !== "string" || Object.hasOwn(refusals, code)) return
  context.report(path, `unknown refusal ${code}${didYouMean(code, Object.keys(refusals))}`)
}

/** Checks `expect` and `keep`, which need an answer. */
const checkAnswer = (step: StepForm, path: ProblemPath, context: CheckContext): void => {
  const { expect, keep } = step
  if (losesAnswer(step)) {
    if (expect !== undefined) {
      context.report([...path, "expect"], "expect is not allowed here: the answer to this step is lost", "key")
    }
    if (keep !== undefined)
      context.report([...path, "keep"], "keep is not allowed here: the answer to this step is lost", "key")
  } else if (step.within !== undefined && step.do !== undefined && Object.keys(expect ?? {}).length === 0) {
    context.report(
      [...path, "within"],
      "expect is missing: within repeats the request until the answer matches it",
      "key"
    )
  }
  if (keep === undefined) return
  if (typeof keep === "string") context.declare(keep, [...path, "keep"], "value", "again")
  else for (const name of Object.keys(keep)) context.declare(name, [...path, "keep", name], "key", "again")
}
