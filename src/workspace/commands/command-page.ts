/**
 * The page of one command, with its form. The form carries the head that was shown, so that a person never decides on a
 * state that the page did not show.
 */
import { Effect, Layer, Result, Schema } from "effect"
import { wasCommitted } from "../../replay/idempotency.ts"
import { Digest } from "../../vocabulary/ids.ts"
import type { RefusalCode } from "../../vocabulary/refusal-rules.ts"
import { errorBody, refusal, refuse, type Refusal } from "../../vocabulary/refusals.ts"
import { form, hidden, type Problem } from "../kit/fields.ts"
import {
  controlsOf,
  decodeFields,
  enteredTexts,
  type Controls,
  type FormFields,
  type FormValues
} from "../kit/form-field.ts"
import { foreignFormDetail, type FormSubmission } from "../kit/form.ts"
import type { Content } from "../kit/html.ts"
import {
  requestIdField,
  requestOf,
  submittedFields,
  takeRequestId,
  newForm,
  type PageForm
} from "../kit/idempotent-form.ts"
import { page, type Acknowledgement } from "../kit/page.ts"
import { pageResponse, refusedResponse, seeOther } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"
import {
  backLink,
  isShownWithSubject,
  labelOf,
  outdatedPage,
  refusedPage,
  respondAfterCommand,
  unavailablePage,
  type Acts
} from "./outcome-pages.ts"
import {
  isAvailable,
  isOwnAct,
  subjectForm,
  subjectPage,
  subjectPath,
  type PageContext,
  type Subject
} from "./subject.ts"

/** The context of a command's page, with what the page reads besides the model. */
interface CommandContext<Model, Extra> extends PageContext<Model> {
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
  /** Without `extra`, only the labels of the fields are used. */
  readonly fields: (context: CommandContext<Model, Extra | undefined>) => F
  /** Arranges the content before the form, and the controls of its fields. */
  readonly show: (context: CommandContext<Model, Extra>, controls: Controls<F>) => CommandPageContent
  readonly command: (
    submission: Submission<Model> & CommandContext<Model, Extra>,
    values: FormValues<F>
  ) => Command | InvalidForm
  /** The organization that the person acts for, where it has to be chosen. */
  readonly organizationOf?: (values: FormValues<F>, model: Model) => string | undefined
  /** What the person reads once it has happened. */
  readonly acknowledgement: Acknowledgement | ((values: FormValues<F>) => Acknowledgement)
  /** The field at which a refusal is shown, by refusal code. */
  readonly refusedAt?: { readonly [C in RefusalCode]?: NoInfer<keyof F & string> }
}

/** Makes the GET and POST routes of the pages of a subject's commands. */
export const commandPageOf =
  <Model, Act extends string, Command extends object, S>(subject: Subject<Model, Act, Command, S>) =>
  <F extends FormFields, Extra = undefined, R = never>(row: CommandPage<Model, Act, Command, F, Extra, R>) => {
    const { acts, operation, refusedAt = {} } = row
    const label = labelOf(subject, acts)
    const { open, read } = formOf(subject, row)

    const submit = Effect.fnUntraced(function* (visitor: Visitor, id: string, sent: FormSubmission) {
      const { requestId, form } = yield* takeRequestId(sent)
      const { expectedHead, rest } = yield* takeShownHead(subject, form)
      const { fields } = rest
      const context = yield* subject.open(visitor, id)
      const request = requestOf(visitor, requestId, operation, { pathIds: [id], values: submittedFields(form) })
      // A replay is answered before any check against the current state.
      if (yield* wasCommitted(request)) return seeOther(subjectPath(subject, id))
      const entered = enteredTexts(row.fields({ ...context, extra: undefined }), fields)
      if (!isOwnAct(context.view, acts)) {
        return refusedPage(context, { label, acts, refused: refusal("FORBIDDEN"), entered })
      }
      const decision = yield* read({ ...context, requestId, expectedHead }, rest)
      if (Result.isFailure(decision)) {
        // The values were entered for an older state: the person reads the newest one first.
        if (context.view.head !== expectedHead) {
          return pageResponse(outdatedPage(context, acts, expectedHead, entered), 409)
        }
        return isAvailable(context.view, acts)
          ? pageResponse(yield* open(context, { state: decision.failure, requestId }), 400)
          : pageResponse(unavailablePage(context, acts, entered), 409)
      }
      const { acknowledgement, ...requested } = decision.success
      return yield* subject.run(visitor, request, { id, expectedHead, ...requested }).pipe(
        Effect.flatMap(({ emailUpdate }) =>
          respondAfterCommand(visitor, subject.place, { id, emailUpdate }, acknowledgement)
        ),
        Effect.catchTag(
          "Refusal",
          Effect.fnUntraced(function* (refused) {
            const field = refusedAt[refused.code]
            if (!isShownWithSubject(refused) && field === undefined) return yield* Effect.fail(refused)
            // The subject is read again: the refusal may depend on a state that the form did not show.
            const current = yield* subject.open(visitor, id)
            if (refused.code === subject.staleCode) {
              return refusedResponse(outdatedPage(current, acts, expectedHead, entered), refused)
            }
            if (field === undefined) return refusedPage(current, { label, acts, refused, entered })
            const state = { sent: fields, problems: [{ field, message: fieldMessage(refused) }] }
            return refusedResponse(yield* open(current, { state, requestId }), refused)
          })
        )
      )
    })

    const show = Effect.fnUntraced(function* (visitor: Visitor, id: string) {
      const context = yield* subject.open(visitor, id)
      if (!isAvailable(context.view, acts)) return unavailablePage(context, acts)
      return yield* open(context, yield* newForm)
    })

    return Layer.merge(subjectPage(subject, `/${label.path}`, show), subjectForm(subject, `/${label.path}`, submit))
  }

