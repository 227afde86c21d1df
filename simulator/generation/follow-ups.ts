/** The next steps of a correct client: a retry after a lost answer, a new sign-in, the second half of a flow. */
import { type JsonObject, valueAt } from "../vocabulary/json.ts"
import { roleOf, type GeneratorContext } from "./random-inputs.ts"
import { people } from "./goal-directed-steps.ts"

export const followUps = (step: JsonObject, writing: GeneratorContext): ReadonlyArray<JsonObject> => {
  const { random, author } = writing
  const actor = step["as"]
  if (typeof actor !== "string") return []
  const answer = author.lastAnswerTo(actor)
  if (answer === undefined) return retryOf(step)
  if (answer.status >= 300) return afterRefusal(step, actor, String(valueAt(answer.body, "error")))
  const next = nextOf[String(step["do"])]
  return [...(next?.(actor, writing, step) ?? []), ...(random.chance(0.04) ? retryOf(step) : [])]
}

const retryOf = ({ id }: JsonObject): ReadonlyArray<JsonObject> => (typeof id === "string" ? [{ retry: id }] : [])

const afterRefusal = (step: JsonObject, actor: string, error: string): ReadonlyArray<JsonObject> => {
  const { id: _, inject: __, meanwhile: ___, ...plain } = step
  if (error.endsWith("SIGN_IN_REQUIRED") && people.includes(actor)) return [{ as: actor, do: "signIn" }, plain]
  if (error === "REVIEW_CREATION_REQUIREMENTS" || error === "LEGAL_DOCUMENTS_CHANGED") {
    return [{ as: actor, do: "legalConfig" }, { as: actor, do: "confirmationPreview" }, plain]
  }
  if (error === "STALE_EVENT_HEAD" && typeof step["on"] === "string") {
    return [{ as: actor, do: people.includes(actor) ? "readOwnProject" : "readProject", on: step["on"] }, plain]
  }
  if (error === "TEMPORARILY_UNAVAILABLE") return retryOf(step)
  return []
}

type FollowUps = (actor: string, writing: GeneratorContext, step: JsonObject) => ReadonlyArray<JsonObject>

const latest = (
  { author }: GeneratorContext,
  kind: Parameters<GeneratorContext["author"]["pools"]["all"]>[0]
): string => author.pools.all(kind).at(-1) ?? ""

const grantSupplierAgent: FollowUps = (_, writing) => {
  const { random, author } = writing
  if (random.chance(0.4)) return []
  const projects = [...new Set(author.pools.all("project"))].slice(-3)
  return [
    {
      as: "sam",
      do: "grantAgent",
      input: {
        agent: `runner${author.steps.length}x`,
        organization: "lumen",
        role: "SUPPLIER",
        actions: ["RESPOND_TERMS", "SUBMIT_MATERIALS", "REQUEST_DATE_CHANGE", "RAISE_CONCERN"],
        projects
      }
    }
  ]
}

const readPublishedProposal: FollowUps = (_, writing) => {
  const proposal = latest(writing, "proposal")
  const { random, author } = writing
  if (random.chance(0.5)) return [{ as: "dana", do: "readOwnProposal", on: proposal }]
  return [
    {
      as: "dana",
      do: "grantAgent",
      input: {
        agent: `clerk${author.steps.length}x`,
        role: "BUYER",
        actions: ["RESPOND_PROPOSAL", "CREATE_PROJECT", "REVIEW_DELIVERY"],
        proposals: [proposal]
      }
    }
  ]
}

const registerSubscription: FollowUps = (actor, writing) => [
  { as: "hooks", do: "takeSecret", input: { secret: latest(writing, "secret") } },
  {
    as: actor,
    do: people.includes(actor) ? "listOwnWebhookDeliveries" : "listWebhookDeliveries",
    on: latest(writing, "subscription")
  }
]

const proposePublication: FollowUps = (_, writing, { on = "" }) =>
  writing.random.chance(0.6)
    ? [{ as: "sam", do: "proposePublication", on, input: { title: "Sea chart", summary: "One sheet." } }]
    : []

/** The issued result is disclosed or sold. */
const useResult: FollowUps = (actor, writing, step) => {
  const answer = writing.author.lastAnswerTo(actor)?.body ?? null
  const isIssued = valueAt(answer, "project.recordIssuance.status") === "ISSUED"
  if (!isIssued || writing.random.chance(0.3)) return proposePublication(actor, writing, step)
  const { on = "" } = step
  return [
    { as: "sam", do: "readOwnProject", on },
    { as: "sam", do: "openRecipientAccount", on: "${lumen.id}" },
    { as: "sam", do: "offerResultOrder", on, input: { amountMinor: 12_500 } }
  ]
}

