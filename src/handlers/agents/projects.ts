/** Decode, call, answer. */
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/agents.ts"
import { asAgent, asAgentRequest } from "../../access/request.ts"
import { concern } from "../../projects/commands/concern.ts"
import { dateRevision } from "../../projects/commands/date-revision.ts"
import { handoff } from "../../projects/commands/handoff.ts"
import { issueRecord } from "../../projects/commands/issue-record.ts"
import { respond } from "../../projects/commands/respond.ts"
import { review } from "../../projects/commands/review.ts"
import { submit } from "../../projects/commands/submit.ts"
import type { Command, CommandKind } from "../../projects/decide.ts"
import { legalConfig, previewConfirmation } from "../../projects/legal.ts"
import { createProject, readProject, runCommand, type Envelope } from "../../projects/operations.ts"

export const projectHandlers = HttpApiBuilder.group(Api, "projects", (handlers) =>
  handlers.handleAll({
    createProject: ({ payload }) =>
      asAgentRequest({ operation: "createProject", requestId: payload.requestId }, (request) =>
        createProject(request, payload)
      ),
    readProject: ({ params }) => asAgent(readProject(params.id)),
    respond: ({ params, payload }) => run("respond", params.id, payload, respond),
    submit: ({ params, payload }) => run("submit", params.id, payload, submit),
    review: ({ params, payload }) => run("review", params.id, payload, review),
    dateRevision: ({ params, payload }) => run("dateRevision", params.id, payload, dateRevision),
    concern: ({ params, payload }) => run("concern", params.id, payload, concern),
    handoff: ({ params, payload }) => run("handoff", params.id, payload, handoff),
    issueRecord: ({ params, payload }) => run("issueRecord", params.id, payload, issueRecord)
  })
)

const run = <K extends CommandKind>(
  operation: string,
  projectId: string,
  { input, ...envelope }: Envelope & { readonly input: Command<K>["input"] },
  { kind }: { readonly kind: K }
) =>
  asAgentRequest({ operation, pathIds: [projectId], requestId: input.requestId }, (request) =>
    runCommand(request, projectId, envelope, { kind, input } as Command<K>)
  )

export const acceptanceHandlers = HttpApiBuilder.group(Api, "acceptance", (handlers) =>
  handlers.handleAll({
    legalConfig: () => legalConfig,
    confirmationPreview: ({ payload }) => previewConfirmation(payload.legalContext.documents)
  })
)
