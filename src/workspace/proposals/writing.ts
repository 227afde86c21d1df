/** The form of a proposal's version: its fields, its preview with the recipient, and the refusals that it shows. */
import { Effect, Result } from "effect"
import type { LegalDocument } from "../../projects/terms.ts"
import { currentDocuments } from "../../projects/legal.ts"
import type { ProposalInput } from "../../proposals/proposal.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import type { Problem } from "../kit/fields.ts"
import { untrusted } from "../kit/html.ts"
import { linkTo, notice, paragraph, section } from "../kit/parts.ts"
import type { TermsChoices } from "../agreements/choices.ts"
import { handleTermsStep, type PreviewContent, type TermsForm, type TermsPage } from "../agreements/terms-form.ts"
import { personOf } from "../projects/identity.ts"
import { termsFacts } from "../projects/terms.ts"
import type { FormWithRequestId } from "../kit/idempotent-form.ts"
import { proposalFields } from "./form.ts"
import { proposalRefusalText } from "./labels.ts"
import { nameOfAmong } from "./names.ts"
import { proposalsPath } from "./path.ts"
import { decodeProposal, notMemberMessage, recipientName, type DecodedProposal } from "./values.ts"

export interface WrittenProposal extends DecodedProposal {
  /** The current legal documents, which become part of the terms. */
  readonly documents: ReadonlyArray<LegalDocument>
}

type Documents = Effect.Services<typeof currentDocuments>

export const proposalForm = (writing: TermsPage): TermsForm<WrittenProposal, Documents> => {
  const { choices, path, visitor } = writing
  return {
    ...writing,
    place: "proposals",
    fields: (state, sections) => proposalFields(state, choices, path, sections),
    decode: (sent) =>
      Effect.flatMap(currentDocuments, (documents) =>
        Effect.map(
          decodeProposal(choices, sent),
          Result.map((decoded) => ({ ...decoded, documents }))
        )
      ),
    preview: (written) => Effect.succeed(preview(choices, written)),
    confirmationNames: [],
    refusalText: (refused) => untrusted(proposalRefusalText(refused)),
    usedNotice,
    problemOf: (refused, written) => problemOf(refused, written, visitor.person.personId)
  }
}

/**
 * Handles the form; `save` saves the version and returns the redirect. The caller has already answered replays, before
 * the form is validated again.
 */
export const handleWritingStep = <R, A>(
  writing: TermsPage,
  submission: FormWithRequestId,
  save: (input: ProposalInput) => Effect.Effect<A, Refusal, R>
) => handleTermsStep(proposalForm(writing), submission, (written) => save(savedProposal(written)))

/** The input of a version with the documents that its preview showed. */
export const savedProposal = ({ documents, terms, ...recipient }: WrittenProposal): ProposalInput => ({
  ...recipient,
  terms: { ...terms, legalContext: { documents } }
})

const preview = (choices: TermsChoices, written: WrittenProposal): PreviewContent => {
  const { terms, documents, recipientActorId, recipientReference } = written
  const nameOf = nameOfAmong([...choices.contacts, ...choices.members])
  return {
    before: [
      paragraph("Nothing has been done yet. This is the version exactly as it will be saved."),
      section(
        "The terms",
        termsFacts({ ...terms, legalContext: { documents } }, nameOf, [
          ["Proposed by", untrusted(choices.organizationName)],
          ["Recipient", [personOf(recipientActorId, nameOf), ", known to you as ", untrusted(recipientReference)]]
        ])
      )
    ],
    after: null,
    confirmation: {}
  }
}

const usedNotice = notice(
  "warning",
  paragraph(
    "This form was already used to save something else; see your ",
    linkTo(proposalsPath, "proposals"),
    ". Save this only if you want both."
  )
)

/** The field at which a refusal is corrected. */
const problemOf = (
  refused: Refusal,
  { terms: { supplierActorId, signing }, recipientActorId }: DecodedProposal,
  personId: string
): Problem | undefined => {
  switch (refused.code) {
    case "DEADLINE_NOT_FUTURE":
      return refused.facts.detail === undefined
        ? { field: "deadline", message: "The delivery date lies in the past." }
        : { field: "agreementSignBy", message: "The date for signing the agreement lies in the past." }
    case "UNKNOWN_SUPPLIER":
      return { field: "supplierActorId", message: notMemberMessage }
    case "SAME_PARTY": {
      const isRecipient = [personId, supplierActorId].includes(recipientActorId)
      return {
        field: isRecipient ? recipientName : signing === undefined ? "supplierActorId" : "counterparty",
        message: "Buyer and supplier must be different persons, also as signers."
      }
    }
    default:
      return undefined
  }
}
