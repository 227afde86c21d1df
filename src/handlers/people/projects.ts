/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asPerson, asPersonRequest } from "../../people/request.ts"
import { WorkspaceApi } from "../../api/people.ts"
import { answerProject } from "../../projects/answer.ts"
import { pauseProject, resumeProject } from "../../projects/automation.ts"
import { viewChange, viewOwnProject } from "../../projects/person-view.ts"
import { acceptRepresentation, inviteRepresentative } from "../../projects/representative.ts"
import { readProjectAsPerson } from "../../projects/person-operations.ts"
import { listPartyProjects } from "../../projects/party-projects.ts"
import { limits } from "../../vocabulary/limits.ts"

export const ownProjectHandlers = HttpApiBuilder.group(WorkspaceApi, "ownProjects", (handlers) =>
  handlers.handleAll({
    listProjects: ({ query: { after, limit = limits.projectsListed } }) =>
      asPerson((by) =>
        Effect.map(listPartyProjects(by, { after, limit: Number(limit) }), ({ projects, next }) => ({
          projects: projects.map(viewOwnProject),
          next
        }))
      ),
    readOwnProject: ({ params, query }) =>
      answerProject(
        asPerson((by) => readProjectAsPerson(by, params.id)),
        query
      ),
    pauseProject: (sent) =>
      asPersonRequest(sent, (by, request) => Effect.map(pauseProject(by, request, reasonOf(sent)), viewChange)),
    resumeProject: (sent) =>
      asPersonRequest(sent, (by, request) => Effect.map(resumeProject(by, request, reasonOf(sent)), viewChange)),
    inviteRepresentative: (sent) =>
      asPersonRequest(sent, (by, request) => inviteRepresentative(by, request, { projectId: sent.params.id })),
    acceptRepresentation: (sent) =>
      asPersonRequest(sent, (by, request) => acceptRepresentation(by, request, sent.payload))
  })
)

const reasonOf = ({ params, payload }: ReasonRequest) => ({ projectId: params.id, reason: payload.reason })

interface ReasonRequest {
  readonly params: { readonly id: string }
  readonly payload: { readonly reason: string }
}