const readBack = [{ advance: "2m" }, { as: "operator", do: "readBackPayments" }]

const nextOf: { readonly [operation: string]: FollowUps } = {
  createProject: grantSupplierAgent,
  createOwnProject: grantSupplierAgent,
  publishProposal: readPublishedProposal,
  publishAsPerson: readPublishedProposal,
  createWebhook: registerSubscription,
  createOwnWebhook: registerSubscription,
  startConnection: (actor, writing) => {
    const person = writing.random.pick(["dana", "sam"])
    const userCode = latest(writing, "userCode")
    return [
      { as: person, do: "enterUserCode", input: { userCode } },
      { advance: "5s" },
      { as: actor, do: "pollConnection" }
    ]
  },
  enterUserCode: (actor, writing) => [
    {
      as: actor,
      do: "approveConnection",
      on: latest(writing, "connection"),
      input: {
        role: roleOf(actor),
        actions:
          roleOf(actor) === "BUYER" ? ["CREATE_PROJECT", "REVIEW_DELIVERY"] : ["RESPOND_TERMS", "SUBMIT_MATERIALS"]
      }
    },
    { as: "pilot", do: "pollConnection" },
    { as: "pilot", do: "me" }
  ],
  inviteMember: (_, writing) => acceptInvitation(writing, "acceptMembership", "nils"),
  inviteRepresentative: (_, writing) =>
    acceptInvitation(writing, "acceptRepresentation", writing.random.pick(["sam", "kim"])),
  inviteParticipant: (_, writing) => acceptInvitation(writing, "acceptParticipation", "nils"),
  acceptParticipation: (_, writing) => [
    { as: "nils", do: "createAssistant", on: latest(writing, "item") },
    { as: "nils", do: "readItemWithNotes", on: latest(writing, "item") }
  ],
  shareRecord: () => [
    { as: "nils", do: "signIn" },
    { as: "nils", do: "listSharedRecords" }
  ],
  issueRecord: useResult,
  issueRecordAsPerson: useResult,
  openRecipientAccount: (_, writing) => [{ as: "provider", do: "onboard", on: latest(writing, "account") }],
  offerResultOrder: (_, writing) => {
    const on = latest(writing, "order")
    return [
      { as: "dana", do: "readResultOrder", on },
      ...(writing.random.chance(0.8)
        ? [
            { as: "dana", do: "approveResultOrder", on },
            { as: "dana", do: "payResultOrder", on }
          ]
        : [{ as: "dana", do: "declineResultOrder", on, input: { reason: "Too much." } }])
    ]
  },
  payResultOrder: (_, writing) => {
    const on = latest(writing, "attempt")
    return [
      { as: "provider", do: writing.random.pick(["pay", "pay", "decline", "expire"]), on },
      ...readBack,
      { as: "sam", do: "exportCommerceRecord", on },
      {
        as: writing.random.pick(["dana", "dana", "sam", "sam", "kim"]),
        do: "exportClosure",
        on: latest(writing, "order")
      }
    ]
  },
  exportClosure: (actor, _, { on = "" }) => [{ as: actor, do: "readClosureStatus", on }],
  proposePublication: (_, writing, { on = "" }) => {
    const publication = latest(writing, "publication")
    return [
      { as: "dana", do: "listPublications", on },
      writing.random.chance(0.8)
        ? { as: "dana", do: "approvePublication", on: publication }
        : { as: "dana", do: "withdrawPublication", on: publication, input: { reason: "Not yet." } }
    ]
  },
  approvePublication: (_, writing) => [
    { as: "iris", do: "listDisclosedPublications", on: latest(writing, "subject") },
    { as: "iris", do: "exportPassport", on: latest(writing, "subject") },
    ...(writing.random.chance(0.5)
      ? [
          {
            as: "sam",
            do: "withdrawPublication",
            on: latest(writing, "publication"),
            input: { reason: "Not any more." }
          }
        ]
      : [])
  ],
  withdrawPublication: (_, writing) => [{ as: "iris", do: "readPublicationStatus", on: latest(writing, "subject") }],
  prepareJob: (actor, writing) => [{ as: actor, do: "submitJob", on: latest(writing, "job") }],
  createDraft: (actor, writing) => [
    { as: actor, do: "saveDraft", on: latest(writing, "draft"), input: { content: { title: "Sea chart, once more" } } },
    { as: actor, do: "commitDraft", on: latest(writing, "draft") }
  ],
  exportResultPackage: (_, writing) => [{ as: "iris", do: "verify", input: { artifact: latest(writing, "record") } }]
}

const acceptInvitation = (writing: GeneratorContext, operation: string, person: string): ReadonlyArray<JsonObject> => [
  { as: person, do: "signIn" },
  { as: person, do: operation, input: { code: latest(writing, "code") } }
]
