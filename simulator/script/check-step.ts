/** Checks one step, and the steps inside it: what its keys are, what goes together, which names it uses and makes. */
import { Option, Schema } from "effect"
import { refusals } from "../../src/vocabulary/refusal-rules.ts"
import { checkInjection, checkSearch, isDeaf } from "./check-injection.ts"
import { checkReferences } from "./check-references.ts"
import { checkAct, checkRetry, checkSend } from "./check-request.ts"
import { InnerStepForm, OuterStepForm, StepForm } from "./format.ts"
import type { Known } from "./known.ts"
import { isMembers, itemsOf, membersOf } from "./members.ts"
import type { Path } from "./problem.ts"
import { didYouMean } from "../../src/vocabulary/suggest.ts"

/** Where a step stands decides on its form. */
export type Level = "outer" | "loop" | "inner"

const strict = { errors: "all", onExcessProperty: "error" } as const

const decoders: { readonly [L in Level]: (value: unknown) => Option.Option<OuterStepForm> } = {
  outer: Schema.decodeUnknownOption(OuterStepForm, strict),
  loop: Schema.decodeUnknownOption(StepForm, strict),
  inner: Schema.decodeUnknownOption(InnerStepForm, strict)
}

/** A step that does not decode is passed over, but for what is inside it: what is wrong with it has been said. */
export const checkStep = (value: unknown, path: Path, level: Level, known: Known): void => {
  const { meanwhile, together, outside, ...own } = membersOf(value)
  checkReferences(own, path, known, " at this point")
  // What is inside is checked by itself, and must not hide what is wrong around it.
  const inside = shallowly({ meanwhile, together, outside })
  // Inside a step they have been refused by now, which says nothing about the rest of it.
  const shallow = level === "inner" && kindsIn(own).length > 0 ? own : { ...own, ...inside }
  const decoded = decoders[level](isMembers(value) ? shallow : value)
  const step = Option.getOrUndefined(decoded)
  checkId(own["id"], step, path, known)
  checkRefusal(membersOf(own["expect"])["error"], [...path, "expect", "error"], known)
  if (step !== undefined) checkDoing(step, path, level, known)
  for (const [key, inner] of Object.entries({ meanwhile, together })) {
    for (const [index, one] of itemsOf(inner).entries()) checkStep(one, [...path, key, index], "inner", known)
  }
  for (const [index, came] of itemsOf(outside).entries()) checkOutside(came, [...path, "outside", index], known)
  if (step !== undefined) checkAnswer(step, path, known)
}

/** Steps inside a step, as one that is always right. */
const shallowly = (inside: { readonly [key: string]: unknown }): { readonly [key: string]: unknown } =>
  Object.fromEntries(
    Object.entries(inside).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, itemsOf(value).length > 0 ? itemsOf(value).map(() => ({})) : value]]
    )
  )

const checkId = (id: unknown, step: StepForm | undefined, path: Path, known: Known): void => {
  if (typeof id !== "string") return
  if (known.isInLoop) {
    known.say([...path, "id"], "a step of a loop has no id: it happens more than once")
  } else if (known.steps.has(id) && known.within === undefined) {
    known.say([...path, "id"], `another step is called ${id} already`)
  }
  known.steps.set(id, step)
}

const checkDoing = (step: StepForm, path: Path, level: Level, known: Known): void => {
  checkCompanions(step, path, level, known)
  if (step.do !== undefined) checkAct(step, step.do, path, known)
  if (step.send !== undefined) checkSend(step, path, known)
  if (step.retry !== undefined) checkRetry(step.retry, path, known)
  checkInjection(step, path, known)
  if (step.explore !== undefined) checkSearch(step.explore, [...path, "explore"], level, known)
  if (step.together?.length === 1) known.say([...path, "together"], "one step alone is not together with another")
  if (level === "inner" && step.choose !== undefined) {
    known.say([...path, "choose"], "choose stands beside the step around this one, and orders all inside it", "key")
  }
}

const checkOutside = (value: unknown, path: Path, known: Known): void => {
  const { receiver, answers, ...own } = membersOf(value)
  if (receiver === undefined && answers === undefined) return checkStep(value, path, "inner", known)
  if (typeof receiver === "string") known.party(receiver, "receiver", [...path, "receiver"])
  if (receiver === undefined) known.say(path, "receiver is missing: whose program answers?", "key")
  if (answers === undefined) known.say(path, "answers is missing: what does it answer?", "key")
  for (const key of Object.keys(own)) known.say([...path, key], `${key} does not go with answers`, "key")
}

/** A step does one thing, and has only the keys of that thing. */
const checkCompanions = (step: StepForm, path: Path, level: Level, known: Known): void => {
  const found = kindsIn(step)
  // Beside a request, inject says what goes wrong with it.
  const kinds = found.length > 1 ? found.filter((kind) => kind !== "inject") : found
  const [kind] = kinds
  if (kinds.length > 1) {
    known.say(path, `a step does one thing; this one has ${kinds.join(" and ")}`)
  } else if (kind === undefined) {
    const others = Object.keys(step).filter((key) => key !== "say" && key !== "id")
    if (others.length > 0) known.say(path, `a step needs one of ${kindsAt(level).join(", ")}, or is a say alone`)
    else if (step.say === undefined) known.say(path, "this step is empty: what happens in it?")
  } else {
    const allowed = companions[kind] ?? []
    for (const key of Object.keys(step)) {
      if (key === kind || everywhere.includes(key) || allowed.includes(key)) continue
      known.say([...path, key], `${key} does not go with ${kind}`, "key")
    }
  }
}

const everywhere: ReadonlyArray<string> = ["id", "say", "outside"]

/** What each kind of step may carry beside what goes with every kind. */
const companions: { readonly [kind: string]: ReadonlyArray<string> } = {
  do: ["as", "on", "with", "input", "envelope", "inject", "meanwhile", "expect", "within", "keep", "choose"],
  send: ["as", "inject", "expect", "keep"],
  retry: ["inject", "expect", "keep"],
  advance: ["choose"],
  until: ["choose"],
  together: ["choose"],
  explore: ["choose"],
  inject: []
}

const kindsIn = (step: object): ReadonlyArray<string> =>
  Object.keys(companions).filter((kind) => Object.hasOwn(step, kind))

const kindsAt = (level: Level): ReadonlyArray<string> => {
  const kinds = Object.keys(companions)
  if (level === "inner") return kinds.filter((kind) => kind !== "together" && kind !== "explore")
  return level === "outer" ? [...kinds, "use", "for"] : kinds
}

const checkRefusal = (code: unknown, path: Path, known: Known): void => {
  if (typeof code !== "string" || Object.hasOwn(refusals, code)) return
  known.say(path, `there is no refusal ${code}${didYouMean(code, Object.keys(refusals))}`)
}

/** What a step expects of its answer, and keeps of it. */
const checkAnswer = (step: StepForm, path: Path, known: Known): void => {
  const { expect, keep } = step
  if (isDeaf(step)) {
    if (expect !== undefined) {
      known.say([...path, "expect"], "no answer arrives at this step, so it can expect nothing", "key")
    }
    if (keep !== undefined)
      known.say([...path, "keep"], "no answer arrives at this step, so it can keep nothing", "key")
  } else if (step.within !== undefined && step.do !== undefined && Object.keys(expect ?? {}).length === 0) {
    known.say([...path, "within"], "expect is missing: what is waited for?", "key")
  }
  if (keep === undefined) return
  if (typeof keep === "string") known.introduce(keep, [...path, "keep"], "value", "again")
  else for (const name of Object.keys(keep)) known.introduce(name, [...path, "keep", name], "key", "again")
}
