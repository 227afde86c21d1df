/** Random inputs of each operation: mostly valid ones, from the whole range of allowed values. */
import { guardedActions, type Role } from "../../src/access/actions.ts"
import { authorities } from "../../src/people/membership.ts"
import { concernKinds, datePurposes } from "../../src/projects/event.ts"
import { eventTypes } from "../../src/vocabulary/event-types.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import type { Json, JsonObject } from "../vocabulary/json.ts"
import type { ScenarioBuilder } from "./scenario-builder.ts"
import type { SeededChoice } from "./seeded-choice.ts"
import { actionsFor, type TimeScale } from "./initial-worlds.ts"

export interface GeneratorContext {
  readonly dice: SeededChoice
  readonly author: ScenarioBuilder
  readonly pace: TimeScale
}

type InputGenerator = (writing: GeneratorContext, actor: string) => JsonObject

const digestOf = (digit: string): string => digit.repeat(64)
const reasons = ["As offered.", "We looked at it together.", "Später, nach der Flut – «vielleicht».", "x"] as const
const reason: InputGenerator = ({ dice }) => ({ reason: dice.pick(reasons) })
const nothing: InputGenerator = () => ({})

const minutesFromNow = ({ author }: GeneratorContext, minutes: number) =>
  addMilliseconds(author.now, Math.round(minutes * 60_000))

const randomDeadline = (writing: GeneratorContext): number => {
  const [from, to] = writing.pace.deadline
  return from + writing.dice.below(to - from)
}

export const roleOf = (actor: string): Role => (/^(sam|courier|runner)/.test(actor) ? "SUPPLIER" : "BUYER")

const criteria: ReadonlyArray<JsonObject> = [
  { id: "chart", title: "The chart", requirement: "A PDF of the whole harbor." },
  { id: "sources", title: "The sources", requirement: "Every depth names its page." }
]

const terms = (writing: GeneratorContext, withSupplier: boolean): JsonObject => {
  const { dice } = writing
  const deadline = randomDeadline(writing)
  const signs = dice.chance(0.15)
  return {
    title: dice.pick(["Sea chart", "Sea chart of the old harbor", "Globe"]),
    scope: "One chart of the harbor in 1782.",
    buyerName: "Harbor Museum",
    supplierName: "Lumen Studio",
    ...(withSupplier && dice.chance(0.9) ? { supplierActorId: "${sam.id}" } : {}),
    supplierReference: "Offer of 1 October",
    criteria: dice.chance(0.7) ? criteria.slice(0, 1) : [...criteria],
    deadline: minutesFromNow(writing, deadline),
    reviewDeadline: minutesFromNow(writing, deadline + randomDeadline(writing)),
    ...(dice.chance(0.15) ? { retainUntil: minutesFromNow(writing, 90_000) } : {}),
    baselineStatement: "There is no chart of the harbor before 1790.",
    materialPolicy: "FILE_DIGESTS",
    termsPolicy: dice.chance(0.85)
      ? { purpose: "A record.", contractBasis: "THIS_AGREEMENT", sharing: "Listed.", sharingRecipients: ["Nils"] }
      : {
          purpose: "A record.",
          contractBasis: "EXISTING_CONTRACT",
          contractReference: "Deed 118",
          contractClauses: "Clause 4.",
          sharing: "None.",
          sharingRecipients: []
        },
    originals: { custodian: "Lumen Studio", location: "Archive", access: "Both." },
    subjectRequirements: dice.chance(0.92)
      ? []
      : [
          {
            id: "seen",
            statement: "A person has looked.",
            humanDecisions: [dice.pick(["RESPOND", "REVIEW", "ACCEPT", "ISSUE"])]
          }
        ],
    ...(signs
      ? {
          signing: {
            enabled: true,
            method: "NATIVE",
            principal: "${dana.id}",
            ...(dice.chance(0.7) ? { counterparty: "${sam.id}" } : {}),
            agreementSignBy: minutesFromNow(writing, deadline / 2),
            acceptanceSignBy: minutesFromNow(writing, deadline * 3)
          }
        }
      : {})
  }
}

