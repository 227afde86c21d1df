/** The response after a successful command: a redirect to its subject. */
import { Effect } from "effect"
import { rememberFailedEmail } from "../kit/email-failed-notice.ts"
import { seeOther } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"
import { subjectPath, type EmailUpdate, type SubjectPages, type HintedModel } from "./subject.ts"

/** A failed e-mail to the other party does not fail the command; the subject's page reports it. */
export const respondAfterCommand = (
  visitor: Visitor,
  subject: Pick<SubjectPages<HintedModel, string>, "place">,
  { id, emailUpdate }: { readonly id: string; readonly emailUpdate?: EmailUpdate }
) => {
  const response = seeOther(subjectPath(subject, id))
  return emailUpdate === "FAILED" ? rememberFailedEmail(response, visitor, id) : Effect.succeed(response)
}
