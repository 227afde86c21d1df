/** Reads a script: the scenario it tells, or everything that is wrong with it at once. */
import { Result, Schema } from "effect"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { checkScenario } from "./check.ts"
import { durationInMilliseconds } from "./duration.ts"
import { ScenarioForm, type StepForm } from "./format.ts"
import { problemsOf } from "./issues.ts"
import { type Path, type Problem, renderProblems } from "./problem.ts"
import type { Act, Pass, Retry, Scenario, Step } from "./scenario.ts"
import { readSource, type Source } from "./source.ts"

/** `file` is how the reader's errors call the text. */
export const readScenario = (file: string, text: string): Result.Result<Scenario, string> => {
  const source = readSource(text)
  if (source.problems.length > 0) return Result.fail(renderProblems(file, text, source.problems))
  const decoded = Schema.decodeUnknownResult(ScenarioForm)(source.value, { errors: "all", onExcessProperty: "error" })
  const problems: ReadonlyArray<Problem> = [
    ...(decoded._tag === "Failure" ? problemsOf(decoded.failure.issue, source.value) : []),
    ...checkScenario(source.value)
  ]
  if (decoded._tag === "Failure" || problems.length > 0) {
    return Result.fail(renderProblems(file, text, problems.map(source.place)))
  }
  return Result.succeed(scenarioOf(decoded.success, lineOf(source, text)))
}

/** A Monday morning. */
const defaultStart = "2026-01-05T09:00:00.000Z" as Instant

const scenarioOf = (form: ScenarioForm, lineOf: (path: Path) => number): Scenario => ({
  title: form.scenario,
  say: form.say,
  seed: form.seed ?? 1,
  start: form.start ?? defaultStart,
  given: form.given ?? {},
  steps: stepsOf(form.steps, lineOf)
})

/** Steps are numbered in the order in which they are read, those that happen meanwhile too. */
const stepsOf = (forms: ReadonlyArray<StepForm>, lineOf: (path: Path) => number): ReadonlyArray<Step> => {
  let number = 0
  const stepOf = (step: StepForm, path: Path): Step => ({
    number: ++number,
    ...doingOf(step, (inner, index) => stepOf(inner, [...path, "meanwhile", index])),
    line: lineOf(path),
    id: step.id,
    say: step.say,
    expect: step.expect ?? {},
    keep: typeof step.keep === "string" ? [[step.keep, ""]] : Object.entries(step.keep ?? {})
  })
  return forms.map((step, index) => stepOf(step, ["steps", index]))
}

const doingOf = (
  step: StepForm,
  stepOf: (inner: StepForm, index: number) => Step
): Act | Retry | Pass | { readonly kind: "say" } => {
  if (step.retry !== undefined) return { kind: "retry", step: step.retry, inject: step.inject }
  if (step.advance !== undefined) return { kind: "advance", milliseconds: durationInMilliseconds(step.advance) }
  if (step.until !== undefined) return { kind: "until", moment: step.until }
  if (step.as === undefined || step.do === undefined) return { kind: "say" }
  const { as, do: operation, on, with: token, input, envelope = {}, inject, meanwhile = [] } = step
  return { kind: "act", as, operation, on, with: token, input, envelope, inject, meanwhile: meanwhile.map(stepOf) }
}

const lineOf = (source: Source, text: string) => (path: Path) => {
  const { span } = source.place({ path, part: "value", message: "" })
  return text.slice(0, span.from).split("\n").length
}
