/** Decodes and validates the fields of an agreement's form. */
import { Effect, Result, Schema } from "effect"
import type { DraftContent } from "../../drafts/content.ts"
import type { CreateInput } from "../../projects/new-project.ts"
import type { contractBases, signingMethods, TermsGroup } from "../../projects/terms.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { definedMembers } from "../../drafts/input.ts"
import { brokenRules, firstOfEach, type FormState, type Problem, type Rule } from "../kit/fields.ts"
import { decodeForm, type FormSubmission } from "../kit/form.ts"
import { lines, oneOf, optionalLine } from "../kit/form-values.ts"
import { isPersonId, personIdFormat } from "../kit/person-id.ts"
import { instantFrom } from "../kit/time-input.ts"
import type { TermsChoices } from "./choices.ts"
import { fieldSchema, linesIn, orEmpty, valueOf } from "./controls.ts"
import { fields, formSections, type FieldName, type FormSection } from "./fields.ts"
import { decodeRows } from "./rows.ts"

/** The entered terms, without legal documents and confirmation. */
export type TermsInput = Omit<CreateInput, "requestId" | "legalContext" | "confirmationDigest">

export interface AgreementInput {
  readonly terms: TermsInput
  /** The reason of a revision; empty for a first version. */
  readonly reason: string
}

export const supplierOptions = ["CONTACT", "PERSON", "LATER"] as const

/** The entered texts; in a draft, what was not chosen is absent. */
export interface EnteredValues extends Readonly<Record<Exclude<FieldName, "contractBasis" | "signing">, string>> {
  readonly supplierBy?: (typeof supplierOptions)[number]
  readonly supplierContact: string
  readonly contractBasis?: (typeof contractBases)[number]
  readonly signing?: "OFF" | (typeof signingMethods)[number]
}

/** The schema of the form's fields in these sections, which are needed or may be missing as in a draft. */
export const valuesSchema = (isNeeded: boolean, sections: ReadonlyArray<FormSection> = formSections) => {
  const supplierBy = oneOf("how the supplier is named", supplierOptions)
  const supplierFields = {
    supplierBy: isNeeded ? supplierBy : Schema.optionalKey(supplierBy),
    supplierContact: orEmpty(optionalLine("The contact", limits.titleCharacters))
  }
  const entered = fields.filter(({ section }) => sections.includes(section))
  const schemas = entered.flatMap((field) => [
    ...(field.formName === "supplierActorId" ? Object.entries(supplierFields) : []),
    [field.formName, fieldSchema(field, isNeeded)] as const
  ])
  return Schema.Struct(Object.fromEntries(schemas))
}

const completeSchema = valuesSchema(true)
const possibleSchema = valuesSchema(false)

/** The decoded terms, or the state with which the page shows its form again. */
export const decodeAgreement = Effect.fnUntraced(function* (
  choices: TermsChoices,
  isRevision: boolean,
  sent: FormSubmission
): Effect.fn.Return<Result.Result<AgreementInput, FormState>, Refusal> {
  const { rows, rest } = yield* decodeRows(sent)
  const { reason, form } = yield* decodeReason(isRevision, rest)
  const decoded = yield* decodeForm(completeSchema, form)
  // The rules about several fields also apply where another field is missing.
  const possible = yield* decodeForm(possibleSchema, form)
  const problems = firstOfEach([
    ...(Result.isFailure(reason) ? reason.failure.problems : []),
    ...(Result.isFailure(decoded) ? decoded.failure.problems : []),
    ...(Result.isFailure(rows) ? rows.failure : []),
    ...(Result.isFailure(possible) ? [] : problemsOf(possible.success as unknown as EnteredValues, choices))
  ])
  if (Result.isFailure(reason) || Result.isFailure(decoded) || Result.isFailure(rows) || problems.length > 0) {
    return Result.fail({ sent: sent.fields, problems })
  }
  const terms = { ...termsFrom(decoded.success as unknown as EnteredValues, choices), ...rows.success }
  return Result.succeed({ terms, reason: reason.success })
})

/** Only a revision has a reason. */
const decodeReason = Effect.fnUntraced(function* (isRevision: boolean, sent: FormSubmission) {
  if (!isRevision) return { reason: Result.succeed(""), form: sent }
  const { reason, ...fields } = sent.fields
  const given = reason === undefined ? {} : { reason }
  const decoded = yield* decodeForm(Reason, { ...sent, fields: given })
  return { reason: Result.map(decoded, (values) => values.reason), form: { ...sent, fields } }
})

const Reason = Schema.Struct({ reason: lines("The reason", limits.textCharacters) })

/** Dates that have passed; checked only before the preview, since a replayed commit must not fail on them. */
export const pastDateProblems = (
  { deadline, signing }: Pick<DraftContent, "deadline" | "signing">,
  now: Instant
): ReadonlyArray<Problem> =>
  brokenRules([
    [deadline !== undefined && deadline <= now, "deadline", "The delivery date lies in the past."],
    [
      signing?.agreementSignBy !== undefined && signing.agreementSignBy <= now,
      "agreementSignBy",
      "The date for signing the agreement lies in the past."
    ]
  ])

/** A rule that needs more than one field. */
type TermsRule = Rule<FieldName | "supplierBy" | "supplierContact">

