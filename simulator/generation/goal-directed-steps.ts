/** Goal-directed steps: they advance an agreement or a proposal, by an actor who is allowed to take them. */
import { isObject, type Json, type JsonObject, valueAt } from "../vocabulary/json.ts"
import { inputFor, reviewOf, roleOf, type GeneratorContext } from "./random-inputs.ts"

/** A possible next step: its operations by agent and by person, and a specific input, if any. */
interface Option {
  readonly weight: number
  readonly side: "BUYER" | "SUPPLIER"
  readonly agent?: string
  readonly person?: string
  readonly input?: (view: JsonObject) => JsonObject
}

const accept = (): JsonObject => ({ action: "ACCEPT", reason: "As offered." })

const buyer = (weight: number, person: string | undefined, agent?: string, input?: Option["input"]): Option =>
  option("BUYER", weight, person, agent, input)
const supplier = (weight: number, person: string | undefined, agent?: string, input?: Option["input"]): Option =>
  option("SUPPLIER", weight, person, agent, input)

const option = (
  side: Option["side"],
  weight: number,
  person: string | undefined,
  agent?: string,
  input?: Option["input"]
): Option => ({
  side,
  weight,
  ...(person === undefined ? {} : { person }),
  ...(agent === undefined ? {} : { agent }),
  ...(input === undefined ? {} : { input })
})

const criterionIds = (view: JsonObject): ReadonlyArray<Json> => {
  const criteria = valueAt(view, "project.agreement.criteria")
  return Array.isArray(criteria) ? criteria.map((one: Json) => valueAt(one, "id") ?? null) : []
}

const reviewInput = (action: string) => (view: JsonObject) => reviewOf(action, criterionIds(view))

const submissionInput = (view: JsonObject): JsonObject => ({
  summary: "The chart.",
  items: criterionIds(view).map((criterionId) => ({
    criterionId,
    summary: "One sheet.",
    references: [],
    files: [{ name: "harbor-1782.pdf", reference: "folder", size: 4_816_920, sha256: "6".repeat(64) }]
  }))
})

const inEveryState: ReadonlyArray<Option> = [
  buyer(0.4, "pauseProject", "handoff"),
  supplier(0.3, "pauseProject", "handoff"),
  buyer(0.3, "inviteParticipant"),
  buyer(0.2, undefined, "projectStatus"),
  buyer(0.3, "createOwnWebhook", "createWebhook"),
  supplier(0.4, "createOwnWebhook", "createWebhook"),
  supplier(0.3, "changeRepresentative")
]

const whileDelivering: ReadonlyArray<Option> = [
  supplier(9, "submitAsPerson", "submit", submissionInput),
  supplier(1, "requestDateChange", "dateRevision"),
  supplier(1.5, undefined, "prepareJob"),
  buyer(0.7, "requestDateChange", "dateRevision"),
  buyer(0.8, "reviseProject"),
  buyer(0.4, "signAgreement"),
  supplier(0.4, "signAgreement")
]

const optionsByState: { readonly [state: string]: ReadonlyArray<Option> } = {
  AWAITING_SUPPLIER: [
    supplier(9, "respondAsPerson", "respond", accept),
    supplier(1.5, "respondAsPerson", "respond"),
    buyer(0.8, "reviseProject"),
    buyer(0.4, "inviteRepresentative")
  ],
  LOCKED: whileDelivering,
  CHANGES_REQUESTED: whileDelivering,
  AWAITING_EVIDENCE: whileDelivering,
  SUBMITTED: [
    buyer(8, "reviewAsPerson", "review", reviewInput("ACCEPT")),
    buyer(1.5, "reviewAsPerson", "review", reviewInput("REQUEST_CHANGES")),
    buyer(1.5, "reviewAsPerson", "review", reviewInput("REQUEST_EVIDENCE")),
    buyer(0.7, "reviewAsPerson", "review", reviewInput("REJECT")),
    buyer(0.7, "requestDateChange", "dateRevision")
  ],
  AGREEMENT_CHANGES_REQUESTED: [buyer(5, "reviseProject")],
  BUYER_CONFIRMED: [
    buyer(5, "issueRecordAsPerson", "issueRecord"),
    buyer(1, "downloadPackage", "exportResultPackage"),
    supplier(1, "downloadSupplierPackage", "exportResultPackage"),
    buyer(1, "downloadBuyerPackage", "exportStandardRecord"),
    buyer(1, "shareRecord", "readRecord"),
    supplier(1, "proposePublication"),
    buyer(0.7, "listPublications"),
    buyer(0.7, "raiseConcern", "concern"),
    supplier(0.7, "raiseConcern", "concern"),
    buyer(0.4, "withdrawConfirmation"),
    buyer(0.4, "reviseProject")
  ],
  CONFIRMATION_CONTESTED: [buyer(3, "resolveConcern"), supplier(3, "resolveConcern")],
  DRAFT: [
    supplier(6, "publishAsPerson", "publishProposal"),
    supplier(1, "updateAsPerson", "updateProposal"),
    supplier(0.5, "withdrawAsPerson", "withdrawProposal")
  ],
  PUBLISHED: [
    buyer(5, "answerProposal", "respondProposal", accept),
    buyer(2, "answerProposal", "respondProposal"),
    supplier(1, "updateAsPerson", "updateProposal"),
    supplier(0.5, "withdrawAsPerson", "withdrawProposal"),
    buyer(0.5, "pauseProposal", "handoffProposal")
  ]
}

