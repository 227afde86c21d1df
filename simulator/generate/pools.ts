/** Things that came to be in a scenario, as later steps refer to them. */
import type { Json, JsonObject } from "../script/json.ts"
import { valueAt } from "../script/json.ts"
import type { Dice } from "./dice.ts"

export const kinds = [
  "project",
  "proposal",
  "draft",
  "subscription",
  "secret",
  "delivery",
  "job",
  "invitation",
  "code",
  "connection",
  "userCode",
  "item",
  "share",
  "membership",
  "grant",
  "token",
  "record"
] as const
export type Kind = (typeof kinds)[number]

export class Pools {
  readonly #things = new Map<Kind, Array<{ readonly reference: string; readonly by: string }>>()
  readonly #dice: Dice

  constructor(dice: Dice) {
    this.#dice = dice
  }

  add(kind: Kind, reference: string, by: string): void {
    this.#things.set(kind, [...(this.#things.get(kind) ?? []), { reference, by }])
  }

  all(kind: Kind): ReadonlyArray<string> {
    return (this.#things.get(kind) ?? []).map(({ reference }) => reference)
  }

  /** Who made it. */
  ownerOf(kind: Kind, reference: string): string | undefined {
    return this.#things.get(kind)?.find((thing) => thing.reference === reference)?.by
  }

  /** Mostly the newest; undefined where there is none. */
  pick(kind: Kind): string | undefined {
    const all = this.all(kind)
    return all.length === 0 || this.#dice.chance(0.6) ? all.at(-1) : this.#dice.pick(all)
  }
}

interface Kept {
  readonly pool: Kind
  readonly path: string
  /** Where it is found only below something else: what that is. */
  readonly isPartOf?: (step: JsonObject) => string
}

/** What an answer brings that later steps can name. */
export const keptOf = (operation: string, body: Json): ReadonlyArray<Kept> =>
  (brings[operation] ?? []).filter(({ path }) => typeof valueAt(body, path) === "string")

const below = (step: JsonObject): string => String(step["on"])

const project: ReadonlyArray<Kept> = [{ pool: "project", path: "project.taskId" }]
const proposal: ReadonlyArray<Kept> = [{ pool: "proposal", path: "proposal.id" }]
const agreed: ReadonlyArray<Kept> = [{ pool: "project", path: "proposal.projectId" }]
const code: ReadonlyArray<Kept> = [
  { pool: "invitation", path: "invitationId" },
  { pool: "code", path: "code" }
]
const granted: ReadonlyArray<Kept> = [
  { pool: "grant", path: "grantId" },
  { pool: "token", path: "token" }
]
const subscribed: ReadonlyArray<Kept> = [
  { pool: "subscription", path: "subscription.id" },
  { pool: "secret", path: "secret" }
]
const delivered: ReadonlyArray<Kept> = [{ pool: "delivery", path: "deliveries.0.deliveryId", isPartOf: below }]
const record: ReadonlyArray<Kept> = [{ pool: "record", path: "record" }]

const brings: { readonly [operation: string]: ReadonlyArray<Kept> } = {
  createProject: project,
  createOwnProject: project,
  commitDraft: [...project, ...proposal],
  reviseProject: [{ pool: "project", path: "project.revision.projectId" }],
  listProjects: [{ pool: "project", path: "projects.0.projectId" }],
  createProposal: proposal,
  createOwnProposal: proposal,
  respondProposal: agreed,
  answerProposal: agreed,
  createDraft: [{ pool: "draft", path: "draftId" }],
  prepareDraft: [{ pool: "draft", path: "draftId" }],
  createWebhook: subscribed,
  createOwnWebhook: subscribed,
  rotateWebhookSecret: [{ pool: "secret", path: "secret" }],
  rotateOwnWebhookSecret: [{ pool: "secret", path: "secret" }],
  listWebhookDeliveries: delivered,
  listOwnWebhookDeliveries: delivered,
  prepareJob: [{ pool: "job", path: "jobId" }],
  inviteMember: code,
  inviteRepresentative: code,
  inviteParticipant: code,
  startConnection: [{ pool: "userCode", path: "userCode" }],
  enterUserCode: [{ pool: "connection", path: "connectionId" }],
  approveConnection: [{ pool: "grant", path: "grantId" }],
  acceptParticipation: [{ pool: "item", path: "id" }],
  shareRecord: [{ pool: "share", path: "shareId" }],
  acceptMembership: [{ pool: "membership", path: "membershipId" }],
  listMembers: [{ pool: "membership", path: "members.0.membershipId" }],
  grantAgent: granted,
  renewGrant: granted,
  createAssistant: [{ pool: "token", path: "token" }],
  exportResultPackage: record,
  exportStandardRecord: record
}