const problemsOf = (values: EnteredValues, choices: TermsChoices): ReadonlyArray<Problem> => [
  ...brokenRules([...supplierRules(values, choices), ...dateRules(values), ...contractRules(values)]),
  ...recipientProblems(values),
  ...((values.signing ?? "OFF") === "OFF" ? [] : brokenRules(signingRules(values, choices)))
]

const supplierRules = (values: EnteredValues, { contacts }: TermsChoices): ReadonlyArray<TermsRule> => {
  const { supplierBy, supplierContact, supplierActorId } = values
  const isKnown = contacts.some(({ contactId }) => contactId === supplierContact)
  // The last contact may have been removed while the form was open: then there is no list to choose from.
  const contactField = contacts.length === 0 ? "supplierBy" : "supplierContact"
  return [
    [supplierBy === "CONTACT" && !isKnown, contactField, "Choose one of the contacts."],
    [supplierBy === "PERSON" && !isPersonId(supplierActorId), "supplierActorId", personIdFormat]
  ]
}

/** Dates must be in chronological order; ISO instants compare as texts. */
const dateRules = ({ deadline, reviewDeadline, retainUntil }: EnteredValues): ReadonlyArray<TermsRule> => {
  const [delivered = "", reviewed, kept] = [deadline, reviewDeadline, retainUntil].map(instantFrom)
  return [
    [
      reviewed !== undefined && reviewed <= delivered,
      "reviewDeadline",
      "The review date comes after the delivery date."
    ],
    [kept !== undefined && kept <= (reviewed ?? delivered), "retainUntil", "This date must be after the review date."]
  ]
}

const contractRules = ({
  contractBasis,
  contractReference,
  contractClauses
}: EnteredValues): ReadonlyArray<TermsRule> => {
  const isExisting = contractBasis === "EXISTING_CONTRACT"
  return [
    [isExisting && contractReference === "", "contractReference", "An existing contract needs its reference."],
    [isExisting && contractClauses === "", "contractClauses", "An existing contract needs its clauses, word for word."]
  ]
}

export const recipientProblems = ({ sharingRecipients = "" }: Partial<EnteredValues>) => {
  const recipients = linesIn(sharingRecipients)
  const { sharingRecipients: count, titleCharacters: characters } = limits
  return brokenRules([
    [recipients.length > count, "sharingRecipients", `At most ${count} recipients are named.`],
    [
      recipients.some((one) => one.length > characters),
      "sharingRecipients",
      `Each recipient has at most ${characters} characters.`
    ]
  ])
}

const signingRules = (values: EnteredValues, { members }: TermsChoices): ReadonlyArray<TermsRule> => {
  const { principal, counterparty, deadline, agreementSignBy, acceptanceSignBy } = values
  const [delivered, agreement, acceptance] = [deadline, agreementSignBy, acceptanceSignBy].map(instantFrom)
  const isMember = members.some(({ personId }) => personId === principal)
  return [
    [!isMember, "principal", "Choose who signs for the buyer."],
    [counterparty !== "" && !isPersonId(counterparty), "counterparty", personIdFormat],
    [counterparty !== "" && counterparty === principal, "counterparty", "Another person signs for the supplier."],
    [agreement === undefined, "agreementSignBy", "The date for signing the agreement is needed."],
    [
      agreement !== undefined && delivered !== undefined && agreement > delivered,
      "agreementSignBy",
      "The agreement is signed at the latest on the delivery date."
    ],
    [acceptance === undefined, "acceptanceSignBy", "The date for signing the acceptance is needed."],
    [
      agreement !== undefined && acceptance !== undefined && acceptance <= agreement,
      "acceptanceSignBy",
      "The acceptance is signed after the agreement."
    ]
  ]
}

/** The entered values by their places in the terms; `supplierActorId` and the signing method need more than their field. */
export const enteredContent = (values: EnteredValues): EnteredContent => {
  const content: Record<string, unknown> = {}
  const groups: Record<TermsGroup, Record<string, unknown>> = { termsPolicy: {}, originals: {}, signing: {} }
  for (const field of fields.filter(({ formName }) => formName !== "supplierActorId" && formName !== "signing")) {
    const { group, name } = field.path
    const text = values[field.formName]
    const value = text === undefined ? undefined : valueOf(field, text)
    if (value !== undefined) (group === undefined ? content : groups[group])[name] = value
  }
  return { content, groups } as EnteredContent
}

interface EnteredContent {
  readonly content: DraftContent
  readonly groups: { readonly [G in TermsGroup]: NonNullable<DraftContent[G]> }
}

/** The values have been validated. */
const termsFrom = (values: EnteredValues, choices: TermsChoices) => {
  const { content, groups } = enteredContent(values)
  const { signing: method = "OFF" } = values
  const { signing, ...others } = groups
  return {
    ...content,
    ...others,
    ...definedMembers({ supplierActorId: supplierOf(values, choices) }),
    ...(method === "OFF" ? {} : { signing: { ...signing, enabled: true, method } }),
    materialPolicy: "FILE_DIGESTS"
  } as Omit<TermsInput, "criteria" | "subjectRequirements">
}

/** The person who represents the supplier; undefined where none is known yet. */
export const supplierOf = (
  { supplierBy, supplierContact, supplierActorId }: EnteredValues,
  { contacts }: Pick<TermsChoices, "contacts">
): string | undefined => {
  if (supplierBy === "CONTACT") return contacts.find(({ contactId }) => contactId === supplierContact)?.personId
  return supplierBy === "LATER" || supplierActorId === "" ? undefined : supplierActorId
}
