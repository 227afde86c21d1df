/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asPerson, asPersonRequest } from "../../people/request.ts"
import { WorkspaceApi } from "../../api/people.ts"
import { viewGivenItem, viewItemWithNotes, viewOwnItem } from "../../participation/person-view.ts"
import { acceptParticipation, inviteParticipant } from "../../participation/invitations.ts"
import {
  createAssistant,
  endAssistant,
  finishItem,
  listItems,
  listProjectItems,
  readItemAsPerson,
  withdrawItem
} from "../../participation/items.ts"

export const itemHandlers = HttpApiBuilder.group(WorkspaceApi, "items", (handlers) =>
  handlers.handleAll({
    inviteParticipant: (sent) =>
      asPersonRequest(sent, (by, request) =>
        inviteParticipant(by, request, { projectId: sent.params.id, ...sent.payload })
      ),
    listProjectItems: ({ params, query: { after } }) =>
      asPerson((by) =>
        Effect.map(listProjectItems(by, params.id, after), ({ items, next }) => ({
          items: items.map(viewGivenItem),
          next
        }))
      ),
    acceptParticipation: ({ payload }) =>
      asPerson((by) => Effect.map(acceptParticipation(by, payload.code), viewOwnItem)),
    listItems: ({ query: { after } }) =>
      asPerson((by) =>
        Effect.map(listItems(by, after), ({ items, next }) => ({ items: items.map(viewOwnItem), next }))
      ),
    readItemWithNotes: ({ params }) =>
      asPerson((by) => Effect.map(readItemAsPerson(by, params.itemId), viewItemWithNotes)),
    finishItem: ({ params }) => asPerson((by) => Effect.map(finishItem(by, params.itemId), viewOwnItem)),
    withdrawItem: ({ params }) => asPerson((by) => Effect.map(withdrawItem(by, params.itemId), viewGivenItem)),
    createAssistant: (sent) => asPersonRequest(sent, (by, request) => createAssistant(by, request, sent.params.itemId)),
    endAssistant: ({ params }) => asPerson((by) => Effect.map(endAssistant(by, params.itemId), viewOwnItem))
  })
)
