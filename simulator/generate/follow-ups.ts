/** What a careful party does next: again after a lost answer, another sign-in, the other half of what was begun. */
import { type JsonObject, valueAt } from "../script/json.ts"
import { roleOf, type Writing } from "./inputs.ts"
import { people } from "./purpose.ts"

export const followUps = (step: JsonObject, writing: Writing): ReadonlyArray<JsonObject> => {
  const { dice, author } = writing
  const actor = step["as"]
  if (typeof actor !== "string") return []
  const came = author.cameTo(actor)
  if (came === undefined) return again(step)
  if (came.status >= 300) return afterRefusal(step, actor, String(valueAt(came.body, "error")))
  const next = nextOf[String(step["do"])]
  return [...(next?.(actor, writing, step) ?? []), ...(dice.chance(0.04) ? again(step) : [])]
}

const again = ({ id }: JsonObject): ReadonlyArray<JsonObject> => (typeof id === "string" ? [{ retry: id }] : [])

const afterRefusal = (step: JsonObject, actor: string, error: string): ReadonlyArray<JsonObject> => {
  const { id: _, inject: __, meanwhile: ___, ...plain } = step
  if (error.endsWith("SIGN_IN_REQUIRED") && people.includes(actor)) return [{ as: actor, do: "signIn" }, plain]
  if (error === "REVIEW_CREATION_REQUIREMENTS" || error === "LEGAL_DOCUMENTS_CHANGED") {
    return [{ as: actor, do: "legalConfig" }, { as: actor, do: "confirmationPreview" }, plain]
  }
  if (error === "STALE_EVENT_HEAD" && typeof step["on"] === "string") {
    return [{ as: actor, do: people.includes(actor) ? "readOwnProject" : "readProject", on: step["on"] }, plain]
  }
  if (error === "TEMPORARILY_UNAVAILABLE") return again(step)
  return []
}

type Next = (actor: string, writing: Writing, step: JsonObject) => ReadonlyArray<JsonObject>

const latest = ({ author }: Writing, kind: Parameters<Writing["author"]["pools"]["all"]>[0]): string =>
  author.pools.all(kind).at(-1) ?? ""

const supplierLetIn: Next = (_, writing) => {
  const { dice, author } = writing
  if (dice.chance(0.4)) return []
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

const published: Next = (_, writing) => {
  const proposal = latest(writing, "proposal")
  const { dice, author } = writing
  if (dice.chance(0.5)) return [{ as: "dana", do: "readOwnProposal", on: proposal }]
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

const subscribed: Next = (actor, writing) => [
  { as: "hooks", do: "takeSecret", input: { secret: latest(writing, "secret") } },
  {
    as: actor,
    do: people.includes(actor) ? "listOwnWebhookDeliveries" : "listWebhookDeliveries",
    on: latest(writing, "subscription")
  }
]

const nextOf: { readonly [operation: string]: Next } = {
  createProject: supplierLetIn,
  createOwnProject: supplierLetIn,
  publishProposal: published,
  publishAsPerson: published,
  createWebhook: subscribed,
  createOwnWebhook: subscribed,
  startConnection: (actor, writing) => {
    const person = writing.dice.pick(["dana", "sam"])
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
  inviteMember: (_, writing) => invited(writing, "acceptMembership", "nils"),
  inviteRepresentative: (_, writing) => invited(writing, "acceptRepresentation", writing.dice.pick(["sam", "kim"])),
  inviteParticipant: (_, writing) => invited(writing, "acceptParticipation", "nils"),
  acceptParticipation: (_, writing) => [
    { as: "nils", do: "createAssistant", on: latest(writing, "item") },
    { as: "nils", do: "readItemWithNotes", on: latest(writing, "item") }
  ],
  shareRecord: () => [
    { as: "nils", do: "signIn" },
    { as: "nils", do: "listSharedRecords" }
  ],
  prepareJob: (actor, writing) => [{ as: actor, do: "submitJob", on: latest(writing, "job") }],
  createDraft: (actor, writing) => [
    { as: actor, do: "saveDraft", on: latest(writing, "draft"), input: { content: { title: "Sea chart, once more" } } },
    { as: actor, do: "commitDraft", on: latest(writing, "draft") }
  ],
  exportResultPackage: (_, writing) => [{ as: "iris", do: "verify", input: { artifact: latest(writing, "record") } }]
}

const invited = (writing: Writing, operation: string, person: string): ReadonlyArray<JsonObject> => [
  { as: person, do: "signIn" },
  { as: person, do: operation, input: { code: latest(writing, "code") } }
]
