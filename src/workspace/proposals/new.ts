/** Writes a proposal for one of a person's organizations, from an empty form or a supplier's draft. */
import { Effect, Layer, Schema } from "effect"
import { completionHook } from "../../drafts/finish.ts"
import { readDraftAsPerson } from "../../drafts/person-operations.ts"
import { createProposalAsPerson } from "../../proposals/person-operations.ts"
import { committedTarget } from "../../replay/idempotency.ts"
import { idOf } from "../../vocabulary/ids.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { readQueryParameters } from "../kit/url-parameters.ts"
import { emptyForm } from "../kit/fields.ts"
import { untrusted } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, list, notice, paragraph } from "../kit/parts.ts"
import { proposalPath } from "./identity.ts"
import { submittedFields, newRequestId, requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Fields } from "../kit/urlencoded.ts"
import type { Visitor } from "../kit/visitor.ts"
import {
  draftDescription,
  draftPageOptions,
  draftName,
  isDraftId,
  readFormDraft,
  revisionName,
  type Draft,
  type FormDraft
} from "../agreements/finish-draft.ts"
import { stepName } from "../agreements/form.ts"
import { previewDigestName } from "../agreements/preview.ts"
import { foreignFormDetail } from "../agreements/rows.ts"
import { draftPath } from "../drafts/path.ts"
import { readProposalMemberships, readProposalChoices, type ProposalChoices } from "./choices.ts"
import { newProposalPath, proposalsPath } from "./path.ts"
import { fieldsFromSupplierDraft } from "./prefill.ts"
import { showProposalForm, handleWritingStep, type WritingPage } from "./steps.ts"

const title = "Write a proposal"

const show = signedInPage(newProposalPath, (visitor) =>
  Effect.gen(function* () {
    const query = yield* readQueryParameters
    const draftId = query("draft")
    if (draftId !== undefined) return yield* showDraft(visitor, draftId)
    const organizationParameter = query("organizationId")
    const authors = yield* readProposalMemberships(visitor.person)
    const only = authors.length === 1 ? authors[0]!.organizationId : undefined
    const organizationId = isOrganization(organizationParameter) ? organizationParameter : only
    if (organizationId === undefined) return pageResponse(choicePage(visitor, authors))
    const choices = yield* readProposalChoices(visitor.person, organizationId)
    return pageResponse(showProposalForm(writingFor(visitor, choices, undefined), emptyForm, yield* newRequestId))
  })
)

/** A person who may read the draft but not finish it is redirected to its page. */
const showDraft = Effect.fnUntraced(function* (visitor: Visitor, draftId: string) {
  if (!isDraftId(draftId)) return yield* refuse("NOT_FOUND")
  const draft = yield* readDraftAsPerson(visitor.person, draftId)
  const authors = yield* readProposalMemberships(visitor.person)
  const isAuthor = authors.some(({ organizationId }) => organizationId === draft.organizationId)
  if (draft.role !== "SUPPLIER" || draft.state !== "DRAFT" || !isAuthor) return seeOther(draftPath(draftId))
  const choices = yield* readProposalChoices(visitor.person, draft.organizationId)
  const state = { sent: fieldsFromSupplierDraft(draft.content, choices), problems: [] }
  const writing = writingFor(visitor, choices, { draft, revision: draft.revision })
  return pageResponse(showProposalForm(writing, state, yield* newRequestId))
})

const isOrganization = Schema.is(idOf("organization"))

const choicePage = ({ viewer }: Visitor, authors: Effect.Success<ReturnType<typeof readProposalMemberships>>): string =>
  page(
    { title, viewer, place: "proposals" },
    authors.length === 0
      ? paragraph("You are in no organization for which you may write proposals.")
      : [
          paragraph("For which of your organizations?"),
          list(
            authors.map(({ organizationId, organizationName }) =>
              linkTo(`${newProposalPath}?organizationId=${organizationId}`, untrusted(organizationName))
            )
          )
        ],
    paragraph(linkTo(proposalsPath, "All proposals"))
  )

const writingFor = (visitor: Visitor, choices: ProposalChoices, opened: FormDraft | undefined): WritingPage => {
  const { carried = { organizationId: choices.organizationId }, pinned = {} } =
    opened === undefined ? {} : draftPageOptions(opened)
  return {
    visitor,
    path: newProposalPath,
    title,
    choices,
    carried,
    pinned,
    before: [
      paragraph(
        "You write it as supplier for ",
        untrusted(choices.organizationName),
        ". ",
        linkTo(proposalsPath, "All proposals")
      ),
      paragraph("It is visible only in your organization until you publish it, which is a separate step."),
      opened === undefined ? null : draftDescription(opened.draft)
    ],
    effect: [
      paragraph("It is saved as version 1, visible only to members of your organization."),
      paragraph("The recipient can read it once you publish it from the next page. It is not binding.")
    ],
    commitLabel: "Save this proposal"
  }
}

const take = signedInForm(newProposalPath, (visitor, sent) =>
  Effect.gen(function* () {
    const { requestId, form } = yield* takeRequestId(sent)
    const request = requestOf(visitor, requestId, "createOwnProposal", { values: submittedFields(form) })
    const committedId = yield* committedTarget(request)
    if (committedId !== undefined) return seeOther(proposalPath(committedId))
    const { organizationId, [draftName]: draftId, [revisionName]: revision, ...fields } = form.fields
    const opened = yield* readFormDraft(visitor, draftId, revision)
    if (!isOrganization(organizationId) || (opened !== undefined && opened.draft.organizationId !== organizationId)) {
      return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
    }
    const choices = yield* readProposalChoices(visitor.person, organizationId)
    if (opened !== undefined && fields[stepName] === undefined && isOutdated(opened)) {
      return pageResponse(formOnNewest(visitor, choices, opened.draft, { fields, requestId }), 409)
    }
    const finish =
      opened === undefined
        ? undefined
        : completionHook({ draftId: opened.draft.draftId, revision: opened.revision, organizationId, role: "SUPPLIER" })
    const taken = { requestId, form: { ...form, fields } }
    return yield* handleWritingStep(writingFor(visitor, choices, opened), taken, (input) =>
      Effect.map(
        createProposalAsPerson(visitor.person, request, { organizationId, ...input }, finish),
        ({ proposal }) => seeOther(proposalPath(proposal.id))
      )
    )
  })
)

const isOutdated = ({ draft, revision }: FormDraft): boolean => draft.state !== "DRAFT" || draft.revision !== revision

/** Shows all entered values, with the current draft or without it where it has ended. */
const formOnNewest = (
  visitor: Visitor,
  choices: ProposalChoices,
  draft: Draft,
  { fields, requestId }: { readonly fields: Fields; readonly requestId: string }
): string => {
  const { [previewDigestName]: _, ...terms } = fields
  const isOpen = draft.state === "DRAFT"
  const opened = isOpen ? { draft, revision: draft.revision } : undefined
  return showProposalForm(
    writingFor(visitor, choices, opened),
    { sent: terms, problems: [] },
    requestId,
    notice(
      "warning",
      paragraph(
        `The draft was ${isOpen ? "changed" : "finished"} meanwhile, and nothing was done: `,
        linkTo(draftPath(draft.draftId), "see the draft"),
        isOpen
          ? ". Your entries are below; continuing finishes the current draft with them."
          : ". Your entries are below; continuing creates a separate proposal, independent of the draft."
      )
    )
  )
}

export const proposalCreation = Layer.merge(show, take)
