/** Decodes and validates the fields of a proposal's form. */
import { Effect, Result } from "effect"
import { refuse, type Refusal } from "../../vocabulary/refusals.ts"
import { brokenRules, firstOfEach, type FormState, type Problem } from "../kit/fields.ts"
import { foreignFormDetail, type FormSubmission } from "../kit/form.ts"
import { isPersonId } from "../kit/person-id.ts"
import { decodeAgreement, type TermsInput } from "../agreements/values.ts"
import type { TermsChoices } from "../agreements/choices.ts"

/** The name of the field with the recipient's contact id. */
export const recipientName = "recipient"

/** The entered proposal, without legal documents. */
export interface DecodedProposal {
  readonly terms: TermsInput
  readonly recipientActorId: string
  readonly recipientReference: string
}

/** The decoded proposal, or the state with which the page shows its form again. */
export const decodeProposal = Effect.fnUntraced(function* (
  choices: TermsChoices,
  sent: FormSubmission
): Effect.fn.Return<Result.Result<DecodedProposal, FormState>, Refusal> {
  const { [recipientName]: recipient, ...fields } = sent.fields
  if (isBuyersForm(fields)) return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
  const contact = choices.contacts.find(({ contactId }) => contactId === recipient)
  const { principal: typed = "" } = fields
  const principal = typed === "" ? (contact?.personId ?? "") : typed
  const decoded = yield* decodeAgreement(
    // The buyer's signer need not be a member: any person may be named.
    { ...choices, contacts: [], members: signerOf(principal) },
    false,
    { ...sent, fields: { ...fields, supplierBy: "PERSON", principal } }
  )
  const problems = [
    ...(contact === undefined ? [{ field: recipientName, message: "Choose one of the contacts to send it to." }] : []),
    ...(Result.isFailure(decoded) ? decoded.failure.problems : []),
    ...partyProblems(fields, choices)
  ]
  if (contact === undefined || Result.isFailure(decoded) || problems.length > 0) {
    return Result.fail({ sent: sent.fields, problems: firstOfEach(problems) })
  }
  const { personId, reference } = contact
  return Result.succeed({
    terms: decoded.success.terms,
    recipientActorId: personId,
    recipientReference: reference
  })
})

/** True for fields that only the form of an agreement has. */
export const isBuyersForm = ({ supplierBy, supplierContact }: FormSubmission["fields"]): boolean =>
  supplierBy !== undefined || supplierContact !== undefined

const signerOf = (principal: FormSubmission["fields"][string]): TermsChoices["members"] =>
  typeof principal === "string" && isPersonId(principal.trim()) ? [{ personId: principal.trim(), name: "" }] : []

/** The supplier's representative and signer must be members of the proposing organization. */
const partyProblems = (fields: FormSubmission["fields"], { members }: TermsChoices): ReadonlyArray<Problem> => {
  const isMember = (name: string) => members.some(({ personId }) => personId === fields[name])
  const signs = fields["signing"] !== "OFF" && fields["counterparty"] !== undefined && fields["counterparty"] !== ""
  return brokenRules([
    [!isMember("supplierActorId"), "supplierActorId", notMemberMessage],
    [
      signs && !isMember("counterparty"),
      "counterparty",
      "Choose a member of your organization who signs for the supplier."
    ]
  ])
}

export const notMemberMessage = "Choose a member of your organization as representative of the supplier."
