/** Connections, grants and presets as the workspace API returns them: no token, no code, no hash. */
import { guardedActions, presets, roles } from "./actions.ts"
import type { GrantDetails } from "./grants.ts"
import type { AskingConnection, OwnGrant, Presets } from "./person-wire.ts"
import type { ConnectionRow } from "./store.ts"
import { viewGrant } from "./view.ts"

export const viewConnection = ({
  connectionId,
  agentName,
  client,
  origin,
  requestedRole,
  requestedActions,
  createdAt,
  expiresAt,
  state
}: ConnectionRow): typeof AskingConnection.Type => ({
  connectionId,
  agentName,
  client,
  origin,
  requestedRole,
  requestedActions,
  createdAt,
  expiresAt,
  state
})

export const viewOwnGrant = ({
  grant,
  state,
  isParentLive,
  projectIds,
  proposalIds,
  lastUsedAt,
  isCollected
}: GrantDetails): typeof OwnGrant.Type => ({
  ...viewGrant({ grant, projectIds, proposalIds }),
  state,
  agentName: grant.agentName,
  generation: grant.generation,
  revokedAt: grant.revokedAt,
  isParentLive,
  isCollected,
  lastUsedAt
})

export const presetList: typeof Presets.Type = {
  presets: roles.flatMap((role) => Object.entries(presets[role]).map(([name, actions]) => ({ role, name, actions }))),
  guardedActions
}
