/** The pages of a kind of drafts: the start, for one organization that is chosen first, the steps, and the preview. */
import { Effect, Layer, Schema } from "effect"
import { idOf } from "../../vocabulary/ids.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { readDraftAsPerson } from "../../drafts/person-operations.ts"
import { readChoices, writings } from "../agreements/choices.ts"
import type { EnteredTerms } from "../agreements/terms-form.ts"
import { foreignFormDetail, type FormSubmission } from "../kit/form.ts"
import { newRequestId, takeRequestId } from "../kit/idempotent-form.ts"
import { page } from "../kit/page.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import { pathId, readQueryParameters } from "../kit/url-parameters.ts"
import type { Visitor } from "../kit/visitor.ts"
import { readMemberships, organizationLinks, type Membership } from "../organization/own-membership.ts"
import {
  draftProgress,
  likeName,
  openDraft,
  revisionName,
  stepAddress,
  type DraftKind,
  type OpenDraft,
  withChoices
} from "./kind.ts"
import { draftPath } from "./path.ts"
import { showDraftPreview, takeDraftPreview } from "./step-preview.ts"
import { showStep, takeStep } from "./step-page.ts"
import { draftSteps, openStep, previewPath, type DraftStep } from "./steps.ts"

export const draftKindPages = <Entered extends EnteredTerms, R, R2, R3>(given: DraftKind<Entered, R, R2, R3>) => {
  const kind: DraftKind<Entered, R | R2 | R3> = given
  return Layer.mergeAll(
    startPage(kind),
    startForm(kind),
    ...draftSteps.map((step) => Layer.merge(stepPage(kind, step), stepForm(kind, step))),
    previewPage(kind),
    previewForm(kind)
  )
}

const startPage = <Entered extends EnteredTerms, R>(kind: DraftKind<Entered, R>) =>
  signedInPage(kind.path, function* (visitor) {
    const query = yield* readQueryParameters
    const draftId = query("draft")
    if (draftId !== undefined) return yield* continueDraft(kind, visitor, draftId)
    const like = query(likeName)
    if (like !== undefined) return yield* showFirst(kind, yield* openLike(kind, visitor, like))
    const memberships = yield* readMemberships(visitor.person, kind.authority)
    const asked = query("organizationId")
    const only = memberships.length === 1 ? memberships[0]!.organizationId : undefined
    const organizationId = isOrganizationId(asked) ? asked : only
    if (organizationId === undefined) return pageResponse(choicePage(kind, visitor, memberships))
    return yield* showFirst(kind, yield* openEmpty(kind, visitor, organizationId))
  })

const showFirst = Effect.fnUntraced(function* <Entered extends EnteredTerms, R>(
  kind: DraftKind<Entered, R>,
  open: OpenDraft
) {
  return pageResponse(yield* showStep(kind, draftSteps[0], open, { requestId: yield* newRequestId }))
})

const isDraftId = Schema.is(idOf("draft"))
export const isOrganizationId = Schema.is(idOf("organization"))

/** Leads to the first step that is not complete, or to the preview. */
const continueDraft = Effect.fnUntraced(function* <Entered extends EnteredTerms, R>(
  kind: DraftKind<Entered, R>,
  visitor: Visitor,
  draftId: string
) {
  if (!isDraftId(draftId)) return yield* refuse("NOT_FOUND")
  const open = yield* openForPage(kind, visitor, draftId)
  if (open === undefined) return seeOther(draftPath(draftId))
  return seeOther(stepAddress(kind, draftId, openStep(yield* draftProgress(kind, open))))
})

/** Undefined for a person who may read the draft and not finish it, and for a draft that has ended. */
const openForPage = Effect.fnUntraced(function* (
  kind: Pick<DraftKind<never, never>, "role" | "authority">,
  visitor: Visitor,
  draftId: string
) {
  const draft = yield* readDraftAsPerson(visitor.person, draftId)
  if (draft.role !== kind.role || draft.state !== "DRAFT") return undefined
  return yield* withChoices(kind, visitor, draft).pipe(
    Effect.catchTag("Refusal", (refused) => (refused.code === "FORBIDDEN" ? Effect.undefined : Effect.fail(refused)))
  )
})

