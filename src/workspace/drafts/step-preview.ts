/** The last step of a draft: its terms exactly as they will be committed, or what is missing. */
import { Effect, Result } from "effect"
import { committedTarget } from "../../replay/idempotency.ts"
import { refuse, type Refusal } from "../../vocabulary/refusals.ts"
import {
  commitPreview,
  previewDigestName,
  onlyTexts,
  showPreview,
  type EnteredTerms
} from "../agreements/terms-form.ts"
import { idOf, type Problem } from "../kit/fields.ts"
import type { Content } from "../kit/html.ts"
import { newRequestId, requestOf, submittedFields, type FormWithRequestId } from "../kit/idempotent-form.ts"
import { page } from "../kit/page.ts"
import { linkTo, list, section } from "../kit/parts.ts"
import { pageResponse, refusedResponse, seeOther } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"
import { foreignFormDetail } from "../kit/form.ts"
import { draftChangedNotice, endedDraftPage } from "./conflicts.ts"
import { decodeDraft, openDraft, pageOf, stepAddress, type Draft, type DraftKind, type OpenDraft } from "./kind.ts"
import { stepList } from "./step-list.ts"
import { previewPath, progressOf, stepOf } from "./steps.ts"

type SavedDraft = OpenDraft & { readonly draft: Draft }

export const showDraftPreview = Effect.fnUntraced(function* <Entered extends EnteredTerms, R>(
  kind: DraftKind<Entered, R>,
  open: SavedDraft,
  notice: Content = null
) {
  const decoded = yield* decodeDraft(kind, open)
  if (Result.isFailure(decoded)) return incompletePage(kind, open, decoded.failure, notice)
  const { preview, ...shown } = previewOf(kind, open, decoded.success)
  return yield* showPreview(preview, { ...shown, requestId: yield* newRequestId, notice })
})

/** The preview of the saved terms, below the list of the steps. */
const previewOf = <Entered extends EnteredTerms, R>(
  kind: DraftKind<Entered, R>,
  open: SavedDraft,
  entered: Entered
) => {
  const form = kind.form(pageOf(kind, open, previewPath))
  const preview = { ...form, beforePreview: stepsOf(kind, open, []) }
  return { preview, entered, fields: kind.fieldsFromDraft(open.content, open.choices), isCarried: false }
}

const stepsOf = <Entered extends EnteredTerms, R>(
  kind: DraftKind<Entered, R>,
  { content, draft: { draftId } }: SavedDraft,
  problems: ReadonlyArray<Problem>
): Content => stepList(progressOf(content, problems), previewPath, (step) => stepAddress(kind, draftId, step))

/** Each problem, linked to its field. */
const incompletePage = <Entered extends EnteredTerms, R>(
  kind: DraftKind<Entered, R>,
  open: SavedDraft,
  problems: ReadonlyArray<Problem>,
  notice: Content
): string =>
  page(
    { title: `${kind.title}: preview`, viewer: open.visitor.viewer, place: kind.place },
    notice,
    pageOf(kind, open, previewPath).before,
    stepsOf(kind, open, problems),
    section(
      "To be completed or corrected",
      list(
        problems.map(({ field, message }) =>
          linkTo(`${stepAddress(kind, open.draft.draftId, stepOf(field).path)}#${idOf(field)}`, message)
        )
      )
    )
  )

/** Commits the draft that the preview showed, exactly once. */
export const takeDraftPreview = Effect.fnUntraced(function* <Entered extends EnteredTerms, R>(
  kind: DraftKind<Entered, R>,
  visitor: Visitor,
  { draftId, revision }: Pick<Draft, "draftId" | "revision">,
  { requestId, form }: FormWithRequestId
) {
  const values = { revision, ...submittedFields(form) }
  const request = requestOf(visitor, requestId, kind.operation, { pathIds: [draftId], values })
  const committedId = yield* committedTarget(request)
  if (committedId !== undefined) return seeOther(kind.outcomePath(committedId))
  const open = yield* openDraft(kind, visitor, draftId)
  const { draft } = open
  if (draft.state !== "DRAFT" || draft.revision !== revision) return pageResponse(yield* showChanged(kind, open), 409)
  const decoded = yield* decodeDraft(kind, open)
  if (Result.isFailure(decoded)) return pageResponse(incompletePage(kind, open, decoded.failure, null), 409)
  const { preview, ...shown } = previewOf(kind, open, decoded.success)
  const names = [...preview.confirmationNames, previewDigestName]
  if (Object.keys(form.fields).some((name) => !names.includes(name))) {
    return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
  }
  const confirmation = onlyTexts(form.fields, names)
  return yield* commitPreview(
    preview,
    { ...shown, requestId, confirmation },
    (entered, confirmation) =>
      kind
        .commit({ visitor, request, draft, entered, confirmation })
        .pipe(Effect.catchTag("Refusal", (refused) => respondToChange(kind, open, refused))),
    (problem) => Effect.succeed(incompletePage(kind, open, [problem], null))
  )
})

/** A draft that was changed or has ended since it was opened is shown as it is now. */
const respondToChange = Effect.fnUntraced(function* <Entered extends EnteredTerms, R>(
  kind: DraftKind<Entered, R>,
  { visitor, draft: { draftId } }: SavedDraft,
  refused: Refusal
) {
  if (refused.code !== "DRAFT_CHANGED") return yield* Effect.fail(refused)
  return refusedResponse(yield* showChanged(kind, yield* openDraft(kind, visitor, draftId)), refused)
})

const showChanged = <Entered extends EnteredTerms, R>(kind: DraftKind<Entered, R>, open: SavedDraft) =>
  open.draft.state === "DRAFT"
    ? showDraftPreview(kind, open, draftChangedNotice(open.draft, "Read its terms below and decide again."))
    : Effect.succeed(endedDraftPage(kind, open, {}))
