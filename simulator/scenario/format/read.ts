/** Reads a script: the scenario, or all of its problems at once. */
import { Result, Schema } from "effect"
import type { Instant } from "../../../src/vocabulary/instant.ts"
import { ScriptCheck } from "./check-script.ts"
import { type PartForm, ScenarioForm } from "./scenario-form.ts"
import type { GivenSection } from "./given.ts"
import { problemsOfIssue } from "./schema-problems.ts"
import { isMembers } from "./untyped-members.ts"
import { type LoadFile, Parts } from "./parts.ts"
import { type ProblemPath, type Problem, renderProblems } from "./problem.ts"
import { propertiesOf } from "./property-form.ts"
import type { Scenario } from "./scenario.ts"
import { readSource, type Source } from "./yaml-source.ts"
import { stepsOf } from "./build-steps.ts"

/** `file` names the text in errors; `load` reads the parts that it uses. */
export const readScenario = (
  file: string,
  text: string,
  load: LoadFile = () => undefined
): Result.Result<Scenario, string> => {
  const source = readSource(text)
  if (source.problems.length > 0) return Result.fail(renderProblems(file, text, source.problems))
  const message = notAScenario(source.value)
  if (message !== undefined)
    return Result.fail(renderProblems(file, text, [source.place({ path: [], part: "value", message })]))
  const decoded = Schema.decodeUnknownResult(ScenarioForm)(source.value, { errors: "all", onExcessProperty: "error" })
  const parts = new Parts(load)
  const problems: ReadonlyArray<Problem> = [
    ...(decoded._tag === "Failure" ? problemsOfIssue(decoded.failure.issue, source.value) : []),
    ...new ScriptCheck(parts).scenario(source.value)
  ]
  if (decoded._tag === "Failure" || problems.length > 0 || parts.undecodable.length > 0) {
    return Result.fail([...renderAll(problems, { file, text, source }, parts), ...parts.undecodable].join("\n"))
  }
  const form = decoded.success
  const used = [...new Set(form.steps.flatMap(({ use }) => (use === undefined ? [] : [use])))]
  return Result.succeed({
    title: form.scenario,
    say: form.say,
    seed: form.seed ?? 1,
    start: form.start ?? defaultStart,
    given: givenOf(
      form,
      used.flatMap((name) => partOf(parts, name))
    ),
    properties: propertiesOf(form, lineOf(source, text)),
    steps: stepsOf(form.steps, lineOf(source, text), (name) => {
      const part = parts.get(name)
      return part === undefined || Result.isFailure(part.form)
        ? undefined
        : { file: part.file, steps: part.form.success.steps, lineOf: lineOf(part.source, part.text) }
    })
  })
}

/** The one message for a document that is no scenario at all. */
const notAScenario = (value: unknown): string | undefined => {
  if (!isMembers(value)) return "not a scenario: a scenario starts with scenario: and its title, and has steps:"
  if (Object.hasOwn(value, "part") && !Object.hasOwn(value, "scenario")) {
    return "this file is a part: run a scenario that names it with use"
  }
  return undefined
}

/** A Monday morning. */
const defaultStart = "2026-01-05T09:00:00.000Z" as Instant

interface Text {
  readonly file: string
  readonly text: string
  readonly source: Source
}

/** The problems of the script, then those of each part that it uses. */
const renderAll = (problems: ReadonlyArray<Problem>, script: Text, parts: Parts): ReadonlyArray<string> => {
  const names = new Set(problems.map(({ within }) => within))
  return [...names].map((name) => {
    const { file, text, source } = (name === undefined ? undefined : parts.get(name)) ?? script
    const own = problems.filter(({ within }) => within === name)
    return renderProblems(file, text, own.map(source.place))
  })
}

const partOf = (parts: Parts, name: string): ReadonlyArray<PartForm> => {
  const form = parts.get(name)?.form
  return form !== undefined && Result.isSuccess(form) ? [form.success] : []
}

/** Merges the `given` sections of a script and its parts. */
const givenOf = (form: ScenarioForm, parts: ReadonlyArray<PartForm>): GivenSection => {
  const all = [form.given ?? {}, ...parts.map(({ given }) => given ?? {})]
  const given: { [key: string]: unknown } = {}
  for (const one of all) {
    for (const [key, value] of Object.entries(one)) {
      const isMap = typeof value === "object" && value !== null && !Array.isArray(value)
      given[key] = isMap ? { ...(given[key] as object | undefined), ...value } : (given[key] ?? value)
    }
  }
  return given as GivenSection
}

const lineOf = (source: Source, text: string) => (path: ProblemPath) => {
  const { span } = source.place({ path, part: "value", message: "" })
  return text.slice(0, span.from).split("\n").length
}
