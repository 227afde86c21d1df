/** The page of a subject itself, which reports a failed e-mail once. */
import { Effect } from "effect"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { clearFailedEmail, hasFailedEmail } from "../kit/email-failed-notice.ts"
import { pageResponse } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"
import { subjectPage, type HintedModel, type Subject } from "./subject.ts"

export const detailPage = <Model extends HintedModel, Act extends string, Command, S, R>(
  subject: Subject<Model, Act, Command, S>,
  show: (visitor: Visitor, id: string, hasEmailFailed: boolean) => Effect.Effect<string, Refusal, R>
) =>
  subjectPage(
    subject,
    "",
    Effect.fnUntraced(function* (visitor, id) {
      const hasEmailFailed = yield* hasFailedEmail(visitor, id)
      const shown = pageResponse(yield* show(visitor, id, hasEmailFailed))
      return hasEmailFailed ? clearFailedEmail(shown) : shown
    })
  )
