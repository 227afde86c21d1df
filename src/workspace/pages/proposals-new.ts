/** Writes a proposal for one of a person's organizations, from an empty form or a supplier's draft. */
import { Effect, Layer, Schema } from "effect"
import { finishing } from "../../drafts/finish.ts"
import { readDraftAsPerson } from "../../drafts/person-operations.ts"
import { createProposalAsPerson } from "../../proposals/person-operations.ts"
import { committedTarget } from "../../replay/replay.ts"
import { idOf } from "../../vocabulary/ids.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { queryOf } from "../address.ts"
import { emptyForm } from "../fields.ts"
import { untrusted } from "../html.ts"
import { page } from "../page.ts"
import { linkTo, list, notice, paragraph } from "../parts.ts"
import { proposalPath } from "../proposal-identity.ts"
import { entered, newRequestId, requestOf, takeRequestId } from "../request-form.ts"
import { pageResponse, seeOther } from "../response.ts"
import { signedInForm, signedInPage } from "../signed-in.ts"
import type { Fields } from "../urlencoded.ts"
import type { Visitor } from "../visitor.ts"
import {
  aboutDraft,
  draftingOf,
  draftName,
  isDraftId,
  openedDraft,
  revisionName,
  type Draft,
  type OpenedDraft
} from "./agreements-draft.ts"
import { stepName } from "./agreements-form.ts"
import { shownName } from "./agreements-preview.ts"
import { notAsShown } from "./agreements-rows.ts"
import { draftPath } from "./drafts-path.ts"
import { readProposalAuthors, readProposalChoices, type ProposalChoices } from "./proposals-choices.ts"
import { newProposalPath, proposalsPath } from "./proposals-path.ts"
import { fieldsFromSupplierDraft } from "./proposals-prefill.ts"
import { showProposalForm, takeProposalStep, type Writing } from "./proposals-steps.ts"

const title = "Write a proposal"

const show = signedInPage(newProposalPath, (visitor) =>
  Effect.gen(function* () {
    const query = yield* queryOf
    const draftId = query("draft")
    if (draftId !== undefined) return yield* showDraft(visitor, draftId)
    const organizationParameter = query("organizationId")
    const authors = yield* readProposalAuthors(visitor.person)
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
  const authors = yield* readProposalAuthors(visitor.person)
  const isAuthor = authors.some(({ organizationId }) => organizationId === draft.organizationId)
  if (draft.role !== "SUPPLIER" || draft.state !== "DRAFT" || !isAuthor) return seeOther(draftPath(draftId))
  const choices = yield* readProposalChoices(visitor.person, draft.organizationId)
  const state = { sent: fieldsFromSupplierDraft(draft.content, choices), problems: [] }
  const writing = writingFor(visitor, choices, { draft, revision: draft.revision })
  return pageResponse(showProposalForm(writing, state, yield* newRequestId))
})

const isOrganization = Schema.is(idOf("organization"))

const choicePage = ({ viewer }: Visitor, authors: Effect.Success<ReturnType<typeof readProposalAuthors>>): string =>
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

const writingFor = (visitor: Visitor, choices: ProposalChoices, opened: OpenedDraft | undefined): Writing => {
  const { carried = { organizationId: choices.organizationId }, pinned = {} } =
    opened === undefined ? {} : draftingOf(opened)
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
      opened === undefined ? null : aboutDraft(opened.draft)
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
    const request = requestOf(visitor, requestId, "createOwnProposal", { values: entered(form) })
    const committedId = yield* committedTarget(request)
    if (committedId !== undefined) return seeOther(proposalPath(committedId))
    const { organizationId, [draftName]: draftId, [revisionName]: revision, ...fields } = form.fields
    const opened = yield* openedDraft(visitor, draftId, revision)
    if (!isOrganization(organizationId) || (opened !== undefined && opened.draft.organizationId !== organizationId)) {
      return yield* refuse("INVALID_REQUEST", { detail: notAsShown })
    }
    const choices = yield* readProposalChoices(visitor.person, organizationId)
    if (opened !== undefined && fields[stepName] === undefined && isOutdated(opened)) {
      return pageResponse(formOnNewest(visitor, choices, opened.draft, { fields, requestId }), 409)
    }
    const finish =
      opened === undefined
        ? undefined
        : finishing({ draftId: opened.draft.draftId, revision: opened.revision, organizationId, role: "SUPPLIER" })
    const taken = { requestId, form: { ...form, fields } }
    return yield* takeProposalStep(writingFor(visitor, choices, opened), taken, (input) =>
      Effect.map(
        createProposalAsPerson(visitor.person, request, { organizationId, ...input }, finish),
        ({ proposal }) => seeOther(proposalPath(proposal.id))
      )
    )
  })
)

const isOutdated = ({ draft, revision }: OpenedDraft): boolean => draft.state !== "DRAFT" || draft.revision !== revision

/** Shows all entered values, with the current draft or without it where it has ended. */
const formOnNewest = (
  visitor: Visitor,
  choices: ProposalChoices,
  draft: Draft,
  { fields, requestId }: { readonly fields: Fields; readonly requestId: string }
): string => {
  const { [shownName]: _, ...terms } = fields
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
