/**
 * The page of one command, with its form. The form carries the head that was shown, so that a person never decides on a
 * state that the page did not show.
 */
import { Effect, Layer, Result, Schema } from "effect"
import { wasCommitted } from "../../replay/idempotency.ts"
import { Digest } from "../../vocabulary/ids.ts"
import type { RefusalCode } from "../../vocabulary/refusal-rules.ts"
import { errorBody, refusal, refuse, statusOf, type Refusal } from "../../vocabulary/refusals.ts"
import { emptyForm, form, hidden, type FormState, type Problem } from "../kit/fields.ts"
import { controlsOf, decodeFields, type Controls, type FormFields, type FormValues } from "../kit/form-field.ts"
import type { FormSubmission } from "../kit/form.ts"
import type { Content } from "../kit/html.ts"
import { newRequestId, requestIdField, requestOf, submittedFields, takeRequestId } from "../kit/idempotent-form.ts"
import { page } from "../kit/page.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { submittedValues } from "../kit/submitted-values.ts"
import type { Fields } from "../kit/urlencoded.ts"
import type { Visitor } from "../kit/visitor.ts"
import { respondAfterCommand } from "./after-command.ts"
import { backLink, isShownWithSubject, outdatedPage, refusedPage, unavailablePage, type Acts } from "./outcome-pages.ts"
import {
  isAvailable,
  isOwnAct,
  subjectForm,
  subjectPage,
  subjectPath,
  type ActLabel,
  type HintedModel,
  type PageContext,
  type RequestedCommand,
  type Subject
} from "./subject.ts"

/** What a page reads besides the model. */
interface WithExtra<Extra> {
  readonly extra: Extra
}

/** A submitted form. */
export interface Submission<Model> extends PageContext<Model> {
  readonly requestId: string
  readonly expectedHead: string
}

export interface CommandPageContent {
  readonly before?: Content
  /** Absent where nothing can be chosen, and hence no form is shown. */
  readonly fields?: Content
  /** Overrides the label of the page. */
  readonly submitLabel?: string
}

/** Values that are valid one by one, but not together. */
export interface InvalidForm {
  readonly problems: ReadonlyArray<Problem>
}

export interface CommandPage<Model, Act extends string, Command, F extends FormFields, Extra, R> {
  /** The page is available where one of these acts is; the first one names it. */
  readonly acts: Acts<Act>
  /** The operation in the fingerprint of idempotent requests. */
  readonly operation: string
  /** The name of the act where absent. */
  readonly submitLabel?: string
  /** True for an action that cannot be undone. */
  readonly isDangerous?: boolean
  /** Reads what the page needs besides the model. */
  readonly readExtra?: (context: PageContext<Model>) => Effect.Effect<Extra, Refusal, R>
  readonly fields: (context: PageContext<Model> & WithExtra<Extra>) => F
  /** Arranges the content before the form, and the controls of its fields. */
  readonly show: (context: PageContext<Model> & WithExtra<Extra>, controls: Controls<F>) => CommandPageContent
  readonly command: (context: Submission<Model> & WithExtra<Extra>, values: FormValues<F>) => Command | InvalidForm
  /** The organization that the person acts for, where it has to be chosen. */
  readonly organizationOf?: (values: FormValues<F>, model: Model) => string | undefined
  /** The field at which a refusal is shown, by refusal code. */
  readonly refusedAt?: { readonly [C in RefusalCode]?: NoInfer<keyof F & string> }
}

