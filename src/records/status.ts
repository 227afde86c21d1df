/** The signed current status of a project: what can be relied on now, for five minutes. */
import type { Project, State } from "../projects/project.ts"
import { addMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"

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
) => ({
  schema: "service.agent-status/v1" as const,
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

export const reliances = ["NONE", "CURRENT", "PAUSED", "STOPPED"] as const

/** How far a confirmation can be relied on in that state of its project. */
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
