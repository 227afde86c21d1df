/** Ids of the objects created so far in a scenario, as references for later steps. */
import type { Json, JsonObject } from "../vocabulary/json.ts"
import { valueAt } from "../vocabulary/json.ts"
import type { SeededRandom } from "../kernel/seeded-random.ts"

export const idKinds = [
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
  "publication",
  "subject",
  "account",
  "order",
  "attempt",
  "recordDigest",
  "membership",
  "grant",
  "token",
  "record"
] as const
export type IdKind = (typeof idKinds)[number]

export class KnownIds {
  readonly #objects = new Map<IdKind, Array<{ readonly reference: string; readonly by: string }>>()
  readonly #random: SeededRandom

  constructor(random: SeededRandom) {
    this.#random = random
  }

  add(kind: IdKind, reference: string, by: string): void {
    this.#objects.set(kind, [...(this.#objects.get(kind) ?? []), { reference, by }])
  }

  all(kind: IdKind): ReadonlyArray<string> {
    return (this.#objects.get(kind) ?? []).map(({ reference }) => reference)
  }

  /** The actor that created it. */
  ownerOf(kind: IdKind, reference: string): string | undefined {
    return this.#objects.get(kind)?.find((object) => object.reference === reference)?.by
  }

  /** Mostly the newest; undefined if there is none. */
  pick(kind: IdKind): string | undefined {
    const all = this.all(kind)
    return all.length === 0 || this.#random.chance(0.6) ? all.at(-1) : this.#random.pick(all)
  }
}

interface KeptMember {
  readonly pool: IdKind
  readonly path: string
  /** The parent target, for an object that is addressed below another one. */
  readonly isPartOf?: (step: JsonObject) => string
}

/** The members of an answer that later steps can refer to. */
export const keptMembersOf = (operation: string, body: Json): ReadonlyArray<KeptMember> =>
  (keptMembers[operation] ?? []).filter(({ path }) => typeof valueAt(body, path) === "string")

const targetOf = (step: JsonObject): string => String(step["on"])

const project: ReadonlyArray<KeptMember> = [{ pool: "project", path: "project.taskId" }]
const proposal: ReadonlyArray<KeptMember> = [{ pool: "proposal", path: "proposal.id" }]
const agreedProject: ReadonlyArray<KeptMember> = [{ pool: "project", path: "proposal.projectId" }]
const code: ReadonlyArray<KeptMember> = [
  { pool: "invitation", path: "invitationId" },
  { pool: "code", path: "code" }
]
const grantAndToken: ReadonlyArray<KeptMember> = [
  { pool: "grant", path: "grantId" },
  { pool: "token", path: "token" }
]
const subscriptionAndSecret: ReadonlyArray<KeptMember> = [
  { pool: "subscription", path: "subscription.id" },
  { pool: "secret", path: "secret" }
]
const latestDelivery: ReadonlyArray<KeptMember> = [
  { pool: "delivery", path: "deliveries.0.deliveryId", isPartOf: targetOf }
]
const record: ReadonlyArray<KeptMember> = [{ pool: "record", path: "record" }]

const keptMembers: { readonly [operation: string]: ReadonlyArray<KeptMember> } = {
  createProject: project,
  createOwnProject: project,
  commitDraft: [...project, ...proposal],
  reviseProject: [{ pool: "project", path: "project.revision.projectId" }],
  listProjects: [{ pool: "project", path: "projects.0.projectId" }],
  createProposal: proposal,
  createOwnProposal: proposal,
  respondProposal: agreedProject,
  answerProposal: agreedProject,
  createDraft: [{ pool: "draft", path: "draftId" }],
  prepareDraft: [{ pool: "draft", path: "draftId" }],
  createWebhook: subscriptionAndSecret,
  createOwnWebhook: subscriptionAndSecret,
  rotateWebhookSecret: [{ pool: "secret", path: "secret" }],
  rotateOwnWebhookSecret: [{ pool: "secret", path: "secret" }],
  listWebhookDeliveries: latestDelivery,
  listOwnWebhookDeliveries: latestDelivery,
  prepareJob: [{ pool: "job", path: "jobId" }],
  inviteMember: code,
  inviteRepresentative: code,
  inviteParticipant: code,
  startConnection: [{ pool: "userCode", path: "userCode" }],
  enterUserCode: [{ pool: "connection", path: "connectionId" }],
  approveConnection: [{ pool: "grant", path: "grantId" }],
  acceptParticipation: [{ pool: "item", path: "id" }],
  shareRecord: [{ pool: "share", path: "shareId" }],
  proposePublication: [
    { pool: "publication", path: "publicationId", isPartOf: targetOf },
    { pool: "subject", path: "projection.subject.id" }
  ],
  openRecipientAccount: [{ pool: "account", path: "accountId" }],
  offerResultOrder: [{ pool: "order", path: "resultOrderId" }],
  payResultOrder: [{ pool: "attempt", path: "attempts.0.commerceOrderId" }],
  exportClosure: [{ pool: "recordDigest", path: "body.data.references.commerce.digest" }],
  acceptMembership: [{ pool: "membership", path: "membershipId" }],
  listMembers: [{ pool: "membership", path: "members.0.membershipId" }],
  grantAgent: grantAndToken,
  renewGrant: grantAndToken,
  createAssistant: [{ pool: "token", path: "token" }],
  exportResultPackage: record,
  exportStandardRecord: record
}
