/** Decode, call, answer. */
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/agents.ts"
import { asAgent, asAgentRequest } from "../../access/request.ts"
import { answerProject, type CommandRequest } from "../../projects/answer.ts"
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
    createProject: (sent) => asAgentRequest(sent, (request) => createProject(request, sent.payload)),
    readProject: ({ params, query }) => answerProject(asAgent(readProject(params.id)), query),
    respond: run(respond),
    submit: run(submit),
    review: run(review),
    dateRevision: run(dateRevision),
    concern: run(concern),
    handoff: run(handoff),
    issueRecord: run(issueRecord)
  })
)

const run =
  <K extends CommandKind>({ kind }: { readonly kind: K }) =>
  (sent: CommandRequest<Envelope, Command<K>["input"]>) => {
    const { input, ...envelope } = sent.payload
    const command = { kind, input } as Command<K>
    return answerProject(
      asAgentRequest(sent, (request) => runCommand(request, sent.params.id, envelope, command)),
      sent.query
    )
  }

export const acceptanceHandlers = HttpApiBuilder.group(Api, "acceptance", (handlers) =>
  handlers.handleAll({
    legalConfig: () => legalConfig,
    confirmationPreview: ({ payload }) => previewConfirmation(payload.legalContext.documents)
  })
)
