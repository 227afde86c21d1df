/** The page of one step of a draft, and what saving it leads to. */
import { Effect, Result } from "effect"
import { h } from "preact"
import { createDraftAsPerson, saveDraft } from "../../drafts/person-operations.ts"
import { refuse, type Refusal } from "../../vocabulary/refusals.ts"
import { buttonName } from "../agreements/form.ts"
import { addRow } from "../agreements/rows.ts"
import { hiddenFields, type EnteredTerms } from "../agreements/terms-form.ts"
import { acknowledge } from "../kit/acknowledgement.ts"
import { emptyForm, form, type FormState } from "../kit/fields.ts"
import { foreignFormDetail, type FormSubmission } from "../kit/form.ts"
import type { Content } from "../kit/html.ts"
import {
  newRequestId,
  requestIdField,
  requestOf,
  submittedFields,
  type FormWithRequestId
} from "../kit/idempotent-form.ts"
import { page } from "../kit/page.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import { pageResponse, refusedResponse, seeOther } from "../kit/response.ts"
import { draftDescription } from "./description.ts"
import { draftChangedNotice, endedDraftPage, requestIdUsedNotice } from "./conflicts.ts"
import { decodeTerms, draftProgress, openDraft, pageOf, stepAddress, type DraftKind, type OpenDraft } from "./kind.ts"
import { draftPath } from "./path.ts"
import { stepList } from "./step-list.ts"
import { draftSteps, fieldsOutside, fieldsWithin, pathAfter, stepOf, type DraftStep } from "./steps.ts"

/** Saves the step, complete or not. */
const saveButton = "SAVE"

interface ShownStep {
  readonly requestId: string
  /** The submitted form; undefined for the saved values. */
  readonly state?: FormState
  readonly message?: Content
}

export const showStep = Effect.fnUntraced(function* <Entered extends EnteredTerms, R>(
  kind: DraftKind<Entered, R>,
  step: DraftStep,
  open: OpenDraft,
  { requestId, state, message = null }: ShownStep
) {
  const { visitor, choices, content, draft } = open
  const progress = yield* draftProgress(kind, open)
  const { isStarted, problems } = progress.find((one) => one.step === step)!
  const saved = { sent: fieldsWithin(step, kind.fieldsFromDraft(content, choices)), problems }
  const shown = state ?? (isStarted ? saved : emptyForm)
  const terms = pageOf(kind, open, step.path)
  const pathOf = draft === undefined ? undefined : (path: string) => stepAddress(kind, draft.draftId, path)
  const previous = draftSteps[draftSteps.indexOf(step) - 1]
  return page(
    {
      title: `${kind.title}: ${step.name.toLowerCase()}`,
      viewer: visitor.viewer,
      place: kind.place,
      problems: shown.problems,
      problemsTitle: state === undefined ? "Still to be completed in this step" : "This could not be saved"
    },
    message,
    terms.before,
    stepList(progress, step.path, pathOf),
    form(
      { action: terms.path, formToken: visitor.viewer.formToken, submitLabel: "Save and continue" },
      requestIdField(requestId),
      hiddenFields(terms.carried),
      kind.form(terms).fields(shown, step.sections),
      h(
        "p",
        null,
        h("button", { type: "submit", class: "quiet", name: buttonName, value: saveButton }, "Save and finish later")
      )
    ),
    previous === undefined || pathOf === undefined
      ? null
      : paragraph(linkTo(pathOf(previous.path), `Back to ${previous.name.toLowerCase()}`)),
    draft === undefined ? null : draftDescription(draft)
  )
})

const savedForLater = {
  did: "The draft was saved.",
  next: "Continue it here or from your drafts. It is not binding."
}

/** Saves the step in the draft and leads to the next one; a step to be continued has no problem left. */
export const takeStep = Effect.fnUntraced(function* <Entered extends EnteredTerms, R>(
  kind: DraftKind<Entered, R>,
  step: DraftStep,
  open: OpenDraft,
  { requestId, form: sent }: FormWithRequestId
) {
  const { [buttonName]: button, ...fields } = sent.fields
  if (Object.keys(fields).some((name) => stepOf(name) !== step)) {
    return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
  }
  const again = (state: FormState, status: number) =>
    Effect.map(showStep(kind, step, open, { requestId, state }), (html) => pageResponse(html, status))
  if (button !== undefined && button !== saveButton) {
    const more = addRow(fields, button)
    if (more === undefined) return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
    return yield* again({ sent: more, problems: [] }, 200)
  }
  const decoded = yield* kind.decodePartial(open.choices, open.content, { ...sent, fields }, step.sections)
  if (Result.isFailure(decoded)) return yield* again(decoded.failure, 400)
  const content = decoded.success
  if (button === undefined) {
    const saved = fieldsOutside(step, kind.fieldsFromDraft(open.content, open.choices))
    const terms = yield* decodeTerms(kind, { ...open, content }, { ...saved, ...fields })
    const problems = Result.isFailure(terms) ? terms.failure.filter(({ field }) => stepOf(field) === step) : []
    if (problems.length > 0) return yield* again({ sent: fields, problems }, 400)
  }
  return yield* save(kind, { ...open, content }, { requestId, form: sent }).pipe(
    Effect.flatMap(({ draftId }) =>
      button === undefined
        ? Effect.succeed(seeOther(stepAddress(kind, draftId, pathAfter(step))))
        : acknowledge(open.visitor, draftPath(draftId), savedForLater)
    ),
    Effect.catchTag("Refusal", (refused) => respondToConflict(kind, step, open, { refused, fields }))
  )
})

const save = <Entered extends EnteredTerms, R>(
  { role }: DraftKind<Entered, R>,
  { visitor, choices: { organizationId }, content, draft }: OpenDraft,
  { requestId, form }: FormWithRequestId
) => {
  const values = submittedFields(form)
  if (draft === undefined) {
    const request = requestOf(visitor, requestId, "createDraft", { values: { organizationId, ...values } })
    return createDraftAsPerson(visitor.person, request, { organizationId, role, content })
  }
  const { draftId, revision } = draft
  const request = requestOf(visitor, requestId, "saveDraft", { pathIds: [draftId], values: { revision, ...values } })
  return saveDraft(visitor.person, request, { draftId, revision, content })
}

interface RefusedSave {
  readonly refused: Refusal
  readonly fields: FormSubmission["fields"]
}

/** Shows the step on the current draft with all entered values, after the draft or the form was used meanwhile. */
const respondToConflict = Effect.fnUntraced(function* <Entered extends EnteredTerms, R>(
  kind: DraftKind<Entered, R>,
  step: DraftStep,
  open: OpenDraft,
  { refused, fields }: RefusedSave
) {
  if (refused.code !== "DRAFT_CHANGED" && refused.code !== "REQUEST_ID_CONFLICT") return yield* Effect.fail(refused)
  const shown = { requestId: yield* newRequestId, state: { sent: fields, problems: [] } }
  if (open.draft === undefined) {
    return refusedResponse(yield* showStep(kind, step, open, { ...shown, message: requestIdUsedNotice }), refused)
  }
  const current = yield* openDraft(kind, open.visitor, open.draft.draftId)
  const html =
    current.draft.state === "DRAFT"
      ? yield* showStep(kind, step, current, { ...shown, message: draftChangedNotice(current.draft) })
      : endedDraftPage(kind, current, fields)
  return refusedResponse(html, refused)
})
