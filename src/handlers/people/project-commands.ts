/** Decode, call, answer. */
import { HttpApiBuilder } from "effect/http-api"
import { asPersonRequest } from "../../people/request.ts"
import { WorkspaceApi } from "../../api/people.ts"
import { answerProject, type CommandRequest } from "../../projects/answer.ts"
import { changeRepresentative } from "../../projects/commands/change-representative.ts"
import { concern, resolveConcern, withdrawConfirmation } from "../../projects/commands/concern.ts"
import { dateRevision } from "../../projects/commands/date-revision.ts"
import { issueRecord } from "../../projects/commands/issue-record.ts"
import { liftHold } from "../../projects/commands/lift-hold.ts"
import { respond } from "../../projects/commands/respond.ts"
import { review } from "../../projects/commands/review.ts"
import { revise } from "../../projects/commands/revise.ts"
import { sign } from "../../projects/commands/sign.ts"
import { submit } from "../../projects/commands/submit.ts"
import type { Command, CommandKind } from "../../projects/decide.ts"
import { createProjectAsPerson, runCommandAsPerson } from "../../projects/person-operations.ts"
import { neverRefused } from "../../vocabulary/refusals.ts"

export const projectCommandHandlers = HttpApiBuilder.group(WorkspaceApi, "projectCommands", (handlers) =>
  handlers.handleAll({
    createOwnProject: (sent) =>
      asPersonRequest(sent, (by, request) =>
        // Terms within the limit of a request body leave room for the first event.
        createProjectAsPerson(by, request, sent.payload).pipe(neverRefused("DELIVERY_HISTORY_LIMIT_REACHED"))
      ),
    reviseProject: ({ payload: { input, ...envelope }, ...sent }) => {
      const terms = { requestId: input.requestId, ...input.terms }
      return commit({ ...sent, payload: { ...envelope, input: { ...input, terms } } }, revise)
    },
    respondAsPerson: run(respond),
    signAgreement: run(sign),
    submitAsPerson: run(submit),
    reviewAsPerson: run(review),
    requestDateChange: run(dateRevision),
    liftHold: run(liftHold),
    raiseConcern: run(concern),
    resolveConcern: run(resolveConcern),
    withdrawConfirmation: run(withdrawConfirmation),
    issueRecordAsPerson: run(issueRecord),
    changeRepresentative: run(changeRepresentative)
  })
)

const run =
  <K extends CommandKind>(command: { readonly kind: K }) =>
  (sent: CommandRequest<PersonEnvelope, Command<K>["input"]>) =>
    answerProject(commit(sent, command), sent.query)

const commit = <K extends CommandKind>(sent: DecodedCommand<Command<K>["input"]>, { kind }: { readonly kind: K }) => {
  const { input, ...envelope } = sent.payload
  const command = { kind, input } as Command<K>
  return asPersonRequest(sent, (by, request) =>
    runCommandAsPerson(by, request, { projectId: sent.params.id, ...envelope, command })
  )
}

type DecodedCommand<Input> = Omit<CommandRequest<PersonEnvelope, Input>, "query">

interface PersonEnvelope {
  readonly expectedEventHash: string
  readonly organizationId?: string
}
