/** The preview of a proposal: all terms, and the recipient. */
import { h } from "preact"
import { digestOf } from "../../canonical/digest.ts"
import type { LegalDocument } from "../../projects/terms.ts"
import { form, hidden } from "../kit/fields.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { paragraph, section } from "../kit/parts.ts"
import { personOf } from "../projects/identity.ts"
import { termsFacts } from "../projects/terms.ts"
import { nameOfAmong } from "./names.ts"
import { requestIdField } from "../kit/idempotent-form.ts"
import type { Fields } from "../kit/urlencoded.ts"
import { stepName } from "../agreements/form.ts"
import { editStep, previewDigestName } from "../agreements/preview.ts"
import type { WritingPage } from "./steps.ts"
import type { DecodedProposal } from "./values.ts"

export interface ProposalPreview {
  readonly written: DecodedProposal
  /** The current legal documents, which become part of the terms. */
  readonly documents: ReadonlyArray<LegalDocument>
  /** The submitted form, carried in hidden fields. */
  readonly fields: Fields
  readonly requestId: string
  /** A message at the top, where the preview is shown again. */
  readonly notice?: Content
}

export const showProposalPreview = (writing: WritingPage, previewed: ProposalPreview): string => {
  const { visitor, title, path, carried, choices } = writing
  const { written, documents, fields, requestId, notice } = previewed
  const { terms, recipientActorId, recipientReference } = written
  const nameOf = nameOfAmong([...choices.contacts, ...choices.members])
  return page(
    { title: `${title}: preview`, viewer: visitor.viewer, place: "proposals" },
    notice,
    paragraph("Nothing has been done yet. This is the version exactly as it will be saved."),
    section(
      "The terms",
      termsFacts({ ...terms, legalContext: { documents } }, nameOf, [
        ["Proposed by", untrusted(choices.organizationName)],
        ["Recipient", [personOf(recipientActorId, nameOf), ", known to you as ", untrusted(recipientReference)]]
      ])
    ),
    section("What happens", writing.effect),
    form(
      { action: path, formToken: visitor.viewer.formToken, submitLabel: writing.commitLabel },
      requestIdField(requestId),
      Object.entries({ ...fields, ...carried }).map(([name, value]) =>
        (typeof value === "string" ? [value] : value).map((one) => hidden(name, one))
      ),
      hidden(previewDigestName, proposalPreviewDigest(writing, previewed)),
      // Implicit submission presses the first button, which must not save.
      h("p", null, h("button", { type: "submit", class: "quiet", name: stepName, value: editStep }, "Change something"))
    )
  )
}

/** Binds the saved version to the shown terms and documents, and to the organization or state they were shown for. */
export const proposalPreviewDigest = (
  { carried }: WritingPage,
  { written, documents }: Pick<ProposalPreview, "written" | "documents">
): string => digestOf({ carried, written, documents })
