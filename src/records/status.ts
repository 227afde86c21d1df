/** The signed current status of a project: its reliance, valid for five minutes. */
import { Schema } from "effect"
import type { Project, State } from "../projects/project.ts"
import { addMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { digest, instant, name, projectId, recordId, signed } from "../vocabulary/record-schemas.ts"

export const reliances = ["NONE", "CURRENT", "PAUSED", "STOPPED"] as const

export const AgentStatus = Schema.Struct({
  ...signed("service.agent-status/v1"),
  expiresAt: instant,
  environment: name,
  projectId,
  agreementDigest: digest,
  headEventHash: digest,
  state: name,
  recordId: Schema.NullOr(recordId),
  recordDigest: Schema.NullOr(digest),
  reliance: Schema.Literals(reliances),
  nonce: name
})
type AgentStatus = typeof AgentStatus.Type

export interface IssuedRecord {
  readonly recordId: string
  readonly digest: string
}

export const statusPayload = (
  { agreement, agreementDigest, head, state }: Project,
  record: IssuedRecord | undefined,
  nonce: string,
  environment: string,
  issuedAt: Instant
): AgentStatus => ({
  schema: "service.agent-status/v1",
  issuedAt,
  expiresAt: addMilliseconds(issuedAt, limits.statusWindow),
  environment,
  projectId: agreement.projectId,
  agreementDigest,
  headEventHash: head,
  state,
  recordId: record?.recordId ?? null,
  recordDigest: record?.digest ?? null,
  reliance: relianceOn(state),
  nonce
})

/** The reliance on a confirmation in a state of its project. */
export const relianceOn = (state: State): (typeof reliances)[number] => {
  switch (state) {
    case "BUYER_CONFIRMED":
      return "CURRENT"
    case "CONFIRMATION_CONTESTED":
      return "PAUSED"
    case "CONFIRMATION_WITHDRAWN":
    case "SUPERSEDED":
      return "STOPPED"
    default:
      return "NONE"
  }
}
