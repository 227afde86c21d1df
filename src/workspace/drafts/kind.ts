/** What differs between the drafts of agreements and of proposals, and a draft as its steps show it. */
import { Effect, Result } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Role } from "../../access/actions.ts"
import type { DraftContent } from "../../drafts/content.ts"
import type { DraftView } from "../../drafts/person-wire.ts"
import { readDraftAsPerson } from "../../drafts/person-operations.ts"
import type { IdempotentRequest } from "../../replay/idempotency.ts"
import { now as currentTime } from "../../vocabulary/instant.ts"
import { refuse, type Refusal } from "../../vocabulary/refusals.ts"
import { readChoices, type TermsChoices, type WritingAuthority } from "../agreements/choices.ts"
import type { FormSection } from "../agreements/fields.ts"
import type { EnteredTerms, TermsForm, TermsPage } from "../agreements/terms-form.ts"
import { pastDateProblems } from "../agreements/values.ts"
import { firstOfEach, type FormState, type Problem } from "../kit/fields.ts"
import type { FormSubmission } from "../kit/form.ts"
import { untrusted, type Content } from "../kit/html.ts"
import type { Place } from "../kit/navigation.ts"
import { paragraph } from "../kit/parts.ts"
import type { Fields } from "../kit/urlencoded.ts"
import type { Visitor } from "../kit/visitor.ts"
import { progressOf } from "./steps.ts"

export type Draft = typeof DraftView.Type

/** The hidden field with the revision of the draft that the page shows. */
export const revisionName = "draftRevision"

/** The query parameter and the hidden field with the id of what a new draft is like. */
export const likeName = "like"

export interface DraftKind<Entered extends EnteredTerms, R, R2 = R, R3 = R> {
  /** The page that starts a draft; the addresses of the steps begin with it. */
  readonly path: `/workspace/${string}`
  readonly title: string
  readonly place: Place
  readonly authority: WritingAuthority
  readonly role: Role
  /** The beginning of every page: for whom a person writes, the list of all, and what has an effect. */
  readonly writer: string
  readonly all: Content
  readonly note: string
  readonly effect: Content
  readonly commitLabel: string
  /** The initial values of the form. */
  readonly fieldsFromDraft: (content: DraftContent, choices: TermsChoices) => Fields
  /** The draft with the values that were entered in some sections. */
  readonly decodePartial: (
    choices: TermsChoices,
    before: DraftContent,
    sent: FormSubmission,
    sections: ReadonlyArray<FormSection>
  ) => Effect.Effect<Result.Result<DraftContent, FormState>, Refusal>
  /** The initial content of another one like this, which the person may read. */
  readonly readLike: (visitor: Visitor, id: string) => Effect.Effect<LikeDraft, Refusal, R3>
  readonly form: (page: TermsPage) => TermsForm<Entered, R>
  /** The name of the operation that finishes a draft, for its idempotent request. */
  readonly operation: string
  readonly outcomePath: (outcomeId: string) => `/workspace/${string}`
  readonly commit: (
    finished: FinishedDraft<Entered>
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal, R2>
}

/** Infers the types of a kind. */
export const draftKind = <Entered extends EnteredTerms, R, R2, R3>(kind: DraftKind<Entered, R, R2, R3>) => kind

/** The terms of an agreement or a proposal as a new draft, which a person completes. */
export interface LikeDraft {
  readonly organizationId: string
  readonly content: DraftContent
}

/** A draft with what a person confirmed of it. */
export interface FinishedDraft<Entered> {
  readonly visitor: Visitor
  readonly request: IdempotentRequest
  readonly draft: Draft
  readonly entered: Entered
  readonly confirmation: Readonly<Record<string, string>>
}

/** A draft in its steps. */
export interface OpenDraft {
  readonly visitor: Visitor
  readonly choices: TermsChoices
  readonly content: DraftContent
  /** Undefined before its first step is saved. */
  readonly draft: Draft | undefined
  /** The id of the agreement or the proposal whose terms an unsaved draft starts with. */
  readonly like?: string | undefined
}

/** Opens a saved draft of this kind, for a person who may finish it. */
export const openDraft = Effect.fnUntraced(function* (
  kind: Pick<DraftKind<never, never>, "role" | "authority">,
  visitor: Visitor,
  draftId: string
) {
  const draft = yield* readDraftAsPerson(visitor.person, draftId)
  if (draft.role !== kind.role) return yield* refuse("NOT_FOUND")
  return yield* withChoices(kind, visitor, draft)
})

/** The draft with the choices of its form; refused for a person who may not finish it. */
export const withChoices = (
  { authority }: Pick<DraftKind<never, never>, "authority">,
  visitor: Visitor,
  draft: Draft
) =>
  Effect.map(readChoices(visitor.person, draft.organizationId, authority), (choices) => ({
    visitor,
    choices,
    content: draft.content,
    draft
  }))

export const stepAddress = (
  { path }: Pick<DraftKind<never, never>, "path">,
  draftId: string,
  step: string
): `/workspace/${string}` => `${path}/${draftId}/${step}`

/** The page of a step or of the preview, for the form. */
export const pageOf = <Entered extends EnteredTerms, R>(
  kind: DraftKind<Entered, R>,
  { visitor, choices, content, draft, like }: OpenDraft,
  step: string
): TermsPage => {
  const { path, title, writer, all, note, effect, commitLabel } = kind
  const { id, version, digest } = content.specification ?? {}
  const isPinned = id !== undefined && version !== undefined && digest !== undefined
  return {
    visitor,
    path: draft === undefined ? path : stepAddress(kind, draft.draftId, step),
    title,
    choices,
    carried:
      draft === undefined
        ? { organizationId: choices.organizationId, ...(like === undefined ? {} : { [likeName]: like }) }
        : { [revisionName]: String(draft.revision) },
    ...(isPinned ? { pinned: { specification: { id, version, digest } } } : {}),
    before: [
      paragraph(writer, untrusted(choices.organizationName), ". ", all),
      paragraph(note),
      like === undefined ? null : "Its terms are those of the one before, without the dates: enter new ones."
    ],
    effect,
    commitLabel
  }
}

/** The terms of a form, or its problems. */
export const decodeTerms = Effect.fnUntraced(function* <Entered extends EnteredTerms, R>(
  kind: DraftKind<Entered, R>,
  open: OpenDraft,
  fields: Fields
): Effect.fn.Return<Result.Result<Entered, ReadonlyArray<Problem>>, Refusal, R> {
  const page = pageOf(kind, open, "")
  const decoded = yield* kind.form(page).decode({ fields, formToken: undefined })
  const problems = firstOfEach([
    ...(Result.isFailure(decoded) ? decoded.failure.problems : []),
    ...pastDateProblems(open.content, yield* currentTime)
  ])
  if (Result.isFailure(decoded) || problems.length > 0) return Result.fail(problems)
  return Result.succeed({ ...decoded.success, terms: { ...decoded.success.terms, ...page.pinned } })
})

/** The same for the saved values. */
export const decodeDraft = <Entered extends EnteredTerms, R>(kind: DraftKind<Entered, R>, open: OpenDraft) =>
  decodeTerms(kind, open, kind.fieldsFromDraft(open.content, open.choices))

/** How far each step of a draft is filled in. */
export const draftProgress = <Entered extends EnteredTerms, R>(kind: DraftKind<Entered, R>, open: OpenDraft) =>
  Effect.map(decodeDraft(kind, open), (decoded) =>
    progressOf(open.content, Result.isFailure(decoded) ? decoded.failure : [])
  )
