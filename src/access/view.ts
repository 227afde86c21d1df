/** Grants and capabilities as the agent API returns them (2.2, 2.3). */
import type { WebhookTiming } from "../ports/webhook-timing.ts"
import { eventTypes } from "../vocabulary/event-types.ts"
import { limits } from "../vocabulary/limits.ts"
import { apiVersion } from "../vocabulary/version.ts"
import { actions } from "./actions.ts"
import type { Authority } from "./authorize.ts"
import type { PollResult } from "./connections.ts"
import { publishedLimits } from "./published-limits.ts"
import type { AgentCapabilities, ConnectionPoll, Grant } from "./wire.ts"

/** Only a live grant can be read, so its state is always ACTIVE here. */
export const viewGrant = ({
  grant,
  projectIds,
  proposalIds
}: {
  readonly grant: Authority["grant"]
  readonly projectIds: ReadonlyArray<string>
  readonly proposalIds: ReadonlyArray<string>
}): typeof Grant.Type => ({
  id: grant.grantId,
  agentId: grant.agentId,
  delegatedBy: grant.personId,
  authorizer: { personId: grant.personId, name: grant.authorizerName },
  tenantId: grant.tenantId,
  organizationId: grant.organizationId,
  role: grant.role,
  projectIds,
  proposalIds,
  actions: grant.actions,
  subjectRequirements: grant.subjectRequirements,
  createdAt: grant.createdAt,
  expiresAt: grant.expiresAt,
  state: "ACTIVE"
})

/** The message names the next step for people; the state is complete without it. */
export const viewPoll = (poll: PollResult): typeof ConnectionPoll.Type => ({ ...poll, message: messages[poll.state] })

const messages: { readonly [S in PollResult["state"]]: string } = {
  PENDING: "No person has approved yet. Poll again after the interval.",
  SLOW_DOWN: "Polled too early. The interval was increased; wait that long before the next poll.",
  CONNECTED: "Approved. Store the token where only the agent can read it; its first use ends its recovery by polling."
}

export const viewCapabilities = (pace: WebhookTiming): typeof AgentCapabilities.Type => ({
  apiVersion,
  purchaseSupported: false,
  supportedClients: ["http"],
  connection: { lifetimeSeconds: limits.connectionLifetime / 1000, interval: limits.connectionInterval },
  issuance: { automatic: true, maxCredits: limits.maxCredits },
  actions,
  eventTypes,
  limits: publishedLimits(pace)
})
