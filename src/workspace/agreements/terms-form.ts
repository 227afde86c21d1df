/**
 * The form and the preview of terms, for agreements and proposals. A revision and a version have one form, whose values are
 * carried in the preview; a draft has a step for some of its sections, and its preview shows what is saved.
 */
import { Effect, Result } from "effect"
import { h } from "preact"
import { digestOf } from "../../canonical/digest.ts"
import { now as currentTime } from "../../vocabulary/instant.ts"
import { refuse, statusOf, type Refusal } from "../../vocabulary/refusals.ts"
import { form, hidden, type FormState, type Problem } from "../kit/fields.ts"
import { foreignFormDetail, type FormSubmission } from "../kit/form.ts"
import type { Content } from "../kit/html.ts"
import type { Place } from "../kit/navigation.ts"
import { page } from "../kit/page.ts"
import { notice, paragraph, section } from "../kit/parts.ts"
import { newRequestId, requestIdField, type FormWithRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, refusedResponse } from "../kit/response.ts"
import type { Fields } from "../kit/urlencoded.ts"
import type { Visitor } from "../kit/visitor.ts"
import type { TermsChoices } from "./choices.ts"
import { buttonName } from "./form.ts"
import type { FormSection } from "./fields.ts"
import { addRow } from "./rows.ts"
import { pastDateProblems, type TermsInput } from "./values.ts"

export const editButton = "EDIT"

/** The hidden field of a preview with the digest of what it shows. */
export const previewDigestName = "shownDigest"

/** The decoded form; its members are bound to the preview. */
export interface EnteredTerms {
  readonly terms: TermsInput
}

/** What a page states of its terms. */
export interface TermsPage {
  readonly visitor: Visitor
  /** The path of the page and of its form. */
  readonly path: `/workspace/${string}`
  readonly title: string
  readonly choices: TermsChoices
  /** Hidden fields besides the terms. */
  readonly carried: Readonly<Record<string, string>>
  /** The content before the form. */
  readonly before: Content
  /** The content before the preview, such as the list of a draft's steps. */
  readonly beforePreview?: Content
  /** Terms that are not in the form, such as the specification. */
  readonly pinned?: Pick<TermsInput, "specification">
  /** The description of the effect. */
  readonly effect: Content
  readonly commitLabel: string
}

/** What differs between the pages of agreements and proposals. */
export interface TermsForm<Entered extends EnteredTerms, R> extends TermsPage {
  readonly place: Place
  readonly fields: (state: FormState, sections?: ReadonlyArray<FormSection>) => Content
  readonly decode: (sent: FormSubmission) => Effect.Effect<Result.Result<Entered, FormState>, Refusal, R>
  readonly preview: (entered: Entered) => Effect.Effect<PreviewContent, Refusal, R>
  /** The hidden fields of the preview, besides the digest of what it shows. */
  readonly confirmationNames: ReadonlyArray<string>
  readonly refusalText: (refused: Refusal) => Content
  /** The notice where the form was used before. */
  readonly usedNotice: Content
  /** The field at which a refusal is corrected. */
  readonly problemOf: (refused: Refusal, entered: Entered, fields: Fields) => Problem | undefined
}

/** The content of a preview around the description of its effect. */
export interface PreviewContent {
  readonly before: Content
  readonly after: Content
  readonly confirmation: Readonly<Record<string, string>>
}

export const showForm = <Entered extends EnteredTerms, R>(
  { visitor, place, path, title, carried, before, fields }: TermsForm<Entered, R>,
  state: FormState,
  requestId: string,
  message: Content = null
): string =>
  page(
    { title, viewer: visitor.viewer, place, problems: state.problems },
    message,
    before,
    form(
      { action: path, formToken: visitor.viewer.formToken, submitLabel: "Continue to the preview" },
      requestIdField(requestId),
      hiddenFields(carried),
      fields(state)
    )
  )

interface Preview<Entered> {
  readonly entered: Entered
  /** The submitted form. */
  readonly fields: Fields
  /** True where the form is carried in hidden fields, and not in a saved draft. */
  readonly isCarried: boolean
  readonly requestId: string
  /** A message at the top, where the preview is shown again. */
  readonly notice?: Content
}

export const showPreview = Effect.fnUntraced(function* <Entered extends EnteredTerms, R>(
  writing: TermsForm<Entered, R>,
  { entered, fields, isCarried, requestId, notice }: Preview<Entered>
) {
  const { visitor, place, path, title, carried, beforePreview, effect, commitLabel } = writing
  const { before, after, confirmation } = yield* writing.preview(entered)
  return page(
    { title: `${title}: preview`, viewer: visitor.viewer, place },
    notice,
    beforePreview,
    before,
    section("What happens", effect),
    after,
    form(
      { action: path, formToken: visitor.viewer.formToken, submitLabel: commitLabel },
      requestIdField(requestId),
      hiddenFields({ ...(isCarried ? fields : {}), ...carried }),
      hiddenFields({ ...confirmation, [previewDigestName]: shownDigest(writing, entered) }),
      // Implicit submission presses the first button, which must not commit.
      isCarried
        ? h(
            "p",
            null,
            h("button", { type: "submit", class: "quiet", name: buttonName, value: editButton }, "Change something")
          )
        : null
    )
  )
})

