/** The response after a successful command: a redirect to the project. */
import { Effect } from "effect"
import { rememberFailedEmail } from "../kit/email-failed-notice.ts"
import { seeOther } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"

interface CommandOutcome {
  readonly project: { readonly taskId: string }
  readonly emailUpdate?: "FAILED" | "DISABLED"
}

/** A failed e-mail to the other party does not fail the command; the project's page reports it. */
export const respondAfterCommand = (visitor: Visitor, { project: { taskId }, emailUpdate }: CommandOutcome) => {
  const response = seeOther(`/workspace/projects/${taskId}`)
  return emailUpdate === "FAILED" ? rememberFailedEmail(response, visitor, taskId) : Effect.succeed(response)
}
