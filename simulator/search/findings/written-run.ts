/**
 * Runs a script in its written order before its schedules are searched. Expectations are judged in this order only,
 * since another schedule can have another correct answer.
 */
import type { Verdict } from "../../observation/observation.ts"
import { operationForms } from "../../scenario/operations/operation-forms.ts"
import { finishRun } from "../../reports/finish-run.ts"
import type { Failure } from "../../reports/finished-run.ts"
import { durationText } from "../../vocabulary/duration.ts"
import { labelOf, type Property } from "../../scenario/format/property-form.ts"
import { allSteps, type Scenario, type Step } from "../../scenario/format/scenario.ts"
import { simulate } from "../../scenario/simulate.ts"
import type { SearchRoot } from "../search-root.ts"
import type { ExpectationCount } from "../search.ts"

export interface WrittenRun {
  readonly verdict: Verdict
  readonly failures: ReadonlyArray<Failure>
  /** The label of the property that the run violates; undefined if it passes or fails otherwise. */
  readonly violated: string | undefined
  /** The labels of the properties that were judged. */
  readonly judged: ReadonlySet<string>
}

export const runAsWritten = (file: string, scenario: Scenario): WrittenRun => {
  const simulated = simulate(scenario, { file })
  const { failures, verdict } = finishRun({ file, scenario, simulated, replay: "", laterFailures: [] })
  const violation = simulated.observations.findLast((one) => one.kind === "property")
  const unjudged = new Set(simulated.unjudged.map(({ property }) => labelOf(property)))
  const hasPassed = verdict === "PASSED"
  return {
    verdict,
    failures,
    violated: violation?.kind === "property" ? violation.property : undefined,
    judged: new Set(hasPassed ? scenario.properties.map(labelOf).filter((label) => !unjudged.has(label)) : [])
  }
}

/** An expectation that is judged in the written order and not in the searched schedules. */
export interface UncheckedExpectation {
  readonly file: string
  readonly line: number
  readonly step: number
  /** The party and its request. */
  readonly what: string
  /** The number of searched runs that answered the step, and of these the number as expected. */
  readonly answered: number
  readonly asExpected: number
}

/** Every step after the explore step that expects an answer. */
export const uncheckedExpectations = (
  file: string,
  { rest }: SearchRoot,
  expectations: ReadonlyMap<number, ExpectationCount>
): ReadonlyArray<UncheckedExpectation> =>
  allSteps(rest)
    .filter(isAnswered)
    .map((step) => ({
      file: step.file ?? file,
      line: step.line,
      step: step.number,
      what: describeStep(step),
      ...(expectations.get(step.number) ?? { answered: 0, asExpected: 0 })
    }))

/** False for a step without an answer to its party: an act of the operator, or a request whose answer is lost. */
const isAnswered = (step: Step): boolean => {
  if (step.kind !== "act" && step.kind !== "send" && step.kind !== "retry") return false
  const isRequest = step.kind !== "act" || operationForms.get(step.operation)?.isRequest === true
  if (!isRequest && Object.keys(step.expect).length === 0) return false
  const { inject } = step
  return inject === undefined || "database" in inject.fault
}

const describeStep = (step: Step): string => {
  switch (step.kind) {
    case "act":
      return `${step.as} ${step.operation}${step.within === undefined ? "" : ` within ${durationText(step.within)}`}`
    case "send":
      return `${step.as} ${step.method} ${step.path}`
    case "retry":
      return `retry ${step.step}`
    default:
      return step.kind
  }
}

/** Vacuity check: a property that was judged neither in the search nor in the run as written. */
export interface VacuousProperty {
  readonly property: string
  readonly file: string
  readonly line: number
  readonly why: string
}

export const vacuousProperties = (
  file: string,
  properties: ReadonlyArray<Property>,
  judged: ReadonlySet<string>,
  whyOf: (property: Property) => string
): ReadonlyArray<VacuousProperty> =>
  properties
    .filter((property) => !judged.has(labelOf(property)))
    .map((property) => ({ property: labelOf(property), file, line: property.line, why: whyOf(property) }))