const file = (dice: SeededChoice): JsonObject => ({
  name: dice.pick(["harbor-1782.pdf", "sources.csv"]),
  reference: "folder harbor-1782",
  size: dice.pick([0, 1, 4_816_920]),
  sha256: digestOf(dice.pick(["6", "d", "0"]))
})

const items = (writing: GeneratorContext): ReadonlyArray<JsonObject> =>
  (writing.dice.chance(0.75) ? criteria.slice(0, 1) : criteria).map(({ id = "" }) => ({
    criterionId: id,
    summary: "One sheet.",
    references: writing.dice.chance(0.3) ? ["Port register, pages 14 to 61"] : [],
    files: writing.dice.chance(0.9) ? [file(writing.dice)] : []
  }))

const delivery: InputGenerator = (writing) => ({ summary: "The chart.", items: [...items(writing)] })

export const reviewOf = (action: string, ids: ReadonlyArray<Json>): JsonObject => ({
  action,
  reason: "Opened and compared.",
  decisions: ids.map((criterionId) => ({
    criterionId,
    decision: action === "ACCEPT" ? "MET" : action === "REQUEST_EVIDENCE" ? "EVIDENCE_NEEDED" : "NOT_MET"
  })),
  ...(action === "ACCEPT" ? {} : { nextAction: "Name the pages." })
})

const review: InputGenerator = ({ dice }) =>
  reviewOf(dice.pick(["ACCEPT", "ACCEPT", "REQUEST_CHANGES", "REQUEST_EVIDENCE", "REJECT"]), ["chart"])

const answer: InputGenerator = ({ dice }) => ({
  action: dice.pick(["ACCEPT", "ACCEPT", "ACCEPT", "REQUEST_CHANGES", "DECLINE"]),
  reason: dice.pick(reasons)
})

const proposalInput: InputGenerator = (writing) => ({
  recipientActorId: writing.dice.pick(["${dana.id}", "${dana.id}", "${kim.id}"]),
  recipientReference: "harbor-museum",
  terms: terms(writing, false)
})

const proposalChange: InputGenerator = ({ dice }) =>
  dice.chance(0.2)
    ? {}
    : { terms: dice.pick([{ scope: "Two charts." }, { title: "Globe" }, { criteria: [...criteria] }]) }

const subscription: InputGenerator = (writing) => {
  const { dice, author } = writing
  return {
    target: dice.pick(["${hooks.target}", "${hooks.target}", "${backup.target}"]),
    projectIds: dice.chance(0.8) ? [author.pools.pick("project") ?? ""] : [...new Set(author.pools.all("project"))],
    eventTypes: dice.chance(0.6) ? [...eventTypes] : [...dice.some(eventTypes, 0.6)],
    expiresAt: minutesFromNow(writing, dice.chance(0.6) ? 28_800 : randomDeadline(writing) * 2)
  }
}

const draftContent = (writing: GeneratorContext): JsonObject =>
  writing.dice.chance(0.6) ? terms(writing, true) : { title: "Sea chart", scope: "One chart." }

const code: InputGenerator = ({ author }) => ({ code: author.pools.pick("code") ?? "BCDF-GHJP" })
const page: InputGenerator = ({ dice }) => (dice.chance(0.7) ? {} : { limit: dice.pick([1, 10, 0]) })

const grant: InputGenerator = (writing, actor) => {
  const { dice, author } = writing
  const role = dice.chance(0.9) ? roleOf(actor) : dice.pick(["BUYER", "SUPPLIER"] as const)
  const proposals = dice.chance(0.5) ? author.pools.all("proposal").slice(-2) : []
  return {
    agent: `${role === "BUYER" ? "clerk" : "runner"}${author.steps.length}`,
    organization: role === "BUYER" ? "harbor" : "lumen",
    role,
    actions: [...actionsFor(dice, role)],
    ...(dice.chance(0.85) ? { projects: [...new Set(author.pools.all("project"))].slice(-3) } : {}),
    ...(proposals.length === 0 ? {} : { proposals: [...proposals] }),
    ...(dice.chance(0.3) ? { expiresAt: minutesFromNow(writing, randomDeadline(writing)) } : {})
  }
}

