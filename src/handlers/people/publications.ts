/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asPerson, asPersonRequest } from "../../people/request.ts"
import { WorkspaceApi } from "../../api/people.ts"
import {
  approvePublication,
  listPublications,
  proposePublication,
  withdrawPublication
} from "../../publications/operations.ts"
import { viewPublication, viewPublications } from "../../publications/view.ts"

export const projectPublicationHandlers = HttpApiBuilder.group(WorkspaceApi, "projectPublications", (handlers) =>
  handlers.handleAll({
    proposePublication: ({ params: { id }, payload: { requestId, ...input } }) =>
      asPersonRequest({ operation: "proposePublication", pathIds: [id], requestId }, (by, request) =>
        Effect.map(proposePublication(by, request, { projectId: id, ...input }), viewPublication)
      ),
    listPublications: ({ params }) => asPerson((by) => Effect.map(listPublications(by, params.id), viewPublications)),
    approvePublication: ({ params: { id, publicationId }, payload: { requestId, publicationDigest } }) =>
      asPersonRequest({ operation: "approvePublication", pathIds: [id, publicationId], requestId }, (by, request) =>
        Effect.map(
          approvePublication(by, request, { projectId: id, publicationId, publicationDigest }),
          viewPublication
        )
      ),
    withdrawPublication: ({ params: { id, publicationId }, payload: { requestId, reason } }) =>
      asPersonRequest({ operation: "withdrawPublication", pathIds: [id, publicationId], requestId }, (by, request) =>
        Effect.map(withdrawPublication(by, request, { projectId: id, publicationId, reason }), viewPublication)
      )
  })
)
