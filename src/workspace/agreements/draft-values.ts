/** Decodes an agreement's form as a draft: empty fields are unfinished, and none is required. */
import { Effect, Result, Schema } from "effect"
import type { DraftContent } from "../../drafts/content.ts"
import { definedMembers, optionalGroup } from "../../drafts/input.ts"
import { limits } from "../../vocabulary/limits.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import type { FormState } from "../kit/fields.ts"
import { decodeForm, type FormSubmission } from "../kit/form.ts"
import { oneOf, optionalLine, optionalLines } from "../kit/form-values.ts"
import { isPersonId, personIdFormat } from "../kit/person-id.ts"
import { instantFrom } from "../kit/time-input.ts"
import type { AgreementChoices } from "./choices.ts"
import { decodePartialRows } from "./rows.ts"
import { signingWayOf } from "./draft-prefill.ts"
import {
  contractOptions,
  optionalDate,
  orEmpty,
  recipientProblems,
  recipientsIn,
  signingOptions,
  supplierOptions
} from "./values.ts"

/** The entered values; members of the previous draft that the form does not show are preserved. */
export const decodePartialDraft = Effect.fnUntraced(function* (
  choices: Pick<AgreementChoices, "contacts">,
  before: DraftContent,
  sent: FormSubmission
): Effect.fn.Return<Result.Result<DraftContent, FormState>, Refusal> {
  const { rows, rest } = yield* decodePartialRows(sent, before.criteria)
  const decoded = yield* decodeForm(Values, rest)
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

const name = (what: string) => orEmpty(optionalLine(what, limits.titleCharacters))
const text = (what: string) => orEmpty(optionalLines(what, limits.textCharacters))
const longText = (what: string) => orEmpty(optionalLines(what, limits.scopeCharacters))
const personId = (what: string) =>
  orEmpty(
    optionalLine(what, limits.titleCharacters).check(
      Schema.makeFilter((given: string) => given === "" || isPersonId(given), { message: personIdFormat })
    )
  )

const Values = Schema.Struct({
  title: name("The title"),
  scope: longText("The scope"),
  buyerName: name("The buyer’s name"),
  supplierName: name("The supplier’s name"),
  supplierReference: text("The reference of the supplier"),
  supplierBy: Schema.optionalKey(oneOf("how the supplier is named", supplierOptions)),
  supplierContact: name("The contact"),
  supplierActorId: personId("The supplier’s person id"),
  deadline: optionalDate("The delivery date"),
  reviewDeadline: optionalDate("The review date"),
  retainUntil: optionalDate("The date until which it is kept"),
  baselineStatement: longText("The state at the start"),
  purpose: text("The purpose"),
  contractBasis: Schema.optionalKey(oneOf("the contract", contractOptions)),
  contractReference: text("The reference of the contract"),
  contractClauses: longText("The clauses of the contract"),
  sharing: text("What is shared with whom"),
  sharingRecipients: orEmpty(optionalLines("The recipients", limits.sharingRecipients * (limits.titleCharacters + 1))),
  custodian: name("Who keeps the originals"),
  location: text("Where the originals are"),
  access: text("Who may open the originals"),
  signing: Schema.optionalKey(oneOf("signatures", signingOptions)),
  principal: personId("Who signs for the buyer"),
  counterparty: personId("The person id of who signs for the supplier"),
  signingContact: name("The contact for signing"),
  agreementSignBy: optionalDate("The date for signing the agreement"),
  acceptanceSignBy: optionalDate("The date for signing the acceptance")
})
type Values = typeof Values.Type

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

const contentFrom = (values: Values, choices: Pick<AgreementChoices, "contacts">, before: DraftContent) => {
  const recipients = recipientsIn(values.sharingRecipients)
  const isExplicitlyEmpty = before.termsPolicy?.sharingRecipients?.length === 0
  return definedMembers({
    title: nonEmpty(values.title),
    scope: nonEmpty(values.scope),
    buyerName: nonEmpty(values.buyerName),
    supplierName: nonEmpty(values.supplierName),
    supplierReference: nonEmpty(values.supplierReference),
    supplierActorId: supplierOf(values, choices),
    deadline: instantFrom(values.deadline),
    reviewDeadline: instantFrom(values.reviewDeadline),
    retainUntil: instantFrom(values.retainUntil),
    baselineStatement: nonEmpty(values.baselineStatement),
    termsPolicy: optionalGroup({
      purpose: nonEmpty(values.purpose),
      contractBasis: values.contractBasis,
      contractReference: nonEmpty(values.contractReference),
      contractClauses: nonEmpty(values.contractClauses),
      sharing: nonEmpty(values.sharing),
      // An explicitly empty list stays empty; an empty field alone means unspecified.
      sharingRecipients: recipients.length > 0 || isExplicitlyEmpty ? recipients : undefined
    }),
    originals: optionalGroup({
      custodian: nonEmpty(values.custodian),
      location: nonEmpty(values.location),
      access: nonEmpty(values.access)
    }),
    signing: signingFrom(values, before)
  })
}

const nonEmpty = (text: string): string | undefined => (text === "" ? undefined : text)

const supplierOf = (
  { supplierBy, supplierContact, supplierActorId }: Values,
  { contacts }: Pick<AgreementChoices, "contacts">
) => {
  if (supplierBy === "LATER") return undefined
  return supplierBy === "CONTACT"
    ? contacts.find(({ contactId }) => contactId === supplierContact)?.personId
    : nonEmpty(supplierActorId)
}

const signingFrom = (values: Values, before: DraftContent) =>
  optionalGroup({
    ...wayFrom(values, before),
    principal: nonEmpty(values.principal),
    counterparty: nonEmpty(values.counterparty),
    contact: nonEmpty(values.signingContact),
    agreementSignBy: instantFrom(values.agreementSignBy),
    acceptanceSignBy: instantFrom(values.acceptanceSignBy)
  })

/** The signing method, unchanged where the form was left as shown. */
const wayFrom = ({ signing: way }: Values, { signing }: DraftContent) =>
  signing !== undefined && (way ?? "") === signingWayOf(signing)
    ? { enabled: signing.enabled, method: signing.method }
    : { enabled: way === undefined ? undefined : way !== "OFF", method: way === "OFF" ? undefined : way }