/** A step that advances this project or proposal, after a read if its actor has a stale view. */
export const goalDirectedSteps = (writing: GeneratorContext, on: string): ReadonlyArray<JsonObject> => {
  const { random, author } = writing
  const id = author.valueOf(on)
  const view = typeof id === "string" ? author.newest.get(id) : undefined
  const isProposal = typeof id === "string" && id.startsWith("proposal_")
  if (typeof id !== "string" || view === undefined) return [read(random.chance(0.5) ? "dana" : "sam", on, isProposal)]
  const isPaused = valueAt(view, "automation.paused") === true
  const available = valueAt(view, "availableActions")
  const isHeld = Array.isArray(available) && available.includes("LIFT_HOLD")
  const state = String(valueAt(view, "project.state") ?? valueAt(view, "proposal.state"))
  const chosen = random.weighted([
    ...(isPaused && !isProposal
      ? [[4, buyer(1, "resumeProject")] as const, [4, supplier(1, "resumeProject")] as const]
      : []),
    ...(isPaused && isProposal ? [[5, supplier(1, "resumeProposal")] as const] : []),
    ...(isHeld ? [[6, buyer(1, "liftHold")] as const, [6, supplier(1, "liftHold")] as const] : []),
    ...(isProposal ? [] : inEveryState).map((one) => [one.weight, one] as const),
    ...(optionsByState[state] ?? [buyer(1, "listProposals", "listProposals")]).map((one) => [one.weight, one] as const)
  ])
  return stepsFor(writing, chosen, on, view)
}

const stepsFor = (
  writing: GeneratorContext,
  chosen: Option,
  on: string,
  view: JsonObject
): ReadonlyArray<JsonObject> => {
  const { random, author } = writing
  const id = String(author.valueOf(on))
  const agent = agentFor(writing, chosen.side, on)
  const isOpen = agent !== undefined && (!author.isOutOfScope(agent, on) || random.chance(0.1))
  const byAgent =
    chosen.agent !== undefined &&
    agent !== undefined &&
    (chosen.person === undefined || (isOpen && random.chance(0.55)))
  const operation = (byAgent ? chosen.agent : chosen.person) ?? ""
  const actor = byAgent ? agent : personFor(writing, chosen.side, on)
  if (operation === "") return []
  const input = chosen.input?.(view) ?? inputFor(writing, operation, actor)
  const needsNoTarget = /^(prepareJob|create.*Webhook|listProposals)$/.test(operation)
  const step: JsonObject = {
    as: actor,
    do: operation,
    ...(needsNoTarget ? {} : { on }),
    ...(input === undefined ? {} : { input: operation === "prepareJob" ? { ...input, projectId: on } : input })
  }
  const isStale = author.isStale(actor, id) && random.chance(0.93)
  const isSignedOut =
    people.includes(actor) && author.session.context.directory.people.get(actor)?.session === undefined
  return [
    ...(isSignedOut && random.chance(0.9) ? [{ as: actor, do: "signIn" }] : []),
    ...(isStale ? [read(actor, on, id.startsWith("proposal_"))] : []),
    step
  ]
}

const read = (actor: string, on: string, isProposal: boolean): JsonObject => {
  const isPerson = people.includes(actor)
  const thing = isProposal ? "Proposal" : "Project"
  return { as: actor, do: isPerson ? `readOwn${thing}` : `read${thing}`, on }
}

export const people: ReadonlyArray<string> = ["dana", "kim", "sam", "nils"]

export const personFor = ({ random, author }: GeneratorContext, side: Option["side"], on = ""): string => {
  const known: ReadonlyArray<readonly [number, string]> = [
    [8, side === "BUYER" ? "dana" : "sam"],
    [1, "kim"],
    [0.3, side === "BUYER" ? "sam" : "dana"],
    [0.2, "nils"]
  ]
  return random.weighted(
    known.map(([weight, name]) => [author.isOutOfScope(name, on) ? weight / 8 : weight, name] as const)
  )
}

/** Mostly the newest agent of that side within whose scope the target is. */
export const agentFor = ({ random, author }: GeneratorContext, side: Option["side"], on = ""): string | undefined => {
  const all = [...author.session.context.directory.agents.keys()]
  const own = all.filter((name) => roleOf(name) === side)
  const open = own.filter((name) => !author.isOutOfScope(name, on))
  const newest = open.at(-1)
  if (newest !== undefined && random.chance(0.75)) return newest
  const some = random.chance(0.8) ? open : all
  return some.length === 0 ? newest : random.pick(some)
}

/** True if an input has members, so that one of them can be made invalid. */
export const hasMembers = (value: Json | undefined): value is JsonObject =>
  isObject(value) && Object.keys(value).length > 0
