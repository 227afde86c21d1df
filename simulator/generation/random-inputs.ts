/** Random inputs of each operation: mostly valid ones, from the whole range of allowed values. */
import { guardedActions, type Role } from "../../src/access/actions.ts"
import { authorities } from "../../src/people/membership.ts"
import { concernKinds, datePurposes } from "../../src/projects/event.ts"
import { eventTypes } from "../../src/vocabulary/event-types.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import type { Json, JsonObject } from "../vocabulary/json.ts"
import type { ScenarioBuilder } from "./scenario-builder.ts"
import type { SeededRandom } from "../kernel/seeded-random.ts"
import { actionsFor, type TimeScale } from "./initial-worlds.ts"

export interface GeneratorContext {
  readonly random: SeededRandom
  readonly author: ScenarioBuilder
  readonly pace: TimeScale
}

type InputGenerator = (writing: GeneratorContext, actor: string) => JsonObject

const digestOf = (digit: string): string => digit.repeat(64)
const reasons = ["As offered.", "We looked at it together.", "Später, nach der Flut – «vielleicht».", "x"] as const
const reason: InputGenerator = ({ random }) => ({ reason: random.pick(reasons) })
const nothing: InputGenerator = () => ({})

const minutesFromNow = ({ author }: GeneratorContext, minutes: number) =>
  addMilliseconds(author.now, Math.round(minutes * 60_000))

const randomDeadline = (writing: GeneratorContext): number => {
  const [from, to] = writing.pace.deadline
  return from + writing.random.below(to - from)
}

export const roleOf = (actor: string): Role => (/^(sam|courier|runner)/.test(actor) ? "SUPPLIER" : "BUYER")

const criteria: ReadonlyArray<JsonObject> = [
  { id: "chart", title: "The chart", requirement: "A PDF of the whole harbor." },
  { id: "sources", title: "The sources", requirement: "Every depth names its page." }
]

const terms = (writing: GeneratorContext, withSupplier: boolean): JsonObject => {
  const { random } = writing
  const deadline = randomDeadline(writing)
  const signs = random.chance(0.15)
  return {
    title: random.pick(["Sea chart", "Sea chart of the old harbor", "Globe"]),
    scope: "One chart of the harbor in 1782.",
    buyerName: "Harbor Museum",
    supplierName: "Lumen Studio",
    ...(withSupplier && random.chance(0.9) ? { supplierActorId: "${sam.id}" } : {}),
    supplierReference: "Offer of 1 October",
    criteria: random.chance(0.7) ? criteria.slice(0, 1) : [...criteria],
    deadline: minutesFromNow(writing, deadline),
    reviewDeadline: minutesFromNow(writing, deadline + randomDeadline(writing)),
    ...(random.chance(0.15) ? { retainUntil: minutesFromNow(writing, 90_000) } : {}),
    baselineStatement: "There is no chart of the harbor before 1790.",
    materialPolicy: "FILE_DIGESTS",
    termsPolicy: random.chance(0.85)
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
    subjectRequirements: random.chance(0.92)
      ? []
      : [
          {
            id: "seen",
            statement: "A person has looked.",
            humanDecisions: [random.pick(["RESPOND", "REVIEW", "ACCEPT", "ISSUE"])]
          }
        ],
    ...(signs
      ? {
          signing: {
            enabled: true,
            method: "NATIVE",
            principal: "${dana.id}",
            ...(random.chance(0.7) ? { counterparty: "${sam.id}" } : {}),
            agreementSignBy: minutesFromNow(writing, deadline / 2),
            acceptanceSignBy: minutesFromNow(writing, deadline * 3)
          }
        }
      : {})
  }
}

const file = (random: SeededRandom): JsonObject => ({
  name: random.pick(["harbor-1782.pdf", "sources.csv"]),
  reference: "folder harbor-1782",
  size: random.pick([0, 1, 4_816_920]),
  sha256: digestOf(random.pick(["6", "d", "0"]))
})

