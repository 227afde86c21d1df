/** The fields of the forms on a public summary. Their names differ from those of the other forms on the project's page. */
import { Schema } from "effect"
import { hasVisibleCharacter } from "../../canonical/visible-characters.ts"
import { limits } from "../../vocabulary/limits.ts"
import { checkbox } from "../kit/choices.ts"
import type { FormState } from "../kit/fields.ts"
import { hiddenField, linesField, requiredField, lineField } from "../kit/form-field.ts"
import { checkboxValue } from "../kit/form-values.ts"
import type { Content } from "../kit/html.ts"

const visibleText = (what: string) =>
  Schema.makeFilter(hasVisibleCharacter, { message: `${what} needs at least one visible character.` })

const summaryText = linesField({
  what: "The summary",
  label: "Summary",
  hint: "What was delivered, in words that everyone may read.",
  characters: limits.textCharacters
})

const title = lineField({ what: "The title", label: "Title of the summary", characters: limits.titleCharacters })

export const proposalFields = {
  publicTitle: { ...title, schema: title.schema.check(visibleText("The title")) },
  publicSummary: { ...summaryText, schema: summaryText.schema.check(visibleText("The summary")) },
  namesBuyer: {
    schema: checkboxValue,
    control: (state: FormState, name: string): Content =>
      checkbox(state, { name, label: "Name the buyer in the summary, as the agreement does." })
  }
}

export const approvalFields = {
  /** Of the summary that the page showed. */
  publicationDigest: hiddenField(undefined),
  approved: requiredField(
    "I agree, for the buyer, that everyone may read this summary exactly as it is shown here.",
    "Tick the box to approve the summary."
  )
}

export const withdrawalFields = {
  withdrawalReason: linesField({
    what: "The reason",
    label: "Reason for the withdrawal",
    hint: "Both parties read it; the public does not.",
    rows: 2,
    characters: limits.textCharacters
  })
}
