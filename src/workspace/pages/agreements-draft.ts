/** The draft behind an agreement's form: what the page says of it, and how the form is kept in it. */
import { Effect, Result, Schema } from "effect"
import { finishPath } from "../../drafts/draft.ts"
import type { DraftView } from "../../drafts/human-wire.ts"
import { createDraftAsPerson, readDraftAsPerson, saveDraft } from "../../drafts/person-operations.ts"
import { idOf } from "../../vocabulary/ids.ts"
import { refuse, statusOf, type Refused } from "../../vocabulary/refusals.ts"
import { preparedWords } from "../draft-words.ts"
import { untrusted, untrustedLines, type Content } from "../html.ts"
import { facts, linkTo, notice, paragraph, section, time } from "../parts.ts"
import { entered, newRequestId, requestOf } from "../request-form.ts"
import { pageResponse, seeOther } from "../response.ts"
import type { Fields } from "../urlencoded.ts"
import type { Visitor } from "../visitor.ts"
import { notAsShown } from "./agreements-rows.ts"
import { showForm, type Drafting, type Sent } from "./agreements-steps.ts"
import { sourceFacts } from "./drafts-content.ts"
import { decodePartialDraft } from "./drafts-fields.ts"
import { draftPath, draftsPath } from "./drafts-path.ts"

export type Draft = typeof DraftView.Type

/** What travels with the form of a draft. */
export const draftName = "draft"
export const revisionName = "draftRevision"

/** The draft that a form belongs to, as it was read when its page was shown. */
export interface OpenedDraft {
  readonly draft: Draft
  readonly revision: number
}

/** By what the form carries; a form of no draft carries neither. */
export const openedDraft = Effect.fnUntraced(function* (
  { person }: Visitor,
  draftId: Sent["form"]["fields"][string] | undefined,
  revision: Sent["form"]["fields"][string] | undefined
) {
  if (draftId === undefined && revision === undefined) return undefined
  if (!isDraftId(draftId) || typeof revision !== "string" || !/^[1-9]\d{0,8}$/.test(revision)) {
    return yield* refuse("INVALID_REQUEST", { detail: notAsShown })
  }
  return { draft: yield* readDraftAsPerson(person, draftId), revision: Number(revision) } satisfies OpenedDraft
})

export const isDraftId = Schema.is(idOf("draft"))

/** What the form adds where it finishes a draft. */
export const draftingOf = ({ draft, revision }: OpenedDraft): Pick<Drafting, "carried" | "pinned"> => {
  const { id, version, digest } = draft.content.specification ?? {}
  const isPinned = id !== undefined && version !== undefined && digest !== undefined
  return {
    carried: { organizationId: draft.organizationId, [draftName]: draft.draftId, [revisionName]: String(revision) },
    ...(isPinned ? { pinned: { specification: { id, version, digest } } } : {})
  }
}

/** What a person reads before they go on with it. */
export const aboutDraft = ({ draftId, preparedBy, createdAt, content }: Draft): Content => {
  const { externalSigning } = content
  const shown = sourceFacts(content)
  return section(
    "The draft",
    paragraph(
      "Prepared by ",
      preparedWords(preparedBy),
      ", ",
      time(createdAt),
      ". Nobody has checked or agreed on any of it. ",
      linkTo(draftPath(draftId), "See the draft")
    ),
    shown.length === 0 ? null : facts(shown),
    content.templateBinding === undefined
      ? null
      : paragraph("No template is applied: what it says, stands below or not."),
    externalSigning === undefined
      ? null
      : paragraph(
          "Signing elsewhere is proposed, as it stands below under Signatures; the contact is ",
          untrusted(externalSigning.contact),
          "."
        ),
    content.recipient?.reference === undefined
      ? null
      : [paragraph("It is meant for:"), untrustedLines(content.recipient.reference)]
  )
}

/** The form's page for a draft, or for none. */
export type DraftingFor = (opened: OpenedDraft | undefined) => Drafting

/** Keeps what was entered so far, and goes on in the form of the draft. */
export const keepDraft = Effect.fnUntraced(function* (
  draftingFor: DraftingFor,
  { requestId, form }: Sent,
  opened: OpenedDraft | undefined
) {
  const drafting = draftingFor(opened)
  const { visitor, choices, carried } = drafting
  const { person } = visitor
  const { step: _step, ...fields } = form.fields
  const decoded = yield* decodePartialDraft(choices, opened?.draft.content ?? {}, { ...form, fields })
  if (Result.isFailure(decoded)) return pageResponse(showForm(drafting, decoded.failure, requestId), 400)
  const content = decoded.success
  const values = { ...carried, ...entered({ ...form, fields }) }
  const { organizationId } = choices
  const kept =
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
  return yield* kept.pipe(
    Effect.map(({ draftId }) => seeOther(finishPath("BUYER", draftId))),
    Effect.catchTag("Refused", (refused) => answerUnkept(draftingFor, refused, { fields, opened }))
  )
})

interface Unkept {
  /** What was entered, without the step. */
  readonly fields: Fields
  readonly opened: OpenedDraft | undefined
}

/**
 * The form once more with everything that was entered, where the draft or the form's id was used meanwhile: it goes on
 * from the draft as it stands now, or without it where it has ended.
 */
export const answerUnkept = Effect.fnUntraced(function* (
  draftingFor: DraftingFor,
  refused: Refused,
  { fields, opened }: Unkept
) {
  if (refused.code !== "DRAFT_CHANGED" && refused.code !== "REQUEST_ID_CONFLICT") return yield* Effect.fail(refused)
  const state = { sent: fields, problems: [] }
  if (opened === undefined) {
    return pageResponse(showForm(draftingFor(undefined), state, yield* newRequestId, usedBefore), statusOf(refused))
  }
  const { person } = draftingFor(opened).visitor
  const draft = yield* readDraftAsPerson(person, opened.draft.draftId)
  const drafting = draftingFor(draft.state === "DRAFT" ? { draft, revision: draft.revision } : undefined)
  return pageResponse(showForm(drafting, state, yield* newRequestId, changedMeanwhile(draft)), statusOf(refused))
})

const usedBefore = notice(
  "warning",
  paragraph(
    "From this form something was saved or made before: see your ",
    linkTo(draftsPath, "drafts"),
    " and your ",
    linkTo("/workspace/projects", "projects"),
    ". What you entered stands below; saved or made from here, it is another one."
  )
)

const changedMeanwhile = ({ draftId, state, changedAt }: Draft): Content =>
  notice(
    "warning",
    state === "DRAFT"
      ? paragraph(
          "This draft was saved meanwhile, ",
          time(changedAt),
          ": ",
          linkTo(draftPath(draftId), "see what stands there now"),
          ". What you entered stands below; saved again, it takes the place of that."
        )
      : paragraph(
          state === "DISCARDED" ? "This draft was discarded meanwhile, " : "This draft became an agreement meanwhile, ",
          time(changedAt),
          ": ",
          linkTo(draftPath(draftId), "see how it ended"),
          ". What you entered stands below, and nothing else of that draft; saved or made from here, it is another one."
        )
  )
