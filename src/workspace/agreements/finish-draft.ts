/** The draft that an agreement's form finishes: its description on the page, and saving the form in it. */
import { Effect, Result, Schema } from "effect"
import { finishPath } from "../../drafts/draft.ts"
import type { DraftView } from "../../drafts/person-wire.ts"
import { createDraftAsPerson, readDraftAsPerson, saveDraft } from "../../drafts/person-operations.ts"
import { idOf } from "../../vocabulary/ids.ts"
import { refuse, type Refusal } from "../../vocabulary/refusals.ts"
import { preparerText } from "../drafts/labels.ts"
import { untrusted, untrustedLines, type Content } from "../kit/html.ts"
import { facts, linkTo, notice, paragraph, section, time } from "../kit/parts.ts"
import { submittedFields, newRequestId, requestOf } from "../kit/idempotent-form.ts"
import { pageResponse, refusedResponse } from "../kit/response.ts"
import type { Fields } from "../kit/urlencoded.ts"
import type { Visitor } from "../kit/visitor.ts"
import { foreignFormDetail } from "./rows.ts"
import { agreementForm, type DraftingPage } from "./drafting.ts"
import { showForm, type TermsPage, type TermsSubmission } from "./steps.ts"
import { sourceFacts } from "../drafts/content.ts"
import { decodePartialDraft } from "./draft-values.ts"
import { draftPath, draftsPath } from "../drafts/path.ts"
import { acknowledge } from "../kit/acknowledgement.ts"

export type Draft = typeof DraftView.Type

/** Hidden fields that identify the draft and its revision. */
export const draftName = "draft"
export const revisionName = "draftRevision"

/** The draft of a form, with the revision that its page showed. */
export interface FormDraft {
  readonly draft: Draft
  readonly revision: number
}

/** Reads the draft from the hidden fields; a form without a draft has neither. */
export const readFormDraft = Effect.fnUntraced(function* (
  { person }: Visitor,
  draftId: TermsSubmission["form"]["fields"][string] | undefined,
  revision: TermsSubmission["form"]["fields"][string] | undefined
) {
  if (draftId === undefined && revision === undefined) return undefined
  if (!isDraftId(draftId) || typeof revision !== "string" || !/^[1-9]\d{0,8}$/.test(revision)) {
    return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
  }
  return { draft: yield* readDraftAsPerson(person, draftId), revision: Number(revision) } satisfies FormDraft
})

export const isDraftId = Schema.is(idOf("draft"))

/** The additional hidden fields and fixed terms of a form that finishes a draft. */
export const draftPageOptions = ({ draft, revision }: FormDraft): Pick<TermsPage, "carried" | "pinned"> => {
  const { id, version, digest } = draft.content.specification ?? {}
  const isPinned = id !== undefined && version !== undefined && digest !== undefined
  return {
    carried: { organizationId: draft.organizationId, [draftName]: draft.draftId, [revisionName]: String(revision) },
    ...(isPinned ? { pinned: { specification: { id, version, digest } } } : {})
  }
}

/** The description of the draft before its form. */
export const draftDescription = ({ draftId, preparedBy, createdAt, content }: Draft): Content => {
  const { externalSigning } = content
  const sources = sourceFacts(content)
  return section(
    "The draft",
    paragraph(
      "Prepared by ",
      preparerText(preparedBy),
      ", ",
      time(createdAt),
      ". It has been neither checked nor agreed on. ",
      linkTo(draftPath(draftId), "See the draft")
    ),
    sources.length === 0 ? null : facts(sources),
    content.templateBinding === undefined
      ? null
      : "The proposed template is not applied: its content may differ from the terms below.",
    externalSigning === undefined
      ? null
      : paragraph(
          "Signing elsewhere is proposed, as shown below under Signatures; the contact is ",
          untrusted(externalSigning.contact),
          "."
        ),
    content.recipient?.reference === undefined
      ? null
      : ["Intended recipient:", untrustedLines(content.recipient.reference)]
  )
}

