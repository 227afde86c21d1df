/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { clearCookie } from "../../http/cookies.ts"
import { clientAddress } from "../../http/transport.ts"
import { createAccount } from "../../people/accounts.ts"
import { asPerson, asPersonRequest } from "../../people/request.ts"
import { WorkspaceApi } from "../../api/people.ts"
import { removeAccount } from "../../access/account.ts"
import { approveConnection, denyConnection, enterUserCode, readConnection } from "../../access/approval.ts"
import { createGrant, listGrants, readOwnGrant, renewGrant, revokeGrant } from "../../access/grants.ts"
import { neverRefused } from "../../vocabulary/refusals.ts"
import { presetList, viewConnection, viewOwnGrant } from "../../access/person-view.ts"

export const approvalHandlers = HttpApiBuilder.group(WorkspaceApi, "approvals", (handlers) =>
  handlers.handleAll({
    enterUserCode: ({ payload }) =>
      asPerson((by) => Effect.flatMap(clientAddress, (origin) => enterUserCode(by, payload.userCode, origin))),
    readConnection: ({ params }) =>
      asPerson((by) => Effect.map(readConnection(by, params.connectionId), viewConnection)),
    approveConnection: ({ params, payload }) => asPerson((by) => approveConnection(by, params.connectionId, payload)),
    denyConnection: ({ params }) => asPerson((by) => denyConnection(by, params.connectionId))
  })
)

export const ownGrantHandlers = HttpApiBuilder.group(WorkspaceApi, "ownGrants", (handlers) =>
  handlers.handleAll({
    listGrants: ({ query: { after } }) =>
      asPerson((by) =>
        Effect.map(listGrants(by, after), ({ items, next }) => ({ grants: items.map(viewOwnGrant), next }))
      ),
    readGrant: ({ params }) => asPerson((by) => Effect.map(readOwnGrant(by, params.grantId), viewOwnGrant)),
    createGrant: (sent) => asPersonRequest(sent, (by, request) => createGrant(by, request, sent.payload)),
    renewGrant: (sent) =>
      asPersonRequest(sent, (by, request) => renewGrant(by, request, { ...sent.params, ...sent.payload })),
    revokeGrant: ({ params }) => asPerson((by) => revokeGrant(by, params)),
    readPresets: () => Effect.succeed(presetList)
  })
)

export const accountHandlers = HttpApiBuilder.group(WorkspaceApi, "account", (handlers) =>
  handlers.handleAll({
    makeAccount: () => asPerson((by) => neverRefused("UNKNOWN_PARTY")(createAccount(by))),
    removeAccount: () =>
      asPerson((by) =>
        Effect.map(removeAccount(by), (removed) => clearCookie("session")(HttpServerResponse.jsonUnsafe(removed)))
      )
  })
)