/** The function that makes the routes of a command's page on this subject. */
export const commandPageOf =
  <Model extends HintedModel, Act extends string, Command extends object, S>(
    subject: Subject<Model, Act, Command, S>
  ) =>
  <F extends FormFields, Extra = undefined, R = never>(page: CommandPage<Model, Act, Command, F, Extra, R>) => {
    const { acts, operation, isDangerous = false, refusedAt = {} } = page
    const label = subject.acts[acts[0]]
    return commandRoutes<Model, Act, Command, S | R>({
      subject,
      acts,
      label,
      operation,
      isDangerous,
      fieldOf: (code) => refusedAt[code],
      show: (context, state) =>
        Effect.map(addExtra(page, context), (context) => ({
          submitLabel: page.submitLabel ?? label.name,
          ...page.show(context, controlsOf(page.fields(context), state))
        })),
      read: Effect.fnUntraced(function* (submission, form) {
        const context = yield* addExtra(page, submission)
        const decoded = yield* decodeFields(page.fields(context), form)
        return Result.flatMap(decoded, (values) => {
          const command = page.command(context, values)
          if ("problems" in command) return Result.fail({ sent: form.fields, problems: command.problems })
          const organizationId = page.organizationOf?.(values, context.model)
          return Result.succeed({ command, ...(organizationId === undefined ? {} : { organizationId }) })
        })
      })
    })
  }

/** A page without further data has none to read. */
const addExtra = <Model, Extra, R, C extends PageContext<Model>>(
  { readExtra }: { readonly readExtra?: (context: PageContext<Model>) => Effect.Effect<Extra, Refusal, R> },
  context: C
): Effect.Effect<C & WithExtra<Extra>, Refusal, R> =>
  Effect.map(readExtra?.(context) ?? Effect.succeed(undefined as Extra), (extra) => ({ ...context, extra }))

/** A command's page, with its form as one function that shows it and one that reads it. */
interface CommandRoutes<Model extends HintedModel, Act extends string, Command, R> {
  readonly subject: Subject<Model, Act, Command, R>
  readonly acts: Acts<Act>
  readonly label: ActLabel
  readonly operation: string
  readonly isDangerous: boolean
  readonly fieldOf: (code: RefusalCode) => string | undefined
  readonly show: (
    context: PageContext<Model>,
    state: FormState
  ) => Effect.Effect<CommandPageContent & { readonly submitLabel: string }, Refusal, R>
  readonly read: (
    submission: Submission<Model>,
    form: FormSubmission
  ) => Effect.Effect<
    Result.Result<Pick<RequestedCommand<Command>, "command" | "organizationId">, FormState>,
    Refusal,
    R
  >
}

const commandRoutes = <Model extends HintedModel, Act extends string, Command, R>(
  routes: CommandRoutes<Model, Act, Command, R>
) => {
  const { subject, acts, label } = routes
  return Layer.merge(
    subjectPage(
      subject,
      `/${label.path}`,
      Effect.fnUntraced(function* (visitor, id) {
        const context = { visitor, model: yield* subject.read(visitor, id) }
        return pageResponse(
          isAvailable(context.model, acts)
            ? yield* openPage(routes, context, { state: emptyForm, requestId: yield* newRequestId })
            : unavailablePage(subject, acts, context)
        )
      })
    ),
    subjectForm(subject, `/${label.path}`, (visitor, id, sent) => submit(routes, visitor, id, sent))
  )
}

interface PageForm {
  readonly state: FormState
  readonly requestId: string
}

const openPage = Effect.fnUntraced(function* <Model extends HintedModel, Act extends string, Command, R>(
  { subject, label, isDangerous, show }: CommandRoutes<Model, Act, Command, R>,
  context: PageContext<Model>,
  { state, requestId }: PageForm
) {
  const { viewer } = context.visitor
  const { before, fields, submitLabel } = yield* show(context, state)
  const { id, head } = subject.versionOf(context.model)
  const action = `${subjectPath(subject, id)}/${label.path}`
  return page(
    {
      title: label.name,
      viewer,
      place: subject.place,
      problems: fields === undefined ? [] : state.problems
    },
    subject.titleOf(context.model),
    before,
    fields === undefined
      ? null
      : form(
          { action, formToken: viewer.formToken, submitLabel, isDangerous },
          requestIdField(requestId),
          hidden(subject.headField, head),
          fields
        ),
    backLink(subject, context.model)
  )
})

