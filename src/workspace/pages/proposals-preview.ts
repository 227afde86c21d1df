/** What a person reads before they keep a proposal: every term as it will stand, and to whom it is to go. */
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
  /** The current ones, which the terms stand on. */
  readonly documents: ReadonlyArray<LegalDocument>
  /** The form as it came, which the page carries on. */
  readonly fields: Fields
  readonly requestId: string
  /** Said before everything else, where the page is shown once more. */
  readonly notice?: Content
}

export const showProposalPreview = (writing: Writing, previewed: PreviewedProposal): string => {
  const { visitor, title, path, carried, choices } = writing
  const { written, documents, fields, requestId, notice } = previewed
  const { terms, recipientActorId, recipientReference } = written
  const nameOf = nameOfAmong([...choices.contacts, ...choices.members])
  return page(
    { title: `${title}: read it once more`, viewer: visitor.viewer, place: "proposals" },
    notice,
    paragraph("Nothing has happened yet. This is the version exactly as it will be kept."),
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
      // What Enter does is decided by the first button: nothing is kept by it here.
      h("p", null, h("button", { type: "submit", class: "quiet", name: stepName, value: editStep }, "Change something"))
    )
  )
}

/** Ties what is kept to what the preview showed, its documents too, and to the organization or state it was shown for. */
export const digestOfPreview = (
  { carried }: Writing,
  { written, documents }: Pick<PreviewedProposal, "written" | "documents">
): string => digestOf({ carried, written, documents })
