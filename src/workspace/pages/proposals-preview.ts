/** The preview of a proposal: all terms, and the recipient. */
import { h } from "preact"
import { digestOf } from "../../canonical/digest.ts"
import type { LegalDocument } from "../../projects/agreement.ts"
import { form, hidden } from "../fields.ts"
import { untrusted, type Content } from "../html.ts"
import { page } from "../page.ts"
import { paragraph, section } from "../parts.ts"
import { personOf } from "../project-identity.ts"
import { termsFacts } from "../project-terms.ts"
import { nameOfAmong } from "../proposal-names.ts"
import { requestIdField } from "../request-form.ts"
import type { Fields } from "../urlencoded.ts"
import { stepName } from "./agreements-form.ts"
import { editStep, shownName } from "./agreements-preview.ts"
import type { Writing } from "./proposals-steps.ts"
import type { WrittenProposal } from "./proposals-values.ts"

export interface PreviewedProposal {
  readonly written: WrittenProposal
  /** The current legal documents, which become part of the terms. */
  readonly documents: ReadonlyArray<LegalDocument>
  /** The submitted form, carried in hidden fields. */
  readonly fields: Fields
  readonly requestId: string
  /** A message at the top, where the preview is shown again. */
  readonly notice?: Content
}

export const showProposalPreview = (writing: Writing, previewed: PreviewedProposal): string => {
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
      hidden(shownName, digestOfPreview(writing, previewed)),
      // Implicit submission presses the first button, which must not save.
      h("p", null, h("button", { type: "submit", class: "quiet", name: stepName, value: editStep }, "Change something"))
    )
  )
}

/** Binds the saved version to the shown terms and documents, and to the organization or state they were shown for. */
export const digestOfPreview = (
  { carried }: Writing,
  { written, documents }: Pick<PreviewedProposal, "written" | "documents">
): string => digestOf({ carried, written, documents })
