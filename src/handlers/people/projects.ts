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
    pauseProject: ({ params: { id }, payload: { requestId, reason } }) =>
      asPersonRequest({ operation: "pauseProject", pathIds: [id], requestId }, (by, request) =>
        Effect.map(pauseProject(by, request, { projectId: id, reason }), viewChange)
      ),
    resumeProject: ({ params: { id }, payload: { requestId, reason } }) =>
      asPersonRequest({ operation: "resumeProject", pathIds: [id], requestId }, (by, request) =>
        Effect.map(resumeProject(by, request, { projectId: id, reason }), viewChange)
      ),
    inviteRepresentative: ({ params: { id }, payload: { requestId } }) =>
      asPersonRequest({ operation: "inviteRepresentative", pathIds: [id], requestId }, (by, request) =>
        inviteRepresentative(by, request, { projectId: id })
      ),
    acceptRepresentation: ({ payload: { requestId, ...acceptance } }) =>
      asPersonRequest({ operation: "acceptRepresentation", requestId }, (by, request) =>
        acceptRepresentation(by, request, acceptance)
      )
  })
)
