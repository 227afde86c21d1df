/** Reads a lesson: a folder with the world as a scenario, and the task, the acts of others and the judge. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Result, Schema } from "effect"
import { ScriptCheck } from "../scenario/format/check-script.ts"
import { Parts } from "../scenario/format/parts.ts"
import { renderProblems, type Problem } from "../scenario/format/problem.ts"
import { propertiesOf, propertyKinds, type Property } from "../scenario/format/property-form.ts"
import { problemsOfIssue } from "../scenario/format/schema-problems.ts"
import type { Scenario } from "../scenario/format/scenario.ts"
import { unrollSteps } from "../scenario/format/unroll.ts"
import { isMembers } from "../scenario/format/untyped-members.ts"
import { readSource } from "../scenario/format/yaml-source.ts"
import { readScript, readText } from "../scenario/files.ts"
import { LessonForm } from "./lesson-form.ts"
import type { Persona } from "./persona.ts"

export interface Lesson {
  /** The name of its folder, with that of its persona, and in a later trial its number. */
  readonly name: string
  readonly folder: string
  /** The text of `lesson.yaml`. */
  readonly text: string
  readonly form: LessonForm
  readonly scenario: Scenario
  /** What must have happened for a verdict. */
  readonly point: ReadonlyArray<Property>
  /** What must always and never hold. */
  readonly safety: ReadonlyArray<Property>
  /** What must be reached. */
  readonly progress: ReadonlyArray<Property>
  /** The scripted counterpart with which it is given, if any. */
  readonly persona?: Persona
}

/** True if the agent's program is ended and started again in the lesson. */
export const restartsAgent = ({ form: { acts = [] } }: Lesson): boolean =>
  acts.some(({ restarts }) => restarts === true)

/** The lessons below these folders, by the name of their folders; or the problems of all that cannot be used. */
export const readLessons = (folders: ReadonlyArray<string>): Result.Result<ReadonlyArray<Lesson>, string> => {
  const found = folders.flatMap((folder) => foldersWith(lessonFile, folder))
  if (found.length === 0)
    return Result.fail(`no lesson in ${folders.join(", ")}: a lesson is a folder with lesson.yaml`)
  const read = found.map((folder) => readLesson(folder))
  const problems = read.flatMap((one) => (Result.isFailure(one) ? [one.failure] : []))
  if (problems.length > 0) return Result.fail(problems.join("\n"))
  return Result.succeed(read.flatMap((one) => (Result.isSuccess(one) ? [one.success] : [])))
}

/** This folder if it has the file, else the folders right below it that have it. */
export const foldersWith = (file: string, folder: string): ReadonlyArray<string> => {
  if (fs.existsSync(path.join(folder, file))) return [folder]
  if (!fs.existsSync(folder) || !fs.statSync(folder).isDirectory()) return []
  return fs
    .readdirSync(folder)
    .toSorted()
    .map((name) => path.join(folder, name))
    .filter((inner) => fs.existsSync(path.join(inner, file)))
}

export const lessonFile = "lesson.yaml"
export const worldFile = "scenario.yaml"

/** `varied` changes the text of each file. */
export const readLesson = (
  folder: string,
  varied: (text: string) => string = (text) => text
): Result.Result<Lesson, string> =>
  Result.flatMap(readScript(path.join(folder, worldFile), varied), (scenario) => {
    const file = path.join(folder, lessonFile)
    return Result.flatMap(readText(file), (text) => lessonIn(file, varied(text), scenario))
  })

/** A lesson from the text of its file. */
export const lessonIn = (file: string, text: string, scenario: Scenario): Result.Result<Lesson, string> => {
  const source = readSource(text)
  if (source.problems.length > 0) return Result.fail(renderProblems(file, text, source.problems))
  const decoded = Schema.decodeUnknownResult(LessonForm)(source.value, { errors: "all", onExcessProperty: "error" })
  const problems: ReadonlyArray<Problem> = [
    ...(Result.isFailure(decoded) ? problemsOfIssue(decoded.failure.issue, source.value) : []),
    ...problemsBeside(scenario, source.value)
  ]
  if (Result.isFailure(decoded) || problems.length > 0) {
    return Result.fail(renderProblems(file, text, problems.map(source.place)))
  }
  const form = decoded.success
  const lineOf = (at: ReadonlyArray<string | number>) => {
    const { span } = source.place({ path: at, part: "value", message: "" })
    return text.slice(0, span.from).split("\n").length
  }
  return Result.succeed({
    name: path.basename(path.dirname(file)),
    folder: path.dirname(file),
    text,
    form,
    scenario,
    point: propertiesOf({ eventually: form.point }, ([, index]) => lineOf(["point", index])),
    safety: propertiesOf({ always: form.always ?? [], never: form.never ?? [] }, lineOf),
    progress: propertiesOf({ eventually: form.eventually }, lineOf)
  })
}

/** The names in the acts and properties of a lesson are those of its scenario. */
const problemsBeside = (scenario: Scenario, value: unknown): ReadonlyArray<Problem> => {
  if (!isMembers(value)) return []
  const own = unrollSteps(scenario.steps)
  const ids = new Set(own.flatMap(({ id }) => id ?? []))
  // The world of a saved run has the steps of the acts as well, with their ids.
  const apart = (step: unknown): unknown =>
    isMembers(step) && ids.has(String(step["id"])) ? { ...step, id: undefined } : step
  const acts = Array.isArray(value["acts"]) ? (value["acts"] as ReadonlyArray<unknown>) : []
  const inner = acts.flatMap((act, index) => {
    const steps = isMembers(act) && Array.isArray(act["steps"]) ? (act["steps"] as ReadonlyArray<unknown>) : []
    return steps.map((step, position) => ({ step: apart(step), path: ["acts", index, "steps", position] }))
  })
  const empty = acts.flatMap((act, index): ReadonlyArray<Problem> =>
    isMembers(act) && act["steps"] === undefined && act["restarts"] === undefined
      ? [{ path: ["acts", index], part: "value", message: "an act needs steps, or restarts" }]
      : []
  )
  const check = (eventually: unknown, others: object) =>
    new ScriptCheck(new Parts(() => undefined)).scenario({
      given: scenario.given,
      steps: [...own, ...inner.map(({ step }) => step)],
      ...others,
      eventually
    })
  const judged = Object.fromEntries(propertyKinds.map((kind) => [kind, value[kind]]))
  const ofLesson = check(value["eventually"], judged).flatMap(({ path: at, ...problem }): ReadonlyArray<Problem> => {
    if (at[0] !== "steps") return [{ ...problem, path: at }]
    const place = inner[Number(at[1]) - own.length]
    return place === undefined ? [] : [{ ...problem, path: [...place.path, ...at.slice(2)] }]
  })
  const ofPoint = check(value["point"], {}).flatMap(({ path: at, ...problem }): ReadonlyArray<Problem> =>
    at[0] === "eventually" ? [{ ...problem, path: ["point", ...at.slice(1)] }] : []
  )
  return [...empty, ...ofLesson, ...ofPoint]
}
