/** Writes a proposal for one of a person's organizations, from an empty form or a supplier's draft. */
import { Effect, Layer } from "effect"
import { completionHook } from "../../drafts/finish.ts"
import { createProposalAsPerson } from "../../proposals/person-operations.ts"
import { committedTarget } from "../../replay/idempotency.ts"
import { linkTo, notice, paragraph } from "../kit/parts.ts"
import { proposalPath } from "./identity.ts"
import { submittedFields, requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm } from "../kit/signed-in.ts"
import type { Fields } from "../kit/urlencoded.ts"
import type { Visitor } from "../kit/visitor.ts"
import type { TermsChoices } from "../agreements/choices.ts"
import type { Draft, FormDraft } from "../agreements/finish-draft.ts"
import { stepName } from "../agreements/form.ts"
import { readStart, startedPage, startPage, type StartPage } from "../agreements/start.ts"
import { previewDigestName, showForm, withoutFields } from "../agreements/steps.ts"
import { draftPath } from "../drafts/path.ts"
import { newProposalPath, proposalsPath } from "./path.ts"
import { fieldsFromSupplierDraft } from "./prefill.ts"
import { handleWritingStep, proposalForm } from "./writing.ts"
import { acknowledge } from "../kit/acknowledgement.ts"

const start: StartPage = {
  path: newProposalPath,
  title: "Write a proposal",
  place: "proposals",
  authority: "PROPOSAL_MANAGE",
  role: "SUPPLIER",
  writer: "You write it as supplier for ",
  all: linkTo(proposalsPath, "All proposals"),
  note: "It is visible only in your organization until you publish it, which is a separate step.",
  effect: [
    paragraph("It is saved as version 1, visible only to members of your organization."),
    paragraph("The recipient can read it once you publish it from the next page. It is not binding.")
  ],
  commitLabel: "Save this proposal",
  fieldsFromDraft: fieldsFromSupplierDraft,
  showForm: (page, state, requestId) => showForm(proposalForm(page), state, requestId),
  afterChoice: paragraph(linkTo(proposalsPath, "All proposals"))
}

const take = signedInForm(start.path, (visitor, sent) =>
  Effect.gen(function* () {
    const { requestId, form } = yield* takeRequestId(sent)
    const request = requestOf(visitor, requestId, "createOwnProposal", { values: submittedFields(form) })
    const committedId = yield* committedTarget(request)
    if (committedId !== undefined) return seeOther(proposalPath(committedId))
    const { organizationId, opened, fields, choices } = yield* readStart(visitor, form, start.authority)
    if (opened !== undefined && fields[stepName] === undefined && isOutdated(opened)) {
      return pageResponse(formOnNewest(visitor, choices, opened.draft, { fields, requestId }), 409)
    }
    const finish =
      opened === undefined
        ? undefined
        : completionHook({ draftId: opened.draft.draftId, revision: opened.revision, organizationId, role: "SUPPLIER" })
    const taken = { requestId, form: { ...form, fields } }
    return yield* handleWritingStep(startedPage(start, visitor, choices, opened), taken, (input) =>
      Effect.flatMap(
        createProposalAsPerson(visitor.person, request, { organizationId, ...input }, finish),
        ({ proposal }) =>
          acknowledge(visitor, proposalPath(proposal.id), {
            did: "You saved this proposal.",
            next: "Only your organization sees it until you publish it."
          })
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
    proposalForm(startedPage(start, visitor, choices, opened)),
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

export const proposalCreation = Layer.merge(startPage(start), take)
