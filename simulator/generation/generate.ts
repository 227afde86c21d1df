/** Generates a scenario from a seed: mostly goal-directed steps, mixed with random ones. */
import { Result } from "effect"
import { stringify } from "yaml"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import type { TimedObservation } from "../observation/observation.ts"
import type { JsonObject } from "../vocabulary/json.ts"
import { readScenario } from "../scenario/format/read.ts"
import type { Scenario } from "../scenario/format/scenario.ts"
import { ScenarioBuilder } from "./scenario-builder.ts"
import { SeededRandom } from "../kernel/seeded-random.ts"
import { webhookSteps } from "./webhook-steps.ts"
import { followUps } from "./follow-ups.ts"
import { inputFor, type GeneratorContext } from "./random-inputs.ts"
import { initialWorld, shortTimeScale, longTimeScale } from "./initial-worlds.ts"
import { KnownIds } from "./known-ids.ts"
import { agentFor, personFor, goalDirectedSteps } from "./goal-directed-steps.ts"
import { anyOperation, allowsKey, withInvalidMember, advanceTime, withFault } from "./random-steps.ts"

export interface GeneratedScenario {
  readonly scenario: Scenario
  readonly yaml: string
  /** The observations of its run. */
  readonly observations: ReadonlyArray<TimedObservation>
}

export const generate = (seed: number): GeneratedScenario => {
  const random = new SeededRandom(seed)
  const pace = random.chance(0.45) ? shortTimeScale : longTimeScale
  const given = initialWorld(random, pace)
  const start = addMilliseconds("2026-01-05T09:00:00.000Z" as Instant, random.below(90) * 86_400_000)
  const title = `Generated from seed ${seed}`
  const author = new ScenarioBuilder(
    { title, say: undefined, seed, start, given, properties: [] },
    new KnownIds(random)
  )
  const writing: GeneratorContext = { random, author, pace }
  const count = stepsMin + random.below(stepsMax - stepsMin + 1)
  for (const step of openingSteps(random)) author.do(step)
  const agenda: Array<JsonObject> = []
  // Some candidate steps cannot run and are discarded.
  for (let tries = 0; author.steps.length < count && tries < triesMax; tries++) next(writing, agenda)
  author.finish()
  const yaml = stringify(toPlainJson({ scenario: title, seed, start, given, steps: author.steps }), { lineWidth: 0 })
  const scenario = Result.getOrThrow(readScenario(`generated-${seed}.yaml`, yaml))
  return { scenario, yaml, observations: author.session.observations }
}

const stepsMin = 20
const stepsMax = 60
const triesMax = 200

/** A buyer reads the legal documents before offering terms. */
const openingSteps = (random: SeededRandom): ReadonlyArray<JsonObject> => [
  { as: "dana", do: "signIn" },
  { as: "sam", do: "signIn" },
  { as: "dana", do: "legalConfig" },
  { as: "dana", do: "confirmationPreview" },
  { as: "scout", do: "legalConfig" },
  { as: "scout", do: "confirmationPreview" },
  ...(random.chance(0.6) ? supplierSetup : [])
]

/** A supplier needs a contact to make a proposal to. */
const supplierSetup: ReadonlyArray<JsonObject> = [
  { as: "sam", do: "legalConfig" },
  { as: "courier", do: "legalConfig" },
  {
    as: "sam",
    do: "addContact",
    on: "${lumen.id}",
    input: { personId: "${dana.id}", name: "Dana", reference: "harbor-museum" }
  }
]

const next = (writing: GeneratorContext, agenda: Array<JsonObject>): void => {
  const { random } = writing
  const followUp = random.chance(0.85) ? agenda.shift() : undefined
  for (const step of followUp === undefined ? chooseSteps(writing) : [followUp]) {
    const variant = withVariation(step, writing)
    if (!writing.author.do(variant)) return
    agenda.push(...followUps(variant, writing))
    // After a refusal the remaining planned steps mostly make no sense.
    if ((writing.author.lastAnswerTo(String(step["as"]))?.status ?? 200) >= 300 && random.chance(0.9)) return
  }
}

