/** What leads somewhere: the steps that bring an agreement or a proposal on, by whoever can take them. */
import { isObject, type Json, type JsonObject, valueAt } from "../script/json.ts"
import { inputFor, reviewOf, roleOf, type Writing } from "./inputs.ts"

/** By an agent, by a person, and the input where it is a certain one. */
interface Way {
  readonly weight: number
  readonly side: "BUYER" | "SUPPLIER"
  readonly agent?: string
  readonly person?: string
  readonly input?: (view: JsonObject) => JsonObject
}

const accept = (): JsonObject => ({ action: "ACCEPT", reason: "As offered." })

const buyer = (weight: number, person: string | undefined, agent?: string, input?: Way["input"]): Way =>
  way("BUYER", weight, person, agent, input)
const supplier = (weight: number, person: string | undefined, agent?: string, input?: Way["input"]): Way =>
  way("SUPPLIER", weight, person, agent, input)

const way = (
  side: Way["side"],
  weight: number,
  person: string | undefined,
  agent?: string,
  input?: Way["input"]
): Way => ({
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

const reviewing = (action: string) => (view: JsonObject) => reviewOf(action, criterionIds(view))

const delivering = (view: JsonObject): JsonObject => ({
  summary: "The chart.",
  items: criterionIds(view).map((criterionId) => ({
    criterionId,
    summary: "One sheet.",
    references: [],
    files: [{ name: "harbor-1782.pdf", reference: "folder", size: 4_816_920, sha256: "6".repeat(64) }]
  }))
})

const anytime: ReadonlyArray<Way> = [
  buyer(0.4, "pauseProject", "handoff"),
  supplier(0.3, "pauseProject", "handoff"),
  buyer(0.3, "inviteParticipant"),
  buyer(0.2, undefined, "projectStatus"),
  buyer(0.3, "createOwnWebhook", "createWebhook"),
  supplier(0.4, "createOwnWebhook", "createWebhook"),
  supplier(0.3, "changeRepresentative")
]

const whileDelivering: ReadonlyArray<Way> = [
  supplier(9, "submitAsPerson", "submit", delivering),
  supplier(1, "requestDateChange", "dateRevision"),
  supplier(1.5, undefined, "prepareJob"),
  buyer(0.7, "requestDateChange", "dateRevision"),
  buyer(0.8, "reviseProject"),
  buyer(0.4, "signAgreement"),
  supplier(0.4, "signAgreement")
]

const ways: { readonly [state: string]: ReadonlyArray<Way> } = {
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
    buyer(8, "reviewAsPerson", "review", reviewing("ACCEPT")),
    buyer(1.5, "reviewAsPerson", "review", reviewing("REQUEST_CHANGES")),
    buyer(1.5, "reviewAsPerson", "review", reviewing("REQUEST_EVIDENCE")),
    buyer(0.7, "reviewAsPerson", "review", reviewing("REJECT")),
    buyer(0.7, "requestDateChange", "dateRevision")
  ],
  AGREEMENT_CHANGES_REQUESTED: [buyer(5, "reviseProject")],
  BUYER_CONFIRMED: [
    buyer(5, "issueRecordAsPerson", "issueRecord"),
    buyer(1, "downloadPackage", "exportResultPackage"),
    supplier(1, "downloadSupplierPackage", "exportResultPackage"),
    buyer(1, "downloadBuyerPackage", "exportStandardRecord"),
    buyer(1, "shareRecord", "readRecord"),
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

/** A step that brings this project or proposal on, with the reading before it where its actor lags behind. */
export const purposeful = (writing: Writing, on: string): ReadonlyArray<JsonObject> => {
  const { dice, author } = writing
  const id = author.valueOf(on)
  const view = typeof id === "string" ? author.newest.get(id) : undefined
  const isProposal = typeof id === "string" && id.startsWith("proposal_")
  if (typeof id !== "string" || view === undefined) return [read(dice.chance(0.5) ? "dana" : "sam", on, isProposal)]
  const isPaused = valueAt(view, "automation.paused") === true
  const available = valueAt(view, "availableActions")
  const isHeld = Array.isArray(available) && available.includes("LIFT_HOLD")
  const state = String(valueAt(view, "project.state") ?? valueAt(view, "proposal.state"))
  const chosen = dice.weighted([
    ...(isPaused && !isProposal
      ? [[4, buyer(1, "resumeProject")] as const, [4, supplier(1, "resumeProject")] as const]
      : []),
    ...(isPaused && isProposal ? [[5, supplier(1, "resumeProposal")] as const] : []),
    ...(isHeld ? [[6, buyer(1, "liftHold")] as const, [6, supplier(1, "liftHold")] as const] : []),
    ...(isProposal ? [] : anytime).map((one) => [one.weight, one] as const),
    ...(ways[state] ?? [buyer(1, "listProposals", "listProposals")]).map((one) => [one.weight, one] as const)
  ])
  return stepsFor(writing, chosen, on, view)
}

const stepsFor = (writing: Writing, chosen: Way, on: string, view: JsonObject): ReadonlyArray<JsonObject> => {
  const { dice, author } = writing
  const id = String(author.valueOf(on))
  const agent = agentFor(writing, chosen.side, on)
  const isOpen = agent !== undefined && (!author.isShut(agent, on) || dice.chance(0.1))
  const byAgent =
    chosen.agent !== undefined && agent !== undefined && (chosen.person === undefined || (isOpen && dice.chance(0.55)))
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
  const lags = author.isBehind(actor, id) && dice.chance(0.93)
  const isOut = people.includes(actor) && author.session.journey.directory.people.get(actor)?.session === undefined
  return [
    ...(isOut && dice.chance(0.9) ? [{ as: actor, do: "signIn" }] : []),
    ...(lags ? [read(actor, on, id.startsWith("proposal_"))] : []),
    step
  ]
}

const read = (actor: string, on: string, isProposal: boolean): JsonObject => {
  const isPerson = people.includes(actor)
  const thing = isProposal ? "Proposal" : "Project"
  return { as: actor, do: isPerson ? `readOwn${thing}` : `read${thing}`, on }
}

export const people: ReadonlyArray<string> = ["dana", "kim", "sam", "nils"]

export const personFor = ({ dice, author }: Writing, side: Way["side"], on = ""): string => {
  const known: ReadonlyArray<readonly [number, string]> = [
    [8, side === "BUYER" ? "dana" : "sam"],
    [1, "kim"],
    [0.3, side === "BUYER" ? "sam" : "dana"],
    [0.2, "nils"]
  ]
  return dice.weighted(known.map(([weight, name]) => [author.isShut(name, on) ? weight / 8 : weight, name] as const))
}

/** Mostly the newest of that side to whom it is open: it was granted what there is. */
export const agentFor = ({ dice, author }: Writing, side: Way["side"], on = ""): string | undefined => {
  const all = [...author.session.journey.directory.agents.keys()]
  const own = all.filter((name) => roleOf(name) === side)
  const open = own.filter((name) => !author.isShut(name, on))
  const newest = open.at(-1)
  if (newest !== undefined && dice.chance(0.75)) return newest
  const some = dice.chance(0.8) ? open : all
  return some.length === 0 ? newest : dice.pick(some)
}

/** True where an input is one that can be put wrong. */
export const hasMembers = (value: Json | undefined): value is JsonObject =>
  isObject(value) && Object.keys(value).length > 0