const items = (writing: GeneratorContext): ReadonlyArray<JsonObject> =>
  (writing.random.chance(0.75) ? criteria.slice(0, 1) : criteria).map(({ id = "" }) => ({
    criterionId: id,
    summary: "One sheet.",
    references: writing.random.chance(0.3) ? ["Port register, pages 14 to 61"] : [],
    files: writing.random.chance(0.9) ? [file(writing.random)] : []
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

const review: InputGenerator = ({ random }) =>
  reviewOf(random.pick(["ACCEPT", "ACCEPT", "REQUEST_CHANGES", "REQUEST_EVIDENCE", "REJECT"]), ["chart"])

const answer: InputGenerator = ({ random }) => ({
  action: random.pick(["ACCEPT", "ACCEPT", "ACCEPT", "REQUEST_CHANGES", "DECLINE"]),
  reason: random.pick(reasons)
})

const proposalInput: InputGenerator = (writing) => ({
  recipientActorId: writing.random.pick(["${dana.id}", "${dana.id}", "${kim.id}"]),
  recipientReference: "harbor-museum",
  terms: terms(writing, false)
})

const proposalChange: InputGenerator = ({ random }) =>
  random.chance(0.2)
    ? {}
    : { terms: random.pick([{ scope: "Two charts." }, { title: "Globe" }, { criteria: [...criteria] }]) }

const subscription: InputGenerator = (writing) => {
  const { random, author } = writing
  return {
    target: random.pick(["${hooks.target}", "${hooks.target}", "${backup.target}"]),
    projectIds: random.chance(0.8) ? [author.pools.pick("project") ?? ""] : [...new Set(author.pools.all("project"))],
    eventTypes: random.chance(0.6) ? [...eventTypes] : [...random.some(eventTypes, 0.6)],
    expiresAt: minutesFromNow(writing, random.chance(0.6) ? 28_800 : randomDeadline(writing) * 2)
  }
}

const draftContent = (writing: GeneratorContext): JsonObject =>
  writing.random.chance(0.6) ? terms(writing, true) : { title: "Sea chart", scope: "One chart." }

const code: InputGenerator = ({ author }) => ({ code: author.pools.pick("code") ?? "BCDF-GHJP" })
const page: InputGenerator = ({ random }) => (random.chance(0.7) ? {} : { limit: random.pick([1, 10, 0]) })

const grant: InputGenerator = (writing, actor) => {
  const { random, author } = writing
  const role = random.chance(0.9) ? roleOf(actor) : random.pick(["BUYER", "SUPPLIER"] as const)
  const proposals = random.chance(0.5) ? author.pools.all("proposal").slice(-2) : []
  return {
    agent: `${role === "BUYER" ? "clerk" : "runner"}${author.steps.length}`,
    organization: role === "BUYER" ? "harbor" : "lumen",
    role,
    actions: [...actionsFor(random, role)],
    ...(random.chance(0.85) ? { projects: [...new Set(author.pools.all("project"))].slice(-3) } : {}),
    ...(proposals.length === 0 ? {} : { proposals: [...proposals] }),
    ...(random.chance(0.3) ? { expiresAt: minutesFromNow(writing, randomDeadline(writing)) } : {})
  }
}

const concern: InputGenerator = ({ random }) => ({ kind: random.pick(concernKinds), reason: random.pick(reasons) })
const dateChange: InputGenerator = ({ random }) => ({
  purpose: random.pick(datePurposes),
  reason: random.pick(reasons)
})

const inputs: { readonly [operation: string]: InputGenerator } = {
  startConnection: ({ random }) => ({
    agentName: "Pilot",
    client: "pilot/0.1",
    ...(random.chance(0.5) ? { requestedRole: "BUYER", requestedActions: ["CREATE_PROJECT"] } : {})
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
  resolveConcern: ({ random }) => ({ resolution: random.pick(["DISMISSED", "UPHELD"]), reason: random.pick(reasons) }),
  reviseProject: ({ random, author, pace }) => ({
    reason: random.pick(reasons),
    terms: random.pick<JsonObject>([
      { scope: "Two charts." },
      { criteria: [...criteria] },
      {
        deadline: minutesFromNow({ random, author, pace }, 60),
        reviewDeadline: minutesFromNow({ random, author, pace }, 600)
      }
    ])
  }),
  changeRepresentative: ({ random }) => ({
    supplierActorId: random.pick(["${kim.id}", "${sam.id}"]),
    reason: "Leave."
  }),
  createProposal: proposalInput,
  createOwnProposal: proposalInput,
  updateProposal: proposalChange,
  updateAsPerson: proposalChange,
  respondProposal: answer,
  answerProposal: answer,
  prepareDraft: (writing) => ({ title: "Sea chart", ...(writing.random.chance(0.5) ? { scope: "One chart." } : {}) }),
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
  addNote: ({ random }) => ({ text: random.pick(reasons) }),
  searchSpecifications: ({ random }) => ({ q: random.pick(["chart", "globe", "SEA"]) }),
  listProposals: page,
  listJobs: ({ random, author }) => (random.chance(0.5) ? {} : { projectId: author.pools.pick("project") ?? "" }),
  inviteMember: ({ random }) => ({ authorities: [...random.some(authorities, 0.3), "DELEGATE"].filter(isFirst) }),
  readInvitation: code,
  acceptMembership: code,
  acceptRepresentation: code,
  acceptParticipation: code,
  inviteParticipant: (writing) => ({
    title: "Pages",
    instructions: "Which pages show depths?",
    ...(writing.random.chance(0.4) ? { dueAt: minutesFromNow(writing, randomDeadline(writing)) } : {})
  }),
  addContact: ({ random }) => ({
    personId: random.pick(["${kim.id}", "${sam.id}"]),
    name: "Kim",
    reference: "engraver"
  }),
  removeContact: () => ({ reference: "engraver" }),
  enterUserCode: ({ author }) => ({ userCode: author.pools.pick("userCode") ?? "BCDF-GHJP" }),
  approveConnection: (writing, actor) => {
    const actions = actionsFor(writing.random, roleOf(actor))
    return {
      role: roleOf(actor),
      actions: [...actions],
      consents: guardedActions.filter((one) => actions.includes(one))
    }
  },
  shareRecord: ({ random }) => ({ recipient: "Nils", recipientActorId: random.pick(["${nils.id}", "${kim.id}"]) }),
  proposePublication: ({ random }) => ({
    title: random.pick(["Sea chart", "Seekarte – «Hafen»"]),
    summary: random.pick(reasons),
    ...(random.chance(0.5) ? { namesBuyer: true } : {})
  }),
  offerResultOrder: ({ random }) => ({ amountMinor: random.pick([1, 12_500, 99_999_999]) }),
  readClosureStatus: ({ random, author }) => {
    const recordDigest = author.pools.pick("recordDigest")
    return recordDigest === undefined || random.chance(0.4) ? {} : { recordDigest }
  },
  exportPassport: ({ random }) => (random.chance(0.5) ? {} : { format: random.pick(["zip", "json", "pdf"]) }),
  readPublicationStatus: nothing,
  grantAgent: grant,
  renewGrant: (_, actor) => ({ agent: roleOf(actor) === "BUYER" ? "scout" : "courier" }),
  revokeGrant: ({ author }, actor) => ({ agent: agentOf(author, actor) }),
  endMembership: ({ random }) =>
    random.pick([
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
  setMailServer: ({ random }) => ({ state: random.pick(["WORKING", "REFUSING", "SILENT"]) }),
  setClock: ({ random }) => ({
    process: random.pick(["service", "worker"]),
    offset: random.pick(["+0s", "+400ms", "-2s", "+3m"])
  }),
  setKeys: ({ random }) => ({ purposes: random.chance(0.5) ? [] : ["EVENT", "AUTHORITY", "STATUS"] }),
  setReceiver: ({ random }) => ({
    receiver: random.pick(["hooks", "backup"]),
    next: random.some<JsonObject>(
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
    ...(random.chance(0.3) ? { otherwise: { answers: random.pick([500, 404, 302, "RESET"] as const) } } : {})
  }),
  setZone: ({ random }) => ({
    name: "hooks.example.com",
    answers: random.pick<Json>([["93.184.215.14"], ["10.0.0.5"], "NXDOMAIN", "UNREACHABLE"])
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
  /^(handoff|pauseProject|resumeProject|pauseProposal|resumeProposal|liftHold|issueRecord|withdrawConf|withdrawPublication|declineResultOrder|withdrawResultOrder)/
