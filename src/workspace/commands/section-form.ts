/** A form on a subject's own page, such as the one that pauses its agents. */
import { Effect, Result } from "effect"
import { refuse, type Refusal } from "../../vocabulary/refusals.ts"
import { answerAt, type FormAnswer } from "../kit/acknowledgement.ts"
import type { FormState } from "../kit/fields.ts"
import { decodeFields, enteredTexts, type FormFields, type FormValues } from "../kit/form-field.ts"
import type { FormSubmission } from "../kit/form.ts"
import { takeRequestId, type PageForm } from "../kit/idempotent-form.ts"
import { pageResponse } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"
import { isShownWithSubject, refusedPage } from "./outcome-pages.ts"
import { subjectForm, subjectPath, type Routed, type Subject } from "./subject.ts"

interface SectionSubmission<Values> {
  readonly visitor: Visitor
  readonly id: string
  readonly requestId: string
  readonly values: Values
}

type Decoded<F extends FormFields> = Result.Result<FormValues<F>, FormState>

export interface SectionForm<F extends FormFields, R1, R2> {
  readonly path: `/${string}`
  /** Names the action where it is refused. */
  readonly name: string
  readonly fields: F
  /** Further checks of the values. */
  readonly check?: (decoded: Decoded<F>, form: FormSubmission) => Effect.Effect<Decoded<F>>
  /** The subject's page, with the problems of the form; absent where the form has no fields. */
  readonly showAgain?: (visitor: Visitor, id: string, failed: PageForm) => Effect.Effect<string, Refusal, R1>
  /** Answers with a page, or with what it did, which the subject's page then says. */
  readonly run: (submission: SectionSubmission<FormValues<F>>) => Effect.Effect<FormAnswer, Refusal, R2>
}

export type SectionSubject<R> = Routed<R> & Pick<Subject<unknown, never, never, R>, "open">

/** A refusal is shown together with the subject; refusals that do not concern the subject are passed on. */
export const sectionForm = <F extends FormFields, S, R2, R1 = never>(
  subject: SectionSubject<S>,
  { path, name, fields, check = Effect.succeed, showAgain, run }: SectionForm<F, R1, R2>
) =>
  subjectForm(
    subject,
    path,
    function* (visitor, id, sent) {
      const { requestId, form } = yield* takeRequestId(sent)
      const decoded = yield* check(yield* decodeFields(fields, form), form)
      if (Result.isFailure(decoded)) {
        if (showAgain === undefined) return yield* refuse("INVALID_REQUEST")
        return pageResponse(yield* showAgain(visitor, id, { state: decoded.failure, requestId }), 400)
      }
      return yield* run({ visitor, id, requestId, values: decoded.success }).pipe(
        Effect.flatMap(answerAt(visitor, subjectPath(subject, id))),
        Effect.catchTag("Refusal", (refused) =>
          isShownWithSubject(refused)
            ? Effect.map(subject.open(visitor, id), (context) =>
                refusedPage(context, { label: { name }, acts: [], refused, entered: enteredTexts(fields, form.fields) })
              )
            : Effect.fail(refused)
        )
      )
    },
    "subject"
  )
