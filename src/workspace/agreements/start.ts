/** The page that starts terms from an empty form or a draft: for one organization, which is chosen first. */
import { Effect, Schema } from "effect"
import type { Role } from "../../access/actions.ts"
import type { DraftContent } from "../../drafts/content.ts"
import { readDraftAsPerson } from "../../drafts/person-operations.ts"
import { idOf } from "../../vocabulary/ids.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { readQueryParameters } from "../kit/url-parameters.ts"
import { emptyForm, type FormState } from "../kit/fields.ts"
import type { FormSubmission } from "../kit/form.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { newRequestId } from "../kit/idempotent-form.ts"
import type { Place } from "../kit/navigation.ts"
import { page } from "../kit/page.ts"
import { linkTo, list, paragraph } from "../kit/parts.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInPage } from "../kit/signed-in.ts"
import type { Fields } from "../kit/urlencoded.ts"
import type { Visitor } from "../kit/visitor.ts"
import { draftPath } from "../drafts/path.ts"
import { readMemberships, type Membership } from "../organization/own-membership.ts"
import { readChoices, writings, type TermsChoices, type WritingAuthority } from "./choices.ts"
import {
  draftDescription,
  draftName,
  draftPageOptions,
  isDraftId,
  readFormDraft,
  revisionName,
  type FormDraft
} from "./finish-draft.ts"
import type { TermsPage } from "./steps.ts"
import { foreignFormDetail } from "./rows.ts"

/** What differs between the pages for agreements and for proposals. */
export interface StartPage {
  readonly path: `/workspace/${string}`
  readonly title: string
  readonly place: Place
  readonly authority: WritingAuthority
  /** The side whose drafts it finishes. */
  readonly role: Role
  /** The beginning of the page: for whom a person writes, the list of all, and what happens first. */
  readonly writer: string
  readonly all: Content
  readonly note: string
  readonly effect: Content
  readonly commitLabel: string
  readonly fieldsFromDraft: (content: DraftContent, choices: TermsChoices) => Fields
  readonly showForm: (page: TermsPage, state: FormState, requestId: string) => string
  /** The content after the choice of an organization. */
  readonly afterChoice: Content
}

/** The page for one organization, with or without a draft. */
export const startedPage = (
  { path, title, writer, all, note, effect, commitLabel }: StartPage,
  visitor: Visitor,
  choices: TermsChoices,
  opened: FormDraft | undefined
): TermsPage => ({
  visitor,
  path,
  title,
  choices,
  carried: { organizationId: choices.organizationId },
  ...(opened === undefined ? {} : draftPageOptions(opened)),
  before: [
    paragraph(writer, untrusted(choices.organizationName), ". ", all),
    paragraph(note),
    opened === undefined ? null : draftDescription(opened.draft)
  ],
  effect,
  commitLabel
})

export const startPage = (start: StartPage) =>
  signedInPage(start.path, (visitor) =>
    Effect.gen(function* () {
      const query = yield* readQueryParameters
      const draftId = query("draft")
      if (draftId !== undefined) return yield* showDraft(start, visitor, draftId)
      const memberships = yield* readMemberships(visitor.person, start.authority)
      const asked = query("organizationId")
      const only = memberships.length === 1 ? memberships[0]!.organizationId : undefined
      const organizationId = isOrganizationId(asked) ? asked : only
      if (organizationId === undefined) return pageResponse(choicePage(start, visitor, memberships))
      const choices = yield* readChoices(visitor.person, organizationId, start.authority)
      return pageResponse(
        start.showForm(startedPage(start, visitor, choices, undefined), emptyForm, yield* newRequestId)
      )
    })
  )

/** A person who may read the draft but not finish it is redirected to its page. */
const showDraft = Effect.fnUntraced(function* (start: StartPage, visitor: Visitor, draftId: string) {
  if (!isDraftId(draftId)) return yield* refuse("NOT_FOUND")
  const draft = yield* readDraftAsPerson(visitor.person, draftId)
  const { organizationId, role, state, content, revision } = draft
  const memberships = yield* readMemberships(visitor.person, start.authority)
  const mayFinish = memberships.some((one) => one.organizationId === organizationId)
  if (role !== start.role || state !== "DRAFT" || !mayFinish) return seeOther(draftPath(draftId))
  const choices = yield* readChoices(visitor.person, organizationId, start.authority)
  const initial = { sent: start.fieldsFromDraft(content, choices), problems: [] }
  const page = startedPage(start, visitor, choices, { draft, revision })
  return pageResponse(start.showForm(page, initial, yield* newRequestId))
})

/** The organization, the draft and the terms of a submitted form. */
export const readStart = Effect.fnUntraced(function* (
  visitor: Visitor,
  form: FormSubmission,
  authority: WritingAuthority
) {
  const { organizationId, [draftName]: draftId, [revisionName]: revision, ...fields } = form.fields
  const opened = yield* readFormDraft(visitor, draftId, revision)
  if (!isOrganizationId(organizationId) || (opened !== undefined && opened.draft.organizationId !== organizationId)) {
    return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
  }
  return { organizationId, opened, fields, choices: yield* readChoices(visitor.person, organizationId, authority) }
})

const isOrganizationId = Schema.is(idOf("organization"))

const choicePage = (
  { path, title, place, authority, afterChoice }: StartPage,
  { viewer }: Visitor,
  memberships: ReadonlyArray<Membership>
): string =>
  page(
    { title, viewer, place },
    memberships.length === 0
      ? `You are in no organization for which you may ${writings[authority]}.`
      : [
          "For which of your organizations?",
          list(
            memberships.map(({ organizationId, organizationName }) =>
              linkTo(`${path}?organizationId=${organizationId}`, untrusted(organizationName))
            )
          )
        ],
    afterChoice
  )
