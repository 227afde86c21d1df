/** Decodes and validates the fields of an agreement's form. */
import { Effect, Result, Schema } from "effect"
import type { CreateInput } from "../../projects/new-project.ts"
import { signingMethods } from "../../projects/terms.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import type { FormState, Problem } from "../kit/fields.ts"
import { decodeForm, type FormSubmission } from "../kit/form.ts"
import { line, lines, oneOf, optionalLine, optionalLines } from "../kit/form-values.ts"
import { isPersonId, personIdFormat } from "../kit/person-id.ts"
import type { AgreementChoices } from "./choices.ts"
import { instantFrom } from "../kit/time-input.ts"
import { decodeRows } from "./rows.ts"

/** The entered terms, without legal documents and confirmation. */
export type TermsInput = Omit<CreateInput, "requestId" | "legalContext" | "confirmationDigest">

export interface AgreementInput {
  readonly terms: TermsInput
  /** The reason of a revision; empty for a first version. */
  readonly reason: string
}

/** The decoded terms, or the state with which the page shows its form again. */
export const decodeAgreement = Effect.fnUntraced(function* (
  choices: AgreementChoices,
  isRevision: boolean,
  sent: FormSubmission
): Effect.fn.Return<Result.Result<AgreementInput, FormState>, Refusal> {
  const { rows, rest } = yield* decodeRows(sent)
  const { reason, form } = yield* decodeReason(isRevision, rest)
  const decoded = yield* decodeForm(Values, form)
  if (Result.isFailure(reason) || Result.isFailure(decoded) || Result.isFailure(rows)) {
    const problems = [
      ...(Result.isFailure(reason) ? reason.failure.problems : []),
      ...(Result.isFailure(decoded) ? decoded.failure.problems : []),
      ...(Result.isFailure(rows) ? rows.failure : [])
    ]
    return Result.fail({ sent: sent.fields, problems })
  }
  const values = decoded.success
  const problems = problemsOf(values, choices)
  if (problems.length > 0) return Result.fail({ sent: sent.fields, problems })
  const terms = { ...termsFrom(values, choices), ...rows.success }
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
export const pastDateProblems = ({ deadline, signing }: TermsInput, now: Instant): ReadonlyArray<Problem> => [
  ...(deadline <= now ? [{ field: "deadline", message: "The delivery date lies in the past." }] : []),
  ...(signing !== undefined && signing.agreementSignBy <= now
    ? [{ field: "agreementSignBy", message: "The date for signing the agreement lies in the past." }]
    : [])
]

export const supplierOptions = ["CONTACT", "PERSON", "LATER"] as const
export const signingOptions = ["OFF", ...signingMethods] as const
export const contractOptions = ["THIS_AGREEMENT", "EXISTING_CONTRACT"] as const

/** A field that the form may omit. */
export const orEmpty = (schema: ReturnType<typeof optionalLine>) =>
  schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed("")))
const name = (what: string) => line(what, limits.titleCharacters)
const text = (what: string) => lines(what, limits.textCharacters)
const longText = (what: string) => lines(what, limits.scopeCharacters)
const optionalName = (what: string) => orEmpty(optionalLine(what, limits.titleCharacters))

const isDate = Schema.makeFilter((given: string) => given === "" || instantFrom(given) !== undefined, {
  message: "A date and time look like 2026-11-21 09:30."
})
const date = (what: string) => line(what, limits.titleCharacters).check(isDate)
export const optionalDate = (what: string) => orEmpty(optionalLine(what, limits.titleCharacters).check(isDate))

const termsFields = {
  title: name("The title"),
  scope: longText("The scope"),
  buyerName: name("The buyer’s name"),
  supplierName: name("The supplier’s name"),
  supplierReference: text("The reference of the supplier"),
  supplierBy: oneOf("how the supplier is named", supplierOptions),
  supplierContact: optionalName("The contact"),
  supplierActorId: optionalName("The supplier’s person id"),
  deadline: date("The delivery date"),
  reviewDeadline: date("The review date"),
  retainUntil: optionalDate("The date until which it is kept"),
  baselineStatement: longText("The state at the start"),
  purpose: text("The purpose"),
  contractBasis: oneOf("the contract", contractOptions),
  contractReference: orEmpty(optionalLines("The reference of the contract", limits.textCharacters)),
  contractClauses: orEmpty(optionalLines("The clauses of the contract", limits.scopeCharacters)),
  sharing: text("What is shared with whom"),
  sharingRecipients: orEmpty(optionalLines("The recipients", limits.sharingRecipients * (limits.titleCharacters + 1))),
  custodian: name("Who keeps the originals"),
  location: text("Where the originals are"),
  access: text("Who may open the originals"),
  signing: oneOf("signatures", signingOptions),
  principal: optionalName("Who signs for the buyer"),
  counterparty: optionalName("The person id of who signs for the supplier"),
  signingContact: optionalName("The contact for signing"),
  agreementSignBy: optionalDate("The date for signing the agreement"),
  acceptanceSignBy: optionalDate("The date for signing the acceptance")
}

const Values = Schema.Struct(termsFields)
type Values = typeof Values.Type

const problemsOf = (values: Values, choices: AgreementChoices): ReadonlyArray<Problem> => [
  ...supplierProblems(values, choices),
  ...dateProblems(values),
  ...contractProblems(values),
  ...recipientProblems(values),
  ...(values.signing === "OFF" ? [] : signingProblems(values, choices))
]

const problemIf = (isWrong: boolean, field: string, message: string): ReadonlyArray<Problem> =>
  isWrong ? [{ field, message }] : []

