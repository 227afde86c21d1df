/** Resources with states visible to clients: their id prefixes, and the commands of the APIs on them. */
import { connectionStates } from "../../src/access/connection.ts"
import { attemptStates } from "../../src/commerce/attempt.ts"
import { orderStates } from "../../src/commerce/moves.ts"
import { draftStates } from "../../src/drafts/draft.ts"
import { itemStates } from "../../src/participation/item.ts"
import { states as projectStates } from "../../src/projects/project.ts"
import { proposalStates } from "../../src/proposals/proposal.ts"
import { publicationStates } from "../../src/publications/publication.ts"
import type { RefusalCode } from "../../src/vocabulary/refusal-rules.ts"
import { deliveryStates } from "../../src/webhooks/delivery.ts"
import { subscriptionStates } from "../../src/webhooks/subscription.ts"

export interface Resource {
  readonly name: string
  /** The prefix of its ids. */
  readonly prefix: string
  readonly states: ReadonlyArray<string>
  /** Absent if no command depends on its state. */
  readonly commands?: {
    /** The path before its id. */
    readonly folder: RegExp
    /** The refusal of a command because of the state. */
    readonly conflict: RefusalCode
    /** The last segments of paths that are not commands: they read, or create another resource. */
    readonly besides: ReadonlyArray<string>
  }
}

export const resources: ReadonlyArray<Resource> = [
  {
    name: "project",
    prefix: "delivery",
    states: projectStates,
    commands: {
      folder: /\/projects$/,
      conflict: "STATE_CONFLICT",
      besides: [
        "status",
        "record-shares",
        "publications",
        "result-orders",
        "history-reference",
        "representative-invitations",
        "participation-invitations"
      ]
    }
  },
  {
    name: "proposal",
    prefix: "proposal",
    states: proposalStates,
    commands: { folder: /\/proposals$/, conflict: "STATE_CONFLICT", besides: [] }
  },
  {
    name: "publication",
    prefix: "pub",
    states: publicationStates,
    commands: { folder: /\/publications$/, conflict: "STATE_CONFLICT", besides: [] }
  },
  {
    name: "order",
    prefix: "order",
    states: orderStates,
    commands: { folder: /\/result-orders$/, conflict: "STATE_CONFLICT", besides: ["payments", "closure"] }
  },
  { name: "payment attempt", prefix: "commerce", states: attemptStates },
  {
    name: "draft",
    prefix: "draft",
    states: draftStates,
    commands: { folder: /\/drafts$/, conflict: "DRAFT_CHANGED", besides: [] }
  },
  {
    name: "job",
    prefix: "job",
    states: ["PREPARED", "SUBMITTED"],
    commands: { folder: /\/jobs$/, conflict: "STATE_CONFLICT", besides: [] }
  },
  {
    name: "subscription",
    prefix: "webhook",
    states: subscriptionStates,
    commands: { folder: /\/(project-)?webhooks$/, conflict: "STATE_CONFLICT", besides: ["verify"] }
  },
  {
    name: "delivery",
    prefix: "whd",
    states: deliveryStates,
    commands: { folder: /\/deliveries$/, conflict: "STATE_CONFLICT", besides: [] }
  },
  { name: "connection", prefix: "connection", states: connectionStates },
  { name: "grant", prefix: "grant", states: ["ACTIVE", "REVOKED", "EXPIRED"] },
  { name: "invitation", prefix: "invitation", states: ["OPEN", "ACCEPTED", "REVOKED"] },
  { name: "item", prefix: "item", states: itemStates }
]

export const resourceOf = (id: string): Resource | undefined =>
  resources.find(({ prefix }) => id.startsWith(`${prefix}_`))
