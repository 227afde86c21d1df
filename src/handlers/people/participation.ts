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
    inviteParticipant: ({ params: { id: projectId }, payload: { requestId, ...terms } }) =>
      asPersonRequest({ operation: "inviteParticipant", pathIds: [projectId], requestId }, (by, request) =>
        inviteParticipant(by, request, { projectId, ...terms })
      ),
    listProjectItems: ({ params }) =>
      asPerson((by) => Effect.map(listProjectItems(by, params.id), (items) => ({ items: items.map(viewGivenItem) }))),
    acceptParticipation: ({ payload }) =>
      asPerson((by) => Effect.map(acceptParticipation(by, payload.code), viewOwnItem)),
    listItems: () => asPerson((by) => Effect.map(listItems(by), (items) => ({ items: items.map(viewOwnItem) }))),
    readItemWithNotes: ({ params }) =>
      asPerson((by) => Effect.map(readItemAsPerson(by, params.itemId), viewItemWithNotes)),
    finishItem: ({ params }) => asPerson((by) => Effect.map(finishItem(by, params.itemId), viewOwnItem)),
    withdrawItem: ({ params }) => asPerson((by) => Effect.map(withdrawItem(by, params.itemId), viewGivenItem)),
    createAssistant: ({ params: { itemId }, payload: { requestId } }) =>
      asPersonRequest({ operation: "createAssistant", pathIds: [itemId], requestId }, (by, request) =>
        createAssistant(by, request, itemId)
      ),
    endAssistant: ({ params }) => asPerson((by) => Effect.map(endAssistant(by, params.itemId), viewOwnItem))
  })
)