/** A draft that is saved with its first step. */
const openEmpty = Effect.fnUntraced(function* (
  { authority }: Pick<DraftKind<never, never>, "authority">,
  visitor: Visitor,
  organizationId: string
) {
  const choices = yield* readChoices(visitor.person, organizationId, authority)
  return { visitor, choices, content: {}, draft: undefined } satisfies OpenDraft
})

/** The same with the terms of an agreement or a proposal. */
const openLike = Effect.fnUntraced(function* <Entered extends EnteredTerms, R>(
  kind: DraftKind<Entered, R>,
  visitor: Visitor,
  like: string
) {
  const { organizationId, content } = yield* kind.readLike(visitor, like)
  return { ...(yield* openEmpty(kind, visitor, organizationId)), content, like } satisfies OpenDraft
})

const startForm = <Entered extends EnteredTerms, R>(kind: DraftKind<Entered, R>) =>
  signedInForm(kind.path, function* (visitor, sent) {
    const { requestId, form } = yield* takeRequestId(sent)
    const { organizationId, [likeName]: like, ...fields } = form.fields
    if (!isOrganizationId(organizationId) || (like !== undefined && typeof like !== "string")) {
      return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
    }
    const open = yield* like === undefined ? openEmpty(kind, visitor, organizationId) : openLike(kind, visitor, like)
    return yield* takeStep(kind, draftSteps[0], open, { requestId, form: { ...form, fields } })
  })

const stepPage = <Entered extends EnteredTerms, R>(kind: DraftKind<Entered, R>, step: DraftStep) =>
  signedInPage(`${kind.path}/:draftId/${step.path}`, function* (visitor) {
    const draftId = yield* pathId("draftId", "draft")
    const open = yield* openForPage(kind, visitor, draftId)
    if (open === undefined) return seeOther(draftPath(draftId))
    return pageResponse(yield* showStep(kind, step, open, { requestId: yield* newRequestId }))
  })

const stepForm = <Entered extends EnteredTerms, R>(kind: DraftKind<Entered, R>, step: DraftStep) =>
  signedInForm(`${kind.path}/:draftId/${step.path}`, function* (visitor, sent) {
    const draftId = yield* pathId("draftId", "draft")
    const { revision, requestId, form } = yield* readSubmission(sent)
    const open = yield* openDraft(kind, visitor, draftId)
    // The save is refused where another revision is current by then.
    const shown = { ...open, draft: { ...open.draft, revision } }
    return yield* takeStep(kind, step, shown, { requestId, form })
  })

const previewPage = <Entered extends EnteredTerms, R>(kind: DraftKind<Entered, R>) =>
  signedInPage(`${kind.path}/:draftId/${previewPath}`, function* (visitor) {
    const draftId = yield* pathId("draftId", "draft")
    const open = yield* openForPage(kind, visitor, draftId)
    return open === undefined ? seeOther(draftPath(draftId)) : pageResponse(yield* showDraftPreview(kind, open))
  })

const previewForm = <Entered extends EnteredTerms, R>(kind: DraftKind<Entered, R>) =>
  signedInForm(`${kind.path}/:draftId/${previewPath}`, function* (visitor, sent) {
    const draftId = yield* pathId("draftId", "draft")
    const { revision, ...submission } = yield* readSubmission(sent)
    return yield* takeDraftPreview(kind, visitor, { draftId, revision }, submission)
  })

/** The form of a saved draft, with the revision that its page showed. */
const readSubmission = Effect.fnUntraced(function* (sent: FormSubmission) {
  const { requestId, form } = yield* takeRequestId(sent)
  const { [revisionName]: revision, ...fields } = form.fields
  if (typeof revision !== "string" || !/^[1-9]\d{0,8}$/.test(revision)) {
    return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
  }
  return { revision: Number(revision), requestId, form: { ...form, fields } }
})

const choicePage = <Entered extends EnteredTerms, R>(
  { path, title, place, authority, all }: DraftKind<Entered, R>,
  { viewer }: Visitor,
  memberships: ReadonlyArray<Membership>
): string =>
  page(
    { title, viewer, place },
    organizationLinks(memberships, {
      question: "For which of your organizations?",
      none: `You are in no organization for which you may ${writings[authority]}.`,
      pathOf: (organizationId) => `${path}?organizationId=${organizationId}`
    }),
    all
  )
