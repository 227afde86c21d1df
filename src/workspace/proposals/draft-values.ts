/** Decodes sections of a proposal's form as a supplier's draft. */
import { Effect, Result } from "effect"
import type { DraftContent } from "../../drafts/content.ts"
import { definedMembers } from "../../drafts/input.ts"
import { refuse, type Refusal } from "../../vocabulary/refusals.ts"
import type { TermsChoices } from "../agreements/choices.ts"
import { decodePartialDraft } from "../agreements/draft-values.ts"
import type { FormSection } from "../agreements/fields.ts"
import type { FormState } from "../kit/fields.ts"
import { foreignFormDetail, type FormSubmission } from "../kit/form.ts"
import { contactOf } from "./prefill.ts"
import { isBuyersForm, recipientName } from "./values.ts"

/** The draft with the entered values; its recipient is one of the contacts. */
export const decodePartialProposal = Effect.fnUntraced(function* (
  choices: TermsChoices,
  before: DraftContent,
  sent: FormSubmission,
  sections?: ReadonlyArray<FormSection>
): Effect.fn.Return<Result.Result<DraftContent, FormState>, Refusal> {
  const { [recipientName]: chosen, ...fields } = sent.fields
  if (isBuyersForm(fields)) return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
  const decoded = yield* decodePartialDraft({ contacts: [] }, before, { ...sent, fields }, sections)
  if (Result.isFailure(decoded)) return Result.fail({ ...decoded.failure, sent: sent.fields })
  if (sections?.includes("parties") === false) return decoded
  const { recipient: _, ...content } = decoded.success
  const contact = choices.contacts.find(({ contactId }) => contactId === chosen)
  // A named recipient who is no contact has no choice in the form.
  const unshown = contactOf(before, choices) === undefined ? before.recipient : undefined
  const recipient = contact === undefined ? unshown : { actorId: contact.personId, reference: contact.reference }
  return Result.succeed({ ...content, ...definedMembers({ recipient }) })
})