const chooseSteps = (writing: GeneratorContext): ReadonlyArray<JsonObject> => {
  const { random, author } = writing
  const project = author.pools.pick("project")
  const proposal = author.pools.pick("proposal")
  const subscription = author.pools.pick("subscription")
  const choice = random.weighted<"PROJECT" | "PROPOSAL" | "CALLBACKS" | "NEW" | "GRANT" | "TIME" | "ANY" | "TOGETHER">([
    [project === undefined ? 0 : 12, "PROJECT"],
    [proposal === undefined ? 0 : 4, "PROPOSAL"],
    [subscription === undefined ? 0 : 3, "CALLBACKS"],
    [project === undefined ? 8 : 1.2, "NEW"],
    [1.2, "GRANT"],
    [2, "TIME"],
    [7, "ANY"],
    [project === undefined ? 0 : 1, "TOGETHER"]
  ])
  switch (choice) {
    case "PROJECT":
      return goalDirectedSteps(writing, project ?? "")
    case "PROPOSAL":
      return goalDirectedSteps(writing, proposal ?? "")
    case "CALLBACKS":
      return webhookSteps(writing, subscription ?? "")
    case "NEW":
      return [newAggregate(writing)]
    case "GRANT":
      return [operationBy(writing, "grantAgent", random.pick(["dana", "sam"]))]
    case "TIME":
      return [advanceTime(writing)]
    case "TOGETHER":
      return concurrentSteps(writing, project ?? "")
    case "ANY": {
      const step = anyOperation(writing)
      return step === undefined ? [] : [step]
    }
  }
}

const newAggregate = (writing: GeneratorContext): JsonObject => {
  const { random } = writing
  const operation = random.weighted([
    [5, "createProject"],
    [4, "createOwnProject"],
    [2, "createProposal"],
    [1.5, "createOwnProposal"],
    [1, "createDraft"],
    [0.5, "prepareDraft"],
    [0.6, "startConnection"]
  ])
  if (operation === "startConnection") return operationBy(writing, operation, "pilot")
  const side = operation.endsWith("Proposal") ? "SUPPLIER" : "BUYER"
  const isPersons = operation.includes("Own") || operation === "createDraft"
  return operationBy(writing, operation, isPersons ? personFor(writing, side) : (agentFor(writing, side) ?? "scout"))
}

/** Concurrent steps of two sides, after the reads that they need. */
const concurrentSteps = (writing: GeneratorContext, project: string): ReadonlyArray<JsonObject> => {
  const [one, other] = [goalDirectedSteps(writing, project), goalDirectedSteps(writing, project)]
  const [left, right] = [one.at(-1), other.at(-1)]
  if (left === undefined || right === undefined || left["as"] === right["as"]) return one
  return [...one.slice(0, -1), ...other.slice(0, -1), { together: [left, right] }]
}

const withVariation = (step: JsonObject, writing: GeneratorContext): JsonObject => {
  const { random, author } = writing
  if (step["do"] === undefined || step["inject"] !== undefined) return step
  const candidate = random.chance(0.07) ? withInvalidMember(step, writing) : step
  const identified =
    allowsKey(candidate, "inject") && random.chance(0.4)
      ? { ...candidate, id: `step${author.session.forms.length}` }
      : candidate
  if (allowsKey(identified, "inject") && random.chance(0.08)) return withFault(identified, writing)
  if (!allowsKey(identified, "meanwhile") || !random.chance(0.03)) return identified
  const project = author.pools.pick("project")
  const inner = project === undefined ? undefined : goalDirectedSteps(writing, project).at(-1)
  return inner === undefined || inner["as"] === identified["as"] ? identified : { ...identified, meanwhile: [inner] }
}

const operationBy = (writing: GeneratorContext, operation: string, actor: string): JsonObject => {
  const input = inputFor(writing, operation, actor)
  return { as: actor, do: operation, ...(input === undefined ? {} : { input }) }
}

const toPlainJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