const concern: InputGenerator = ({ dice }) => ({ kind: dice.pick(concernKinds), reason: dice.pick(reasons) })
const dateChange: InputGenerator = ({ dice }) => ({ purpose: dice.pick(datePurposes), reason: dice.pick(reasons) })

const inputs: { readonly [operation: string]: InputGenerator } = {
  startConnection: ({ dice }) => ({
    agentName: "Pilot",
    client: "pilot/0.1",
    ...(dice.chance(0.5) ? { requestedRole: "BUYER", requestedActions: ["CREATE_PROJECT"] } : {})
  }),
  pollConnection: nothing,
  createProject: (writing) => terms(writing, true),
  createOwnProject: (writing) => terms(writing, true),
  respond: answer,
  respondAsPerson: answer,
  submit: delivery,
  submitAsPerson: delivery,
  review,
  reviewAsPerson: review,
  dateRevision: dateChange,
  requestDateChange: dateChange,
  concern,
  raiseConcern: concern,
  resolveConcern: ({ dice }) => ({ resolution: dice.pick(["DISMISSED", "UPHELD"]), reason: dice.pick(reasons) }),
  reviseProject: ({ dice, author, pace }) => ({
    reason: dice.pick(reasons),
    terms: dice.pick<JsonObject>([
      { scope: "Two charts." },
      { criteria: [...criteria] },
      {
        deadline: minutesFromNow({ dice, author, pace }, 60),
        reviewDeadline: minutesFromNow({ dice, author, pace }, 600)
      }
    ])
  }),
  changeRepresentative: ({ dice }) => ({ supplierActorId: dice.pick(["${kim.id}", "${sam.id}"]), reason: "Leave." }),
  createProposal: proposalInput,
  createOwnProposal: proposalInput,
  updateProposal: proposalChange,
  updateAsPerson: proposalChange,
  respondProposal: answer,
  answerProposal: answer,
  prepareDraft: (writing) => ({ title: "Sea chart", ...(writing.dice.chance(0.5) ? { scope: "One chart." } : {}) }),
  createDraft: (writing, actor) => ({ role: roleOf(actor), content: draftContent(writing) }),
  saveDraft: (writing) => ({ content: draftContent(writing) }),
  prepareJob: (writing) => ({
    projectId: writing.author.pools.pick("project") ?? "",
    workflowReference: "render 17",
    summary: "The chart.",
    materials: [...items(writing)]
  }),
  createWebhook: subscription,
  createOwnWebhook: subscription,
  verifyWebhook: () => ({ rawBody: "{}", timestamp: "1793610000", signature: `v1=${digestOf("a")}` }),
  verifyOwnWebhook: () => ({ rawBody: "{}", timestamp: "1793610000", signature: `v1=${digestOf("b")}` }),
  addNote: ({ dice }) => ({ text: dice.pick(reasons) }),
  searchSpecifications: ({ dice }) => ({ q: dice.pick(["chart", "globe", "SEA"]) }),
  listProposals: page,
  listJobs: ({ dice, author }) => (dice.chance(0.5) ? {} : { projectId: author.pools.pick("project") ?? "" }),
  inviteMember: ({ dice }) => ({ authorities: [...dice.some(authorities, 0.3), "DELEGATE"].filter(isFirst) }),
  readInvitation: code,
  acceptMembership: code,
  acceptRepresentation: code,
  acceptParticipation: code,
  inviteParticipant: (writing) => ({
    title: "Pages",
    instructions: "Which pages show depths?",
    ...(writing.dice.chance(0.4) ? { dueAt: minutesFromNow(writing, randomDeadline(writing)) } : {})
  }),
  addContact: ({ dice }) => ({ personId: dice.pick(["${kim.id}", "${sam.id}"]), name: "Kim", reference: "engraver" }),
  removeContact: () => ({ reference: "engraver" }),
  enterUserCode: ({ author }) => ({ userCode: author.pools.pick("userCode") ?? "BCDF-GHJP" }),
  approveConnection: (writing, actor) => {
    const actions = actionsFor(writing.dice, roleOf(actor))
    return {
      role: roleOf(actor),
      actions: [...actions],
      consents: guardedActions.filter((one) => actions.includes(one))
    }
  },
  shareRecord: ({ dice }) => ({ recipient: "Nils", recipientActorId: dice.pick(["${nils.id}", "${kim.id}"]) }),
  grantAgent: grant,
  renewGrant: (_, actor) => ({ agent: roleOf(actor) === "BUYER" ? "scout" : "courier" }),
  revokeGrant: ({ author }, actor) => ({ agent: agentOf(author, actor) }),
  endMembership: ({ dice }) =>
    dice.pick([
      { person: "kim", organization: "harbor" },
      { person: "sam", organization: "lumen" }
    ]),
  grantCredits: ({ author }) => ({ organization: "harbor", credits: 1, reference: `more ${author.steps.length}` }),
  publishSpecification: () => ({
    id: "sea-chart",
    title: "Sea chart",
    summary: "A chart of a harbor.",
    scope: "One chart of one harbor in one year.",
    criteria: [criteria[0] ?? {}]
  }),
  changeLegalDocuments: ({ author }) => ({
    documents: [{ kind: "TERMS", version: String(author.steps.length), text: "Nothing agreed here binds anybody." }]
  }),
  setMailServer: ({ dice }) => ({ state: dice.pick(["WORKING", "REFUSING", "SILENT"]) }),
  setClock: ({ dice }) => ({
    process: dice.pick(["service", "worker"]),
    offset: dice.pick(["+0s", "+400ms", "-2s", "+3m"])
  }),
  setKeys: ({ dice }) => ({ purposes: dice.chance(0.5) ? [] : ["EVENT", "AUTHORITY", "STATUS"] }),
  setReceiver: ({ dice }) => ({
    receiver: dice.pick(["hooks", "backup"]),
    next: dice.some<JsonObject>(
      [
        { answers: 503 },
        { answers: "NOTHING" },
        { answers: 410 },
        { arrives: "TWICE" },
        { answers: "LOST" },
        { after: "4s" }
      ],
      0.4
    ),
    ...(dice.chance(0.3) ? { otherwise: { answers: dice.pick([500, 404, 302, "RESET"] as const) } } : {})
  }),
  setZone: ({ dice }) => ({
    name: "hooks.example.com",
    answers: dice.pick<Json>([["93.184.215.14"], ["10.0.0.5"], "NXDOMAIN", "UNREACHABLE"])
  }),
  takeSecret: ({ author }) => ({ secret: author.pools.pick("secret") ?? "" }),
  verify: ({ author }) => ({ artifact: author.pools.pick("record") ?? "" })
}

const isFirst = (value: string, index: number, all: ReadonlyArray<string>): boolean => all.indexOf(value) === index

const agentOf = (author: ScenarioBuilder, actor: string): string => {
  const own = [...author.session.context.directory.agents.keys()].filter((name) => roleOf(name) === roleOf(actor))
  return own.at(-1) ?? "scout"
}

/** Undefined if the operation takes no input. */
export const inputFor = (writing: GeneratorContext, operation: string, actor: string): JsonObject | undefined =>
  (inputs[operation] ?? (takesReason.test(operation) ? reason : undefined))?.(writing, actor)

const takesReason =
  /^(handoff|pauseProject|resumeProject|pauseProposal|resumeProposal|liftHold|issueRecord|withdrawConf)/
