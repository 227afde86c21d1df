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
    proposePublication: (sent) => {
      const { requestId: _, ...input } = sent.payload
      return asPersonRequest(sent, (by, request) =>
        Effect.map(proposePublication(by, request, { projectId: sent.params.id, ...input }), viewPublication)
      )
    },
    listPublications: ({ params }) => asPerson((by) => Effect.map(listPublications(by, params.id), viewPublications)),
    approvePublication: (sent) =>
      asPersonRequest(sent, (by, request) =>
        Effect.map(approvePublication(by, request, onPublication(sent)), viewPublication)
      ),
    withdrawPublication: (sent) =>
      asPersonRequest(sent, (by, request) =>
        Effect.map(withdrawPublication(by, request, onPublication(sent)), viewPublication)
      )
  })
)

const onPublication = <Payload>({ params: { id, publicationId }, payload }: OnPublication<Payload>) => ({
  projectId: id,
  publicationId,
  ...payload
})

interface OnPublication<Payload> {
  readonly params: { readonly id: string; readonly publicationId: string }
  readonly payload: Payload
}
