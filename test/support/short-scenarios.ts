/** Short scenarios over the parts of the shipped ones: one step on an existing agreement or offer. */
import { readFileSync } from "node:fs"
import { Result } from "effect"
import type { TimedObservation } from "../../simulator/observation/observation.ts"
import { readScenario } from "../../simulator/scenario/format/read.ts"
import type { Scenario } from "../../simulator/scenario/format/scenario.ts"
import { simulate, type SimulationResult } from "../../simulator/scenario/simulate.ts"
import type { SimulationSetupOptions } from "../../simulator/scenario/simulation-setup.ts"

export const agreementPart = "an-agreement.yaml"
export const newAgreementPart = "a-new-agreement.yaml"

/** A scenario of these steps, in YAML, after those of a part. */
export const scenarioOf = (part: string, steps: string, given = "{}"): Scenario => {
  const text = [
    "scenario: Inline",
    "start: 2026-11-02T09:00:00.000Z",
    `given: ${given}`,
    "steps:",
    `  - { use: ${part} }`,
    steps
  ].join("\n")
  return Result.getOrThrow(
    readScenario("inline.yaml", text, (name) => {
      const file = `scenarios/parts/${name}`
      return { file, text: readFileSync(file, "utf8") }
    })
  )
}

export const runSteps = (
  part: string,
  steps: string,
  given?: string,
  options: SimulationSetupOptions = {}
): SimulationResult => simulate(scenarioOf(part, steps, given), { file: "inline.yaml", ...options })

/** The observations of one kind, in order. */
export const observationsOf = <K extends TimedObservation["kind"]>(
  { observations }: SimulationResult,
  kind: K
): ReadonlyArray<Extract<TimedObservation, { readonly kind: K }>> =>
  observations.filter((observed): observed is Extract<TimedObservation, { readonly kind: K }> => observed.kind === kind)

/** The number of an actor's commits to a table. */
export const commitsTo = (simulated: SimulationResult, table: string, actor: string): number =>
  observationsOf(simulated, "commit").filter(
    (commit) => commit.actor === actor && commit.writes.some((write) => write.table === table)
  ).length

/** A submission as a step; `more` is added to the step. */
export const submitStep = (more = ""): string => `
  - id: delivery
    as: courier
    do: submit
    on: \${project}
    input: { summary: The chart., items: [{ criterionId: chart, summary: All of it., references: [], files: [${file}] }] }
    ${more}`

const file = `{ name: a.pdf, reference: folder a, size: 1, sha256: ${"6b86b273ff34fce19d6b804eff5a3f57".repeat(2)} }`
