/** The report data of a run, derived from its redacted trace. */
import { toMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import type { Difference } from "../observation/compare.ts"
import { isObject, type JsonObject } from "../vocabulary/json.ts"
import { labelOf, lineOfProperty } from "../scenario/format/property-form.ts"
import { allSteps, type Scenario } from "../scenario/format/scenario.ts"
import type { UnjudgedProperty } from "../scenario/properties/judge.ts"
import type { SimulationResult } from "../scenario/simulate.ts"
import { readTrace } from "../observation/trace.ts"
import type { Failure, FinishedRun } from "./finished-run.ts"

/** A completed simulation, and the command that repeats it. */
export interface CompletedRun {
  readonly file: string
  readonly scenario: Scenario
  readonly simulated: SimulationResult
  readonly replay: string
  /** Failures found after the run, by comparison with golden files. */
  readonly laterFailures: ReadonlyArray<Failure>
}

export const finishRun = ({ file, scenario, simulated, replay, laterFailures }: CompletedRun): FinishedRun => {
  const lines = readTrace(simulated.trace)
  const of = (kind: string) => lines.filter((line) => line["kind"] === kind)
  const begun = of("step").length
  const failures = [...failuresOf(file, scenario, simulated, lines), ...laterFailures]
  return {
    file,
    title: scenario.title,
    verdict: simulated.verdict === "PASSED" && failures.length > 0 ? "FAILED" : simulated.verdict,
    seed: scenario.seed,
    virtualTime: virtualTimeOf(scenario, lines),
    steps: { begun, planned: Math.max(begun, allSteps(scenario.steps).length) },
    requests: of("request").length,
    commits: of("commit").length,
    callbacks: of("callback").length,
    faults: of("fault").length,
    refusals: refusalCounts(lines),
    replay,
    failures,
    ...(simulated.unjudged.length === 0 ? {} : { unjudged: simulated.unjudged.map((one) => unjudgedIn(file, one)) })
  }
}

const unjudgedIn = (
  file: string,
  { property, reason }: UnjudgedProperty
): NonNullable<FinishedRun["unjudged"]>[number] => ({
  file,
  line: property.line,
  property: labelOf(property),
  reason
})

/** The report of a script that cannot be read; `problems` are the messages of the reader. */
export const unreadableScript = (file: string, problems: string, replay: string): FinishedRun => {
  const [reason = "", ...details] = problems.split("\n")
  const place = /:(\d+):\d+: /.exec(reason)
  return {
    file,
    title: file,
    verdict: "UNUSABLE",
    steps: { begun: 0, planned: 0 },
    requests: 0,
    commits: 0,
    callbacks: 0,
    faults: 0,
    refusals: {},
    replay,
    failures: [{ file, line: Number(place?.[1] ?? 1), reason, differences: [], details, trace: [] }]
  }
}

const virtualTimeOf = (scenario: Scenario, lines: ReadonlyArray<JsonObject>) => {
  const last = lines.at(-1)?.["at"]
  const until = typeof last === "string" ? last : scenario.start
  return {
    from: scenario.start,
    until,
    milliseconds: toMilliseconds(until as Instant) - toMilliseconds(scenario.start)
  }
}

const refusalCounts = (lines: ReadonlyArray<JsonObject>): { readonly [code: string]: number } => {
  const times = new Map<string, number>()
  for (const { body, refused } of lines) {
    const code = refused ?? (isObject(body) ? body["error"] : undefined)
    if (typeof code === "string") times.set(code, (times.get(code) ?? 0) + 1)
  }
  return Object.fromEntries([...times].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

const failuresOf = (
  file: string,
  scenario: Scenario,
  { verdict, trace }: SimulationResult,
  lines: ReadonlyArray<JsonObject>
): ReadonlyArray<Failure> => {
  if (verdict === "PASSED") return []
  const reason = lines.at(-1)?.["reason"]
  const mismatch = lines.findLast((line) => differencesIn(line).length > 0)
  const last = lines.findLast(beginsStep)
  const violated = lines.findLast(({ kind }) => kind === "property")?.["property"]
  const place =
    violated === undefined
      ? placeOf(scenario, file, (mismatch ?? last)?.["step"])
      : { file, line: lineOfProperty(scenario, String(violated)) }
  return [
    {
      ...place,
      reason: typeof reason === "string" ? reason : verdict,
      differences: lines.flatMap(differencesIn),
      details: [],
      trace: sliceAround(trace, lines.findLastIndex(beginsStep))
    }
  ]
}

const differencesIn = ({ kind, differences }: JsonObject): ReadonlyArray<Difference> =>
  kind === "expectation" && Array.isArray(differences)
    ? differences.filter(isObject).map(({ path, expected = null, actual }) => ({
        path: String(path),
        expected,
        ...(actual === undefined ? {} : { actual })
      }))
    : []

const beginsStep = ({ kind }: JsonObject): boolean => kind === "step" || kind === "resumed"

/** Concurrent steps may end in another order than they began. */
const placeOf = (scenario: Scenario, file: string, number: unknown) => {
  const step = allSteps(scenario.steps).find((step) => step.number === number)
  return { file: step?.file ?? file, line: step?.line ?? 1 }
}

/** The trace from shortly before the failed step to its end. */
const sliceAround = (trace: string, step: number): ReadonlyArray<string> => {
  const lines = trace.trimEnd().split("\n")
  return lines.slice(Math.max(step - linesBefore, lines.length - linesMax, 0)).map(excerpt)
}

/** The lines around a difference from a committed trace. */
export const linesAround = (trace: string, index: number): ReadonlyArray<string> =>
  trace
    .trimEnd()
    .split("\n")
    .slice(Math.max(index - linesBefore, 0), index + 1 + linesBefore)
    .map(excerpt)

const linesBefore = 4
const linesMax = 40
const lineLengthMax = 4000

const excerpt = (line: string): string => (line.length <= lineLengthMax ? line : `${line.slice(0, lineLengthMax)}…`)
