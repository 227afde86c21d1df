/** Writes a proposal for one of a person's organizations, in the steps of a supplier's draft. */
import { Effect, Layer, Result, Schema } from "effect"
import { finishPath } from "../../drafts/draft.ts"
import { completionHook } from "../../drafts/finish.ts"
import { createDraftAsPerson } from "../../drafts/person-operations.ts"
import { createProposalAsPerson, readProposalAsPerson } from "../../proposals/person-operations.ts"
import { idOf } from "../../vocabulary/ids.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { readChoices } from "../agreements/choices.ts"
import { contentLike } from "../agreements/prefill.ts"
import { draftKind, type FinishedDraft } from "../drafts/kind.ts"
import { draftKindPages, isOrganizationId } from "../drafts/start.ts"
import { requestOf, submittedFields, takeRequestId } from "../kit/idempotent-form.ts"
import { page } from "../kit/page.ts"
import { linkTo, list, paragraph, section } from "../kit/parts.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm } from "../kit/signed-in.ts"
import { acknowledge } from "../kit/acknowledgement.ts"
import { decodePartialProposal } from "./draft-values.ts"
import { enteredTerms } from "./entered-terms.ts"
import { proposalPath } from "./identity.ts"
import { newProposalPath, proposalFromEntriesPath, proposalsPath } from "./path.ts"
import { fieldsFromSupplierDraft } from "./prefill.ts"
import { proposalForm, savedProposal, type WrittenProposal } from "./writing.ts"

export const proposalKind = draftKind({
  path: newProposalPath,
  title: "Write a proposal",
  place: "proposals",
  authority: "PROPOSAL_MANAGE",
  role: "SUPPLIER",
  writer: "You write it as supplier for ",
  all: linkTo(proposalsPath, "All proposals"),
  note: "Each step is saved in a draft. It is visible only in your organization until you publish it, which is a separate act.",
  effect: [
    paragraph("It is saved as version 1, visible only to members of your organization."),
    paragraph("The recipient can read it once you publish it from the next page. It is not binding.")
  ],
  commitLabel: "Save this proposal",
  fieldsFromDraft: fieldsFromSupplierDraft,
  decodePartial: decodePartialProposal,
  readLike: (visitor, proposalId) =>
    Effect.gen(function* () {
      if (!isProposalId(proposalId)) return yield* refuse("NOT_FOUND")
      const { role, organizationId, proposal } = yield* readProposalAsPerson(visitor.person, proposalId)
      if (role !== "SUPPLIER") return yield* refuse("FORBIDDEN", { detail: "Your organization did not write it." })
      const { actorId, reference } = proposal.recipient
      const recipient = { actorId, ...(reference === null ? {} : { reference }) }
      return { organizationId, content: { ...contentLike(proposal.terms), recipient } }
    }),
  form: proposalForm,
  operation: "createOwnProposal",
  outcomePath: proposalPath,
  commit: ({ visitor, request, draft, entered }: FinishedDraft<WrittenProposal>) => {
    const { draftId, revision, organizationId } = draft
    const finish = completionHook({ draftId, revision, organizationId, role: "SUPPLIER" })
    const input = { organizationId, ...savedProposal(entered) }
    return Effect.flatMap(createProposalAsPerson(visitor.person, request, input, finish), ({ proposal }) =>
      acknowledge(visitor, proposalPath(proposal.id), {
        did: "You saved this proposal.",
        next: "Only your organization sees it until you publish it."
      })
    )
  }
})

const isProposalId = Schema.is(idOf("proposal"))

/** Starts a draft with all terms that were entered for a proposal of which no version can be saved any more. */
const fromEntries = signedInForm(
  { path: proposalFromEntriesPath, shownAt: newProposalPath },
  function* (visitor, sent) {
    const { requestId, form } = yield* takeRequestId(sent)
    const { organizationId, ...fields } = form.fields
    if (!isOrganizationId(organizationId)) return yield* refuse("INVALID_REQUEST")
    const choices = yield* readChoices(visitor.person, organizationId, "PROPOSAL_MANAGE")
    const decoded = yield* decodePartialProposal(choices, {}, { ...form, fields })
    if (Result.isFailure(decoded)) {
      const problems = decoded.failure.problems.map(({ message }) => message)
      const { viewer } = visitor
      const options = { title: "Continue in a new proposal", viewer, place: "proposals" as const }
      const invalid = section("This cannot be saved", list(problems))
      return pageResponse(page(options, invalid, enteredTerms(fields)), 400)
    }
    const request = requestOf(visitor, requestId, "createDraft", { values: submittedFields(form) })
    const draft = { organizationId, role: "SUPPLIER" as const, content: decoded.success }
    const { draftId } = yield* createDraftAsPerson(visitor.person, request, draft)
    return seeOther(finishPath("SUPPLIER", draftId))
  }
)

export const proposalCreation = Layer.merge(draftKindPages(proposalKind), fromEntries)
