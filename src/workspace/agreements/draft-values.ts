/** Decodes an agreement's form as a draft: empty fields are unfinished, and none is required. */
import { Effect, Result } from "effect"
import type { DraftContent } from "../../drafts/content.ts"
import { definedMembers, optionalGroup } from "../../drafts/input.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import type { FormState } from "../kit/fields.ts"
import { decodeForm, type FormSubmission } from "../kit/form.ts"
import type { TermsChoices } from "./choices.ts"
import { decodePartialRows } from "./rows.ts"
import { signingWayOf } from "./prefill.ts"
import { enteredContent, recipientProblems, supplierOf, valuesSchema, type EnteredValues } from "./values.ts"

const draftSchema = valuesSchema(true)

/** The entered values; members of the previous draft that the form does not show are preserved. */
export const decodePartialDraft = Effect.fnUntraced(function* (
  choices: Pick<TermsChoices, "contacts">,
  before: DraftContent,
  sent: FormSubmission
): Effect.fn.Return<Result.Result<DraftContent, FormState>, Refusal> {
  const { rows, rest } = yield* decodePartialRows(sent, before.criteria)
  const decoded = Result.map(yield* decodeForm(draftSchema, rest), (values) => values as unknown as EnteredValues)
  const problems = [
    ...(Result.isFailure(decoded) ? decoded.failure.problems : recipientProblems(decoded.success)),
    ...(Result.isFailure(rows) ? rows.failure : [])
  ]
  if (Result.isFailure(decoded) || Result.isFailure(rows) || problems.length > 0) {
    return Result.fail({ sent: sent.fields, problems })
  }
  const content = contentFrom(decoded.success, choices, before)
  return Result.succeed({ ...preservedMembers(before), ...recipientOf(before, content), ...content, ...rows.success })
})

/** The members that the form does not show. */
const preservedMembers = (content: DraftContent) => {
  const { source, sourceReference, references, templateBinding, specification, legalContext, materialPolicy } = content
  return definedMembers({
    source,
    sourceReference,
    references,
    templateBinding,
    specification,
    legalContext,
    materialPolicy
  })
}

/**
 * The recipient, where the form shows the supplier separately. Where no supplier was named, the form shows the
 * recipient as supplier: then its value counts, and a removed supplier does not reappear as recipient.
 */
const recipientOf = (before: DraftContent, after: Pick<DraftContent, "supplierActorId" | "supplierReference">) => {
  const { recipient = {}, supplierActorId, supplierReference } = before
  const isSeparate = (shown: string | undefined, saved: string | undefined) =>
    shown !== undefined && saved !== undefined
  return definedMembers({
    recipient: optionalGroup({
      actorId: isSeparate(supplierActorId, after.supplierActorId) ? recipient.actorId : undefined,
      reference: isSeparate(supplierReference, after.supplierReference) ? recipient.reference : undefined
    })
  })
}

const contentFrom = (
  values: EnteredValues,
  choices: Pick<TermsChoices, "contacts">,
  before: DraftContent
): DraftContent => {
  const { content, groups } = enteredContent(values)
  const { sharingRecipients, ...policy } = groups.termsPolicy
  // An explicitly empty list stays empty; an empty field alone means unspecified.
  const isKept = values.sharingRecipients !== "" || before.termsPolicy?.sharingRecipients?.length === 0
  return {
    ...content,
    ...definedMembers({
      supplierActorId: supplierOf(values, choices),
      termsPolicy: optionalGroup({ ...policy, sharingRecipients: isKept ? sharingRecipients : undefined }),
      originals: optionalGroup(groups.originals),
      signing: optionalGroup({ ...wayFrom(values, before), ...groups.signing })
    })
  }
}

/** The signing method, unchanged where the form was left as shown. */
const wayFrom = ({ signing: way }: EnteredValues, { signing }: DraftContent) =>
  signing !== undefined && (way ?? "") === signingWayOf(signing)
    ? { enabled: signing.enabled, method: signing.method }
    : { enabled: way === undefined ? undefined : way !== "OFF", method: way === "OFF" ? undefined : way }
