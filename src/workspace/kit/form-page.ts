/**
 * Forms of signed-in persons. A submission is decoded and run; where its values or its command are refused at a field,
 * the page of the form is shown again with the problem there.
 */
import { Effect, Layer, Result } from "effect"
import type { RefusalCode } from "../../vocabulary/refusal-rules.ts"
import { errorBody, refuse, type Refusal } from "../../vocabulary/refusals.ts"
import { answerAt, type FormAnswer } from "./acknowledgement.ts"
import { emptyForm, type FormState, type Problem } from "./fields.ts"
import type { FormSubmission } from "./form.ts"
import { newRequestId, takeRequestId } from "./idempotent-form.ts"
import { pageResponse, refusedResponse } from "./response.ts"
import { pathOfRequest, signedInForm, signedInPage, type FormAddress } from "./signed-in.ts"
import type { Visitor } from "./visitor.ts"

/** The field at which a refusal is shown with its own detail, or the whole problem. */
export type RefusedAt = { readonly [C in RefusalCode]?: string | Problem | ((refused: Refusal) => Problem) }

interface Submitted<Subject, Values> {
  readonly visitor: Visitor
  readonly subject: Subject
  readonly values: Values
  /** The form as it was sent, without its request id. */
  readonly form: FormSubmission
}

/** A form: `read` is called first, then `decode`, then `run`; `show` renders its page. */
export interface FormPage<Subject, Values, Id, R1, R2, R3, R4> {
  /** What the form is about, as its path names it; refused before the submission is decoded. */
  readonly read: (visitor: Visitor) => Effect.Effect<Subject, Refusal, R1>
  readonly decode: (
    form: FormSubmission,
    subject: Subject,
    visitor: Visitor
  ) => Effect.Effect<Result.Result<Values, FormState>, Refusal, R2>
  /** The HTML of the page with the form. Without it, values that cannot be decoded are refused. */
  readonly show?: (
    visitor: Visitor,
    subject: Subject,
    form: Id & { readonly state: FormState }
  ) => Effect.Effect<string, Refusal, R3>
  /** Answers with a page, or with what it did, which the page of the form then says. */
  readonly run: (submitted: Id & Submitted<Subject, Values>) => Effect.Effect<FormAnswer, Refusal, R4>
  /** True where the form sends a file. */
  readonly hasFile?: boolean
  /** The refusals of `run` that the person corrects in a field of the form. */
  readonly refusedAt?: RefusedAt
}

/** A form of its own page, or of the page at `shownAt`, which then has its own GET route. */
export const formPage = <Subject, Values, R1, R2, R4, R3 = never>(
  address: `/workspace/${string}` | FormAddress,
  form: FormPage<Subject, Values, unknown, R1, R2, R3, R4>
) => formRoutes(address, form, { begin: Effect.succeed({}), take: (sent) => Effect.succeed([sent, {}] as const) })

/** The same for a form with a request id: submitting it twice has one effect and one answer. */
export const idempotentFormPage = <Subject, Values, R1, R2, R4, R3 = never>(
  address: `/workspace/${string}` | FormAddress,
  form: FormPage<Subject, Values, { readonly requestId: string }, R1, R2, R3, R4>
) =>
  formRoutes(address, form, {
    begin: Effect.map(newRequestId, (requestId) => ({ requestId })),
    take: (sent) => Effect.map(takeRequestId(sent), ({ requestId, form }) => [form, { requestId }] as const)
  })

/** The request id of a form: a new one where its page is opened, then that of the submission. */
interface FormIdentity<Id, R> {
  readonly begin: Effect.Effect<Id, never, R>
  readonly take: (sent: FormSubmission) => Effect.Effect<readonly [form: FormSubmission, id: Id], Refusal>
}

const formRoutes = <Subject, Values, Id, R1, R2, R3, R4, R5>(
  address: `/workspace/${string}` | FormAddress,
  { read, decode, show, run, hasFile = false, refusedAt = {} }: FormPage<Subject, Values, Id, R1, R2, R3, R4>,
  { begin, take }: FormIdentity<Id, R5>
) => {
  const answer = (visitor: Visitor, sent: FormSubmission) =>
    Effect.gen(function* () {
      const subject = yield* read(visitor)
      const [form, id] = yield* take(sent)
      const decoded = yield* decode(form, subject, visitor)
      if (Result.isFailure(decoded)) {
        if (show === undefined) return yield* refuse("INVALID_REQUEST")
        return pageResponse(yield* show(visitor, subject, { ...id, state: decoded.failure }), 400)
      }
      const shownAt = yield* pathOfRequest(typeof address === "string" ? address : address.shownAt)
      return yield* run({ ...id, visitor, subject, form, values: decoded.success }).pipe(
        Effect.flatMap(answerAt(visitor, shownAt)),
        Effect.catchTag("Refusal", (refused) => {
          const problem = problemOf(refused, refusedAt)
          if (show === undefined || problem === undefined) return Effect.fail(refused)
          const state = { sent: form.fields, problems: [problem] }
          return Effect.map(show(visitor, subject, { ...id, state }), (html) => refusedResponse(html, refused))
        })
      )
    })
  const submit = signedInForm(address, answer, { hasFile })
  if (show === undefined || typeof address !== "string") return submit
  const open = signedInPage(address, function* (visitor) {
    const subject = yield* read(visitor)
    return yield* show(visitor, subject, { ...(yield* begin), state: emptyForm })
  })
  return Layer.merge(open, submit)
}

const problemOf = (refused: Refusal, refusedAt: RefusedAt): Problem | undefined => {
  const at = refusedAt[refused.code]
  if (typeof at === "string") return { field: at, message: errorBody(refused).detail }
  return typeof at === "function" ? at(refused) : at
}
