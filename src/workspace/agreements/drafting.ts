/** The form of an agreement: its fields, its preview with the confirmation, and the refusals that it shows. */
import { Effect } from "effect"
import { h } from "preact"
import { readNames } from "../../people/operations.ts"
import type { CreateInput } from "../../projects/new-project.ts"
import { valueAt, type Signing } from "../../projects/terms.ts"
import { currentDocuments, previewConfirmation } from "../../projects/legal.ts"
import { errorBody, type Refusal } from "../../vocabulary/refusals.ts"
import type { FormState, Problem } from "../kit/fields.ts"
import { untrusted, untrustedLines, type Content } from "../kit/html.ts"
import { linkTo, notice, paragraph, section } from "../kit/parts.ts"
import type { Fields } from "../kit/urlencoded.ts"
import { termsFacts } from "../projects/terms.ts"
import { namesById } from "../kit/names.ts"
import type { FormWithRequestId } from "../kit/idempotent-form.ts"
import { fields } from "./fields.ts"
import { agreementFields } from "./form.ts"
import { handleTermsStep, previewDigestName, type TermsForm, type TermsPage } from "./terms-form.ts"
import { decodeAgreement, type AgreementInput, type TermsInput } from "./values.ts"
import { fieldFacts } from "./controls.ts"

/** The hidden field of the preview with the digest of the confirmation. */
const confirmationDigestName = "confirmationDigest"

/** The hidden fields of the preview. */
export const previewNames = [confirmationDigestName, previewDigestName]

/** A page on which an agreement is drafted. */
export interface DraftingPage extends TermsPage {
  /** The fields for the reason, where this is a revision. */
  readonly reasonFields?: (state: FormState) => Content
}

type Services = Effect.Services<ReturnType<typeof preview>>

export const agreementForm = (drafting: DraftingPage): TermsForm<AgreementInput, Services> => {
  const { choices, path, reasonFields, visitor } = drafting
  return {
    ...drafting,
    place: "projects",
    fields: (state, sections) => [reasonFields?.(state), agreementFields(state, choices, path, sections)],
    decode: (sent) => decodeAgreement(choices, reasonFields !== undefined, sent),
    preview: (entered) => preview(drafting, entered),
    confirmationNames: [confirmationDigestName],
    refusalText,
    usedNotice,
    problemOf: (refused, { terms: { signing } }, fields) => problemOf(refused, fields, signing, visitor.person.personId)
  }
}

/** Handles the form; the current documents are used, and the confirmed digest proves that the person read these. */
export const handleDraftingStep = <R, A>(
  drafting: DraftingPage,
  submission: FormWithRequestId,
  commit: (committed: CommittedTerms) => Effect.Effect<A, Refusal, R>
) =>
  handleTermsStep(agreementForm(drafting), submission, (entered, confirmation) =>
    Effect.flatMap(committedTerms(entered, confirmation), (terms) => commit({ terms, reason: entered.reason }))
  )

/** The committed terms. */
interface CommittedTerms {
  readonly terms: Omit<CreateInput, "requestId">
  readonly reason: string
}

/** The terms of a preview, with the current documents and the digest that its person confirmed. */
export const committedTerms = ({ terms }: AgreementInput, confirmation: Readonly<Record<string, string>>) =>
  Effect.map(currentDocuments, (documents): CommittedTerms["terms"] => ({
    ...terms,
    legalContext: { documents },
    confirmationDigest: confirmation[confirmationDigestName]!
  }))

const preview = Effect.fnUntraced(function* (drafting: DraftingPage, { terms, reason }: AgreementInput) {
  const { choices, reasonFields } = drafting
  const documents = yield* currentDocuments
  const { confirmation } = yield* previewConfirmation(documents)
  const nameOf = yield* namesIn(terms)
  return {
    before: [
      paragraph("Nothing has been done yet. This is the agreement exactly as it will be made."),
      section(
        "The terms",
        termsFacts({ ...terms, legalContext: { documents } }, nameOf, [
          ["Buyer’s organization", untrusted(choices.organizationName)],
          ...fieldFacts(personFields, terms)
        ])
      ),
      reasonFields === undefined ? null : section("Why it is revised", untrustedLines(reason))
    ],
    after: section(
      "What you confirm",
      paragraph(confirmation.effect),
      "It is based on the current versions of the legal documents listed above.",
      paragraph("Digest: ", h("code", null, confirmation.digest))
    ),
    confirmation: { [confirmationDigestName]: confirmation.digest }
  }
})

/** Persons are listed by id, since names are not unique. */
const personFields = fields.filter(({ control }) => control === "personId")

const namesIn = (terms: TermsInput) =>
  namesById(
    readNames,
    personFields.flatMap(({ path }) => (valueAt(terms, path) as string | undefined) ?? [])
  )

const refusalText = (refused: Refusal): Content =>
  refused.code === "CONFIRMATION_DIGEST_STALE" || refused.code === "LEGAL_DOCUMENTS_CHANGED"
    ? "The confirmation has changed since you read it."
    : untrusted(errorBody(refused).detail)

const usedNotice: Content = notice(
  "warning",
  paragraph(
    "This form was already used to commit something else; it is among your ",
    linkTo("/workspace/projects", "projects"),
    ". Commit this only if you want both."
  )
)

/** The field at which a refusal is corrected. */
const problemOf = (
  refused: Refusal,
  fields: Fields,
  signing: Signing | undefined,
  personId: string
): Problem | undefined => {
  const { detail } = errorBody(refused)
  const supplier = fields["supplierBy"] === "CONTACT" ? "supplierContact" : "supplierActorId"
  switch (refused.code) {
    case "DEADLINE_NOT_FUTURE":
      return { field: refused.facts.detail === undefined ? "deadline" : "agreementSignBy", message: detail }
    case "UNKNOWN_SUPPLIER":
      return { field: supplier, message: detail }
    case "SAME_PARTY":
      return {
        field: signing?.counterparty === personId ? "counterparty" : supplier,
        message: "Buyer and supplier must be different persons, also as signers."
      }
    case "UNKNOWN_SIGNER":
      return { field: signing?.counterparty === undefined ? "principal" : "counterparty", message: detail }
    default:
      return undefined
  }
}
