/** Writes a proposal for one of a person's organizations, from an empty form or a supplier's draft. */
import { Effect, Layer } from "effect"
import { completionHook } from "../../drafts/finish.ts"
import { createProposalAsPerson } from "../../proposals/person-operations.ts"
import { committedTarget } from "../../replay/idempotency.ts"
import { untrusted } from "../kit/html.ts"
import { linkTo, notice, paragraph } from "../kit/parts.ts"
import { proposalPath } from "./identity.ts"
import { submittedFields, requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm } from "../kit/signed-in.ts"
import type { Fields } from "../kit/urlencoded.ts"
import type { Visitor } from "../kit/visitor.ts"
import type { TermsChoices } from "../agreements/choices.ts"
import { draftDescription, draftPageOptions, type Draft, type FormDraft } from "../agreements/finish-draft.ts"
import { stepName } from "../agreements/form.ts"
import { readStart, startPage } from "../agreements/start.ts"
import { previewDigestName, showForm, withoutFields } from "../agreements/steps.ts"
import { draftPath } from "../drafts/path.ts"
import { newProposalPath, proposalsPath } from "./path.ts"
import { fieldsFromSupplierDraft } from "./prefill.ts"
import { handleWritingStep, proposalForm, type WritingPage } from "./writing.ts"

const title = "Write a proposal"

const writingFor = (visitor: Visitor, choices: TermsChoices, opened: FormDraft | undefined): WritingPage => {
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
    const { organizationId, opened, fields, choices } = yield* readStart(visitor, form, "PROPOSAL_MANAGE")
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
  choices: TermsChoices,
  draft: Draft,
  { fields, requestId }: { readonly fields: Fields; readonly requestId: string }
): string => {
  const isOpen = draft.state === "DRAFT"
  const opened = isOpen ? { draft, revision: draft.revision } : undefined
  return showForm(
    proposalForm(writingFor(visitor, choices, opened)),
    { sent: withoutFields(fields, [previewDigestName]), problems: [] },
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

const show = startPage({
  path: newProposalPath,
  title,
  place: "proposals",
  authority: "PROPOSAL_MANAGE",
  role: "SUPPLIER",
  fieldsFromDraft: fieldsFromSupplierDraft,
  showForm: (visitor, choices, opened, state, requestId) =>
    showForm(proposalForm(writingFor(visitor, choices, opened)), state, requestId),
  afterChoice: paragraph(linkTo(proposalsPath, "All proposals"))
})

export const proposalCreation = Layer.merge(show, take)