export const hiddenFields = (fields: Fields): Content =>
  Object.entries(fields).map(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((one) => hidden(name, one))
  )

/** Binds the commit to what was shown, and to the organization or state it was shown for. */
const shownDigest = ({ carried }: TermsPage, entered: EnteredTerms): string => digestOf({ carried, ...entered })

/**
 * Handles the form at either step; `commit` has the effect and returns the redirect. `confirmation` are the hidden fields
 * of the preview.
 */
export const handleTermsStep = <Entered extends EnteredTerms, R, A, R2>(
  writing: TermsForm<Entered, R>,
  { requestId, form: sent }: FormWithRequestId,
  commit: (entered: Entered, confirmation: Readonly<Record<string, string>>) => Effect.Effect<A, Refusal, R2>
) =>
  Effect.gen(function* () {
    const { [buttonName]: step, ...rest } = sent.fields
    const names = [...writing.confirmationNames, previewDigestName]
    const [fields, confirmation] = [withoutFields(rest, names), onlyTexts(rest, names)]
    const formWith = (state: FormState) => showForm(writing, state, requestId)
    const again = (state: FormState, status = 200) => pageResponse(formWith(state), status)
    if (step !== undefined) return again({ sent: yield* fieldsAt(step, fields), problems: [] })
    const decoded = yield* writing.decode({ ...sent, fields })
    if (Result.isFailure(decoded)) return again(decoded.failure, 400)
    const entered = { ...decoded.success, terms: { ...decoded.success.terms, ...writing.pinned } }
    if (names.every((name) => rest[name] === undefined)) {
      const problems = pastDateProblems(entered.terms, yield* currentTime)
      return problems.length > 0
        ? again({ sent: fields, problems }, 400)
        : pageResponse(yield* showPreview(writing, { entered, fields, isCarried: true, requestId }))
    }
    const shown = { entered, fields, isCarried: true, requestId, confirmation }
    return yield* commitPreview(writing, shown, commit, (problem) =>
      Effect.succeed(formWith({ sent: fields, problems: [problem] }))
    )
  })

interface SubmittedPreview<Entered> extends Omit<Preview<Entered>, "notice"> {
  readonly confirmation: Readonly<Record<string, string>>
}

/**
 * Commits what the preview showed, or shows it again with the reason. A refusal that a field corrects is shown by
 * `showProblem`.
 */
export const commitPreview = <Entered extends EnteredTerms, R, A, R2, R3>(
  writing: TermsForm<Entered, R>,
  { confirmation, ...shown }: SubmittedPreview<Entered>,
  commit: (entered: Entered, confirmation: Readonly<Record<string, string>>) => Effect.Effect<A, Refusal, R2>,
  showProblem: (problem: Problem) => Effect.Effect<string, Refusal, R3>
) =>
  Effect.gen(function* () {
    const { entered, fields } = shown
    const preview = (changes: Partial<Preview<Entered>>) => showPreview(writing, { ...shown, ...changes })
    const names = [...writing.confirmationNames, previewDigestName]
    const isShown = confirmation[previewDigestName] === shownDigest(writing, entered)
    if (!isShown || names.some((name) => confirmation[name] === undefined)) {
      const notice = changedNotice("This differs from the previous page.")
      return pageResponse(yield* preview({ notice }), 409)
    }
    return yield* commit(entered, confirmation).pipe(
      Effect.catchTag("Refusal", (refused) =>
        Effect.gen(function* () {
          if (statusOf(refused) !== 409) return yield* Effect.fail(refused)
          const problem = writing.problemOf(refused, entered, fields)
          if (problem !== undefined) return refusedResponse(yield* showProblem(problem), refused)
          // Where the request id was used, a further commit has another effect.
          const html = yield* refused.code === "REQUEST_ID_CONFLICT"
            ? preview({ requestId: yield* newRequestId, notice: writing.usedNotice })
            : preview({ notice: changedNotice(writing.refusalText(refused)) })
          return refusedResponse(html, refused)
        })
      )
    )
  })

/** The entered values without the step and the confirmation of a preview. */
export const withoutFields = (fields: Fields, names: ReadonlyArray<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

export const onlyTexts = (fields: Fields, names: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = fields[name]
      return typeof value === "string" ? [[name, value]] : []
    })
  )

/** The fields, with the requested row added. */
const fieldsAt = (step: Fields[string], fields: Fields) => {
  const shown = step === editButton ? fields : addRow(fields, step)
  return shown === undefined ? refuse("INVALID_REQUEST", { detail: foreignFormDetail }) : Effect.succeed(shown)
}

const changedNotice = (what: Content): Content =>
  notice("warning", paragraph(what, " Nothing was done: read this page and decide again."))