const supplierProblems = (values: Values, { contacts }: AgreementChoices): ReadonlyArray<Problem> => {
  const { supplierBy, supplierContact, supplierActorId } = values
  const isKnown = contacts.some(({ contactId }) => contactId === supplierContact)
  return [
    ...problemIf(supplierBy === "CONTACT" && !isKnown, "supplierContact", "Choose one of the contacts."),
    ...problemIf(supplierBy === "PERSON" && !isPersonId(supplierActorId), "supplierActorId", personIdFormat)
  ]
}

/** Dates must be in chronological order; ISO instants compare as texts. */
const dateProblems = ({ deadline, reviewDeadline, retainUntil }: Values): ReadonlyArray<Problem> => {
  const [delivered = "", reviewed = "", kept] = [deadline, reviewDeadline, retainUntil].map(instantFrom)
  return [
    ...problemIf(reviewed <= delivered, "reviewDeadline", "The review date comes after the delivery date."),
    ...problemIf(kept !== undefined && kept <= reviewed, "retainUntil", "This date must be after the review date.")
  ]
}

const contractProblems = ({ contractBasis, contractReference, contractClauses }: Values): ReadonlyArray<Problem> =>
  contractBasis === "THIS_AGREEMENT"
    ? []
    : [
        ...problemIf(contractReference === "", "contractReference", "An existing contract needs its reference."),
        ...problemIf(
          contractClauses === "",
          "contractClauses",
          "An existing contract needs its clauses, word for word."
        )
      ]

export const recipientProblems = ({ sharingRecipients }: Pick<Values, "sharingRecipients">): ReadonlyArray<Problem> => {
  const recipients = recipientsIn(sharingRecipients)
  return [
    ...problemIf(
      recipients.length > limits.sharingRecipients,
      "sharingRecipients",
      `At most ${limits.sharingRecipients} recipients are named.`
    ),
    ...recipients
      .filter((one) => one.length > limits.titleCharacters)
      .slice(0, 1)
      .map(() => ({
        field: "sharingRecipients",
        message: `Each recipient has at most ${limits.titleCharacters} characters.`
      }))
  ]
}

const signingProblems = (values: Values, { members }: AgreementChoices): ReadonlyArray<Problem> => {
  const { principal, counterparty } = values
  const [delivered = "", agreement, acceptance] = [
    values.deadline,
    values.agreementSignBy,
    values.acceptanceSignBy
  ].map(instantFrom)
  return [
    ...problemIf(
      !members.some(({ personId }) => personId === principal),
      "principal",
      "Choose who signs for the buyer."
    ),
    ...problemIf(counterparty !== "" && !isPersonId(counterparty), "counterparty", personIdFormat),
    ...problemIf(
      counterparty !== "" && counterparty === principal,
      "counterparty",
      "Another person signs for the supplier."
    ),
    ...problemIf(agreement === undefined, "agreementSignBy", "The date for signing the agreement is needed."),
    ...problemIf(
      agreement !== undefined && agreement > delivered,
      "agreementSignBy",
      "The agreement is signed at the latest on the delivery date."
    ),
    ...problemIf(acceptance === undefined, "acceptanceSignBy", "The date for signing the acceptance is needed."),
    ...problemIf(
      agreement !== undefined && acceptance !== undefined && acceptance <= agreement,
      "acceptanceSignBy",
      "The acceptance is signed after the agreement."
    )
  ]
}

export const recipientsIn = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((one) => one.trim())
    .filter((one) => one !== "")

/** The dates have been validated. */
const termsFrom = (values: Values, choices: AgreementChoices): Omit<TermsInput, "criteria" | "subjectRequirements"> => {
  const { contractBasis, contractReference, contractClauses } = values
  const supplierActorId = supplierOf(values, choices)
  const retainUntil = instantFrom(values.retainUntil)
  const signing = signingFrom(values)
  return {
    title: values.title,
    scope: values.scope,
    buyerName: values.buyerName,
    supplierName: values.supplierName,
    ...(supplierActorId === undefined ? {} : { supplierActorId }),
    supplierReference: values.supplierReference,
    deadline: instantFrom(values.deadline)!,
    reviewDeadline: instantFrom(values.reviewDeadline)!,
    ...(retainUntil === undefined ? {} : { retainUntil }),
    baselineStatement: values.baselineStatement,
    materialPolicy: "FILE_DIGESTS",
    termsPolicy: {
      purpose: values.purpose,
      contractBasis,
      // Entered references and clauses are part of the terms in either case.
      ...(contractReference === "" ? {} : { contractReference }),
      ...(contractClauses === "" ? {} : { contractClauses }),
      sharing: values.sharing,
      sharingRecipients: recipientsIn(values.sharingRecipients)
    },
    originals: { custodian: values.custodian, location: values.location, access: values.access },
    ...(signing === undefined ? {} : { signing })
  }
}

const supplierOf = ({ supplierBy, supplierContact, supplierActorId }: Values, { contacts }: AgreementChoices) => {
  if (supplierBy === "PERSON") return supplierActorId
  return supplierBy === "CONTACT"
    ? contacts.find(({ contactId }) => contactId === supplierContact)?.personId
    : undefined
}

const signingFrom = (values: Values): TermsInput["signing"] => {
  const { signing: method, principal, counterparty, signingContact } = values
  if (method === "OFF") return undefined
  return {
    enabled: true,
    method,
    principal,
    ...(counterparty === "" ? {} : { counterparty }),
    ...(signingContact === "" ? {} : { contact: signingContact }),
    agreementSignBy: instantFrom(values.agreementSignBy)!,
    acceptanceSignBy: instantFrom(values.acceptanceSignBy)!
  }
}