/** Builds the form's page, with or without a draft. */
export type DraftingPageFor = (opened: FormDraft | undefined) => DraftingPage

/** Saves the entered values and continues in the form of the draft. */
export const saveFormAsDraft = Effect.fnUntraced(function* (
  draftingFor: DraftingPageFor,
  { requestId, form }: TermsSubmission,
  opened: FormDraft | undefined
) {
  const drafting = draftingFor(opened)
  const { visitor, choices, carried } = drafting
  const { person } = visitor
  const { step: _step, ...fields } = form.fields
  const decoded = yield* decodePartialDraft(choices, opened?.draft.content ?? {}, { ...form, fields })
  if (Result.isFailure(decoded)) return pageResponse(showForm(agreementForm(drafting), decoded.failure, requestId), 400)
  const content = decoded.success
  const values = { ...carried, ...submittedFields({ ...form, fields }) }
  const { organizationId } = choices
  const saved =
    opened === undefined
      ? createDraftAsPerson(person, requestOf(visitor, requestId, "createDraft", { values }), {
          organizationId,
          role: "BUYER",
          content
        })
      : saveDraft(person, requestOf(visitor, requestId, "saveDraft", { pathIds: [opened.draft.draftId], values }), {
          draftId: opened.draft.draftId,
          revision: opened.revision,
          content
        })
  return yield* saved.pipe(
    Effect.flatMap(({ draftId }) =>
      acknowledge(visitor, finishPath("BUYER", draftId), {
        did: "The draft was saved.",
        next: "Continue below, or later from your drafts. It binds nobody."
      })
    ),
    Effect.catchTag("Refusal", (refused) => respondToSaveConflict(draftingFor, refused, { fields, opened }))
  )
})

interface UnsavedForm {
  /** The entered values, without the step. */
  readonly fields: Fields
  readonly opened: FormDraft | undefined
}

/**
 * Shows the form again with all entered values after the draft or the request id was used meanwhile: on the current
 * draft, or without it where it has ended.
 */
export const respondToSaveConflict = Effect.fnUntraced(function* (
  draftingFor: DraftingPageFor,
  refused: Refusal,
  { fields, opened }: UnsavedForm
) {
  if (refused.code !== "DRAFT_CHANGED" && refused.code !== "REQUEST_ID_CONFLICT") return yield* Effect.fail(refused)
  const state = { sent: fields, problems: [] }
  if (opened === undefined) {
    return refusedResponse(
      showForm(agreementForm(draftingFor(undefined)), state, yield* newRequestId, requestIdUsedNotice),
      refused
    )
  }
  const { person } = draftingFor(opened).visitor
  const draft = yield* readDraftAsPerson(person, opened.draft.draftId)
  const drafting = draftingFor(draft.state === "DRAFT" ? { draft, revision: draft.revision } : undefined)
  return refusedResponse(
    showForm(agreementForm(drafting), state, yield* newRequestId, draftChangedNotice(draft)),
    refused
  )
})

const requestIdUsedNotice = notice(
  "warning",
  paragraph(
    "This form was already used to save a draft or make an agreement: see your ",
    linkTo(draftsPath, "drafts"),
    " and your ",
    linkTo("/workspace/projects", "projects"),
    ". Your entries are below; saving or committing them creates another one."
  )
)

const draftChangedNotice = ({ draftId, state, changedAt }: Draft): Content =>
  notice(
    "warning",
    state === "DRAFT"
      ? paragraph(
          "This draft was saved meanwhile, ",
          time(changedAt),
          ": ",
          linkTo(draftPath(draftId), "see its current content"),
          ". Your entries are below; saving them replaces the current content."
        )
      : paragraph(
          state === "DISCARDED" ? "This draft was discarded meanwhile, " : "This draft became an agreement meanwhile, ",
          time(changedAt),
          ": ",
          linkTo(draftPath(draftId), "see how it ended"),
          ". Your entries are below, without the other content of that draft; saving or committing them creates another one."
        )
  )