/** Opens the page of a form, and reads its decision. */
const formOf = <Model, Act extends string, Command extends object, S, F extends FormFields, Extra, R>(
  subject: Subject<Model, Act, Command, S>,
  row: CommandPage<Model, Act, Command, F, Extra, R>
) => {
  const { name, path } = labelOf(subject, row.acts)
  const { acknowledgement } = row
  /** A page without further data has none to read. */
  const addExtra = <C extends PageContext<Model>>(context: C) =>
    Effect.map(row.readExtra?.(context) ?? Effect.succeed(undefined as Extra), (extra) => ({ ...context, extra }))
  const open = Effect.fnUntraced(function* (shown: PageContext<Model>, { state, requestId }: PageForm) {
    const context = yield* addExtra(shown)
    const { view, visitor } = context
    const { viewer } = visitor
    const { before, fields, ...labels } = row.show(context, controlsOf(row.fields(context), state))
    const options = {
      action: `${subjectPath(view, view.id)}/${path}`,
      formToken: viewer.formToken,
      submitLabel: labels.submitLabel ?? row.submitLabel ?? name,
      isDangerous: row.isDangerous === true
    }
    return page(
      { title: name, viewer, place: view.place, problems: fields === undefined ? [] : state.problems },
      view.title(),
      before,
      fields === undefined
        ? null
        : form(options, requestIdField(requestId), hidden(subject.headField, view.head), fields),
      backLink(view)
    )
  })
  const read = Effect.fnUntraced(function* (submitted: Submission<Model>, form: FormSubmission) {
    const submission = yield* addExtra(submitted)
    const decoded = yield* decodeFields(row.fields(submission), form)
    return Result.flatMap(decoded, (values) => {
      const command = row.command(submission, values)
      if ("problems" in command) return Result.fail({ sent: form.fields, problems: command.problems })
      const organizationId = row.organizationOf?.(values, submission.model)
      return Result.succeed({
        command,
        acknowledgement: typeof acknowledgement === "function" ? acknowledgement(values) : acknowledgement,
        ...(organizationId === undefined ? {} : { organizationId })
      })
    })
  })
  return { open, read }
}

/** The message at the field: the issue where the refusal has one, else its detail. */
const fieldMessage = (refused: Refusal): string => {
  const { detail, issues: [issue] = [] } = errorBody(refused)
  return issue === undefined ? detail : `This ${issue.message}.`
}

export const isHead = Schema.is(Digest)

/** Extracts the shown head; a form without it was not rendered by this service. */
const takeShownHead = (
  { headField, hiddenFields }: Pick<Subject<never, never, never, never>, "headField" | "hiddenFields">,
  form: FormSubmission
) => {
  const { [headField]: expectedHead, ...fields } = form.fields
  const isOurs = hiddenFields.every((name) => fields[name] === undefined || typeof fields[name] === "string")
  return isOurs && isHead(expectedHead)
    ? Effect.succeed({ expectedHead, rest: { ...form, fields } })
    : refuse("INVALID_REQUEST", { detail: foreignFormDetail })
}
