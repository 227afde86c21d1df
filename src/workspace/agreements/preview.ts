/** The preview of an agreement: all terms, and the confirmation given by committing. */
import { Effect } from "effect"
import { h } from "preact"
import { digestOf } from "../../canonical/digest.ts"
import { readNames } from "../../people/operations.ts"
import { currentDocuments, previewConfirmation } from "../../projects/legal.ts"
import { form, hidden } from "../kit/fields.ts"
import { untrusted, untrustedLines, type Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { paragraph, section } from "../kit/parts.ts"
import { termsFacts } from "../projects/terms.ts"
import { requestIdField } from "../kit/idempotent-form.ts"
import type { Fields } from "../kit/urlencoded.ts"
import { stepName } from "./form.ts"
import type { DraftingPage } from "./steps.ts"
import type { AgreementInput } from "./values.ts"

/** Hidden fields of the preview: digests of the shown confirmation and terms. */
export const confirmationDigestName = "confirmationDigest"
export const previewDigestName = "shownDigest"
export const editStep = "EDIT"

export interface AgreementPreview {
  readonly draft: AgreementInput
  /** The submitted form, carried in hidden fields. */
  readonly fields: Fields
  readonly requestId: string
  /** A message at the top, where the preview is shown again. */
  readonly notice?: Content
}

export const showPreview = Effect.fnUntraced(function* (
  drafting: DraftingPage,
  { draft, fields, requestId, notice }: AgreementPreview
) {
  const { visitor, title, path, carried } = drafting
  const { terms, reason } = draft
  const documents = yield* currentDocuments
  const { confirmation } = yield* previewConfirmation(documents)
  const nameOf = yield* namesIn(draft)
  return page(
    { title: `${title}: preview`, viewer: visitor.viewer, place: "projects" },
    notice,
    paragraph("Nothing has been done yet. This is the agreement exactly as it will be made."),
    section(
      "The terms",
      termsFacts({ ...terms, legalContext: { documents } }, nameOf, [
        ["Buyer’s organization", untrusted(drafting.choices.organizationName)],
        ...namedPersons(draft)
      ])
    ),
    drafting.isRevision ? section("Why it is revised", untrustedLines(reason)) : null,
    section("What happens", drafting.effect),
    section(
      "What you confirm",
      paragraph(confirmation.effect),
      paragraph("It is based on the current versions of the legal documents listed above."),
      paragraph("Digest: ", h("code", null, confirmation.digest))
    ),
    form(
      { action: path, formToken: visitor.viewer.formToken, submitLabel: drafting.commitLabel },
      requestIdField(requestId),
      Object.entries({ ...fields, ...carried }).map(([name, value]) =>
        (typeof value === "string" ? [value] : value).map((one) => hidden(name, one))
      ),
      hidden(confirmationDigestName, confirmation.digest),
      hidden(previewDigestName, previewDigest(drafting, draft)),
      // Implicit submission presses the first button, which must not commit.
      h("p", null, h("button", { type: "submit", class: "quiet", name: stepName, value: editStep }, "Change something"))
    )
  )
})

/** Binds the commit to the shown terms, and to the organization or state they were shown for. */
export const previewDigest = ({ carried }: DraftingPage, { terms, reason }: AgreementInput): string =>
  digestOf({ carried, terms, reason })

/** Persons are listed by id, since names are not unique. */
const namedPersons = ({
  terms: { supplierActorId, signing }
}: AgreementInput): ReadonlyArray<readonly [string, Content]> =>
  (
    [
      ["Person id of the supplier", supplierActorId],
      ["Person id of who signs for the buyer", signing?.principal],
      ["Person id of who signs for the supplier", signing?.counterparty]
    ] as const
  ).flatMap(([term, personId]) => (personId === undefined ? [] : [[term, h("code", null, personId)] as const]))

const namesIn = Effect.fnUntraced(function* ({ terms: { supplierActorId, signing } }: AgreementInput) {
  const personIds = [supplierActorId, signing?.principal, signing?.counterparty].flatMap((one) => one ?? [])
  const names = yield* readNames(personIds)
  const known = new Map(personIds.map((personId, index) => [personId, names[index] ?? personId]))
  return (personId: string): string => known.get(personId) ?? personId
})
