/** Random steps: any operation by any actor of an allowed kind, time, faults, and invalid requests. */
import { pickAgent } from "./pick-agent.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import { storageFaults } from "../environment/faults/storage-faults.ts"
import { operationForms } from "../scenario/operations/operation-forms.ts"
import { isObject, type Json, type JsonObject, valueAt } from "../vocabulary/json.ts"
import { inputFor, type GeneratorContext } from "./random-inputs.ts"
import { hasMembers, people } from "./goal-directed-steps.ts"
import { targetFor } from "./operation-targets.ts"

/** Undefined if the operation has no possible target yet. */
export const anyOperation = (writing: GeneratorContext): JsonObject | undefined => {
  const { random, author, pace } = writing
  // By name, so that an operation that moves in the API changes no script.
  const candidates = [...operationForms]
    .filter(([, { by }]) => !by.includes("provider"))
    .map(([operation]) => operation)
    .toSorted()
    .filter((operation) => !(excluded.has(operation) || (!pace.hasWorker && needsReceivers.test(operation))))
  const operation = random.pick(candidates)
  const target = targetFor(operation, author.pools, random)
  if (target === undefined) return undefined
  const actor = actorFor(writing, operation)
  if (actor === undefined) return undefined
  const input = inputFor(writing, operation, actor)
  return { as: actor, do: operation, ...target, ...(input === undefined ? {} : { input }) }
}

// External programs cannot be part of a script, the provider acts on attempts that follow a payment, changed answers are not those of the service, and without its identity provider a world has no accepted requests.
const excluded: ReadonlySet<string> = new Set([
  "attachProgram",
  "forgeWebhook",
  "goOn",
  "readBackPayments",
  "replayWebhook",
  "setAnswers",
  "setProvider",
  "signBytes"
])

const needsReceivers = /Worker$|^(received|takeSecret|setReceiver|setZone)$|Webhook/

const actorFor = (writing: GeneratorContext, operation: string): string | undefined => {
  const { random, author, pace } = writing
  const kinds = operationForms.get(operation)?.by ?? []
  const [first] = kinds
  const kind = first === undefined || random.chance(0.2) ? random.pick(kinds) : first
  if (kind === "agent") return pickAgent(writing)
  if (kind === "person") return random.pick(people)
  if (kind === "visitor") {
    const visitors = ["pilot", "iris"].filter((name) => !author.session.context.directory.agents.has(name))
    return visitors.length === 0 ? undefined : random.pick(visitors)
  }
  if (kind === "receiver") return pace.hasWorker ? random.pick(["hooks", "backup"]) : undefined
  return kind
}

/** Time advances: by a duration, or to a deadline plus or minus a millisecond. */
export const advanceTime = ({ random, author, pace }: GeneratorContext): JsonObject => {
  const moments = momentsIn(author.newest).filter((moment) => isNear(author.now, moment, pace.hasWorker))
  if (moments.length === 0 || random.chance(0.6)) return { advance: random.pick(pace.spans) }
  const moment = addMilliseconds(random.pick(moments), random.pick([-1, 0, 0, 1]))
  return moment <= author.now ? { advance: random.pick(pace.spans) } : { until: moment }
}

const isNear = (now: Instant, moment: Instant, hasWorker: boolean): boolean =>
  moment > now && moment < addMilliseconds(now, hasWorker ? 40 * 60_000 : 40 * 86_400_000)

/** The deadlines in the newest views. */
const momentsIn = (views: ReadonlyMap<string, JsonObject>): ReadonlyArray<Instant> =>
  [...views.values()].flatMap((view) =>
    ["deadline", "reviewDeadline", "retainUntil", "signing.agreementSignBy", "signing.acceptanceSignBy"].flatMap(
      (path) => {
        const moment = valueAt(view, `project.agreement.${path}`) ?? valueAt(view, `proposal.terms.${path}`)
        return typeof moment === "string" ? [moment as Instant] : []
      }
    )
  )

/** The step with an injected fault. */
export const withFault = (step: JsonObject, { random }: GeneratorContext): JsonObject => ({
  ...step,
  inject: random.weighted<Json>([
    [3, "lost-answer"],
    [2, "lost-request"],
    [1, { crash: "before-commit" }],
    [1, { crash: "after-commit" }],
    [
      6,
      {
        database: random.pick(storageFaults),
        ...(random.chance(0.3) ? { times: 1 + random.below(3) } : {})
      }
    ],
    [
      2,
      {
        database: random.pick(["40001", "57014", "connection-lost"]),
        at: random.pick(["begin", "lock", "read", "write"])
      }
    ]
  ])
})

export const allowsKey = (step: JsonObject, what: "inject" | "meanwhile" | "envelope" | "with"): boolean =>
  operationForms.get(String(step["do"]))?.understands.includes(what) === true

/** The step with one invalid member. */
export const withInvalidMember = (step: JsonObject, { random, author }: GeneratorContext): JsonObject => {
  const token = author.pools.pick("token")
  if (token !== undefined && allowsKey(step, "with") && random.chance(0.2)) return { ...step, with: token }
  if (allowsKey(step, "envelope") && random.chance(0.4))
    return { ...step, envelope: staleEnvelope(step, random.chance(0.5)) }
  const on = step["on"]
  if (typeof on === "string" && random.chance(0.2)) return { ...step, on: differentId(on, author.valueOf(on)) }
  const input = step["input"]
  if (!hasMembers(input)) return step
  const name = random.pick(Object.keys(input))
  const { [name]: value, ...others } = input
  return {
    ...step,
    input: random.chance(0.3) ? others : { ...input, ...wrongMember(name, value ?? null, random.below(7)) }
  }
}

const staleEnvelope = (step: JsonObject, isHead: boolean): JsonObject => {
  const isProposal = /Proposal|AsPerson$/.test(String(step["do"])) && /roposal/.test(String(step["on"]))
  if (isHead) return { [isProposal ? "expectedProposalHead" : "expectedEventHash"]: "0".repeat(64) }
  return isProposal ? { expectedProposalHead: "not a digest" } : { expectedEventHash: "f".repeat(64) }
}

const differentId = (on: string, value: Json | undefined): string =>
  typeof value === "string" ? value.replace(/[0-9a-f](?=[^0-9a-f]*$)/, (last) => (last === "0" ? "1" : "0")) : `${on}x`

const wrongMember = (name: string, value: Json, how: number): JsonObject => {
  switch (how) {
    case 0:
      return { [name]: null }
    case 1:
      return { [name]: typeof value === "string" ? value.repeat(2000).slice(0, 20_001) : "a text" }
    case 2:
      return { [name]: Array.isArray(value) ? [...value, ...value] : [] }
    case 3:
      return { surplus: true }
    case 4:
      return { [name]: typeof value === "string" ? "" : 7 }
    case 5:
      return { [name]: isObject(value) ? {} : "0".repeat(64) }
    default:
      return { requestId: "00000000-0000-4000-8000-000000000000" }
  }
}
