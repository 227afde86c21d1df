/** Connections, grants and presets as the workspace API returns them: no token, no code, no hash. */
import { guardedActions, presets, roles } from "./actions.ts"
import type { GrantDetails } from "./grants.ts"
import { pick } from "../vocabulary/pick.ts"
import { AskingConnection, type OwnGrant, type Presets } from "./person-wire.ts"
import { viewGrant } from "./view.ts"

export const viewConnection = pick(AskingConnection)

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