const submit = Effect.fnUntraced(function* <Model extends HintedModel, Act extends string, Command, R>(
  routes: CommandRoutes<Model, Act, Command, R>,
  visitor: Visitor,
  id: string,
  sent: FormSubmission
) {
  const { subject, acts, label, operation } = routes
  const { requestId, form } = yield* takeRequestId(sent)
  const { expectedHead, rest } = yield* takeShownHead(subject, form)
  const { fields } = rest
  const context = { visitor, model: yield* subject.read(visitor, id) }
  const request = requestOf(visitor, requestId, operation, { pathIds: [id], values: submittedFields(form) })
  // A replay is answered before any check against the current state.
  if (yield* wasCommitted(request)) return seeOther(subjectPath(subject, id))
  if (!isOwnAct(context.model, acts)) {
    const refused = refusal("FORBIDDEN")
    return pageResponse(refusedPage(subject, context, { label, acts, refused, fields }), statusOf(refused))
  }
  const read = yield* routes.read({ ...context, requestId, expectedHead }, rest)
  if (Result.isFailure(read)) {
    // The values were entered for an older state: the person reads the newest one first.
    if (subject.versionOf(context.model).head !== expectedHead) {
      return pageResponse(outdatedPage(subject, acts, context, { expectedHead, fields }), 409)
    }
    return isAvailable(context.model, acts)
      ? pageResponse(yield* openPage(routes, context, { state: read.failure, requestId }), 400)
      : pageResponse(unavailablePage(subject, acts, context, submittedValues(fields)), 409)
  }
  return yield* subject.run(visitor, request, { id, expectedHead, ...read.success }).pipe(
    Effect.flatMap(({ emailUpdate }) => respondAfterCommand(visitor, subject, { id, emailUpdate })),
    Effect.catchTag("Refusal", (refused) =>
      respondToRefusal(routes, refused, { visitor, id, requestId, expectedHead, fields })
    )
  )
})

interface RefusedSubmission extends Omit<Submission<unknown>, "model"> {
  readonly id: string
  readonly fields: Fields
}

/** The subject is read again: the refusal may depend on a state that the form did not show. */
const respondToRefusal = Effect.fnUntraced(function* <Model extends HintedModel, Act extends string, Command, R>(
  routes: CommandRoutes<Model, Act, Command, R>,
  refused: Refusal,
  { visitor, id, requestId, expectedHead, fields }: RefusedSubmission
) {
  const { subject, acts, label, fieldOf } = routes
  const field = fieldOf(refused.code)
  if (!isShownWithSubject(refused) && field === undefined) return yield* Effect.fail(refused)
  const context = { visitor, model: yield* subject.read(visitor, id) }
  const state = { sent: fields, problems: field === undefined ? [] : [{ field, message: fieldMessage(refused) }] }
  return pageResponse(
    refused.code === subject.staleCode
      ? outdatedPage(subject, acts, context, { expectedHead, fields })
      : field === undefined
        ? refusedPage(subject, context, { label, acts, refused, fields })
        : yield* openPage(routes, context, { state, requestId }),
    statusOf(refused)
  )
})

/** The message at the field: the issue where the refusal has one, else its detail. */
const fieldMessage = (refused: Refusal): string => {
  const { detail, issues: [issue] = [] } = errorBody(refused)
  return issue === undefined ? detail : `This ${issue.message}.`
}

export const isHead = Schema.is(Digest)

/** Extracts the shown head; a form without it was not rendered by this service. */
const takeShownHead = (
  { headField, hiddenFields }: Pick<Subject<HintedModel, string, unknown, unknown>, "headField" | "hiddenFields">,
  form: FormSubmission
) => {
  const { [headField]: expectedHead, ...fields } = form.fields
  const isOurs = hiddenFields.every((name) => fields[name] === undefined || typeof fields[name] === "string")
  return isOurs && isHead(expectedHead)
    ? Effect.succeed({ expectedHead, rest: { ...form, fields } })
    : refuse("INVALID_REQUEST", { detail: "The form was not sent as its page shows it." })
}
