/** Fields that the commands of several subjects ask for. */
import { Record, Schema } from "effect"
import { limits } from "../../vocabulary/limits.ts"
import { radioGroup } from "../kit/choices.ts"
import type { Choice, FormState } from "../kit/fields.ts"
import { choiceField, linesField } from "../kit/form-field.ts"
import { oneOf } from "../kit/form-values.ts"
import type { Content } from "../kit/html.ts"
import type { DecisionLabel } from "./subject.ts"

/** The reason of a command; `hint` says who reads it. */
export const reasonField = (hint: string, rows = 3) =>
  linesField({ what: "The reason", label: "Reason", hint, rows, characters: limits.textCharacters })

/** The decision of a person: the form offers these, and each says what it means; the command refuses others. */
export const decisionChoice = <Decision extends string>(
  labels: { readonly [D in Decision]: DecisionLabel },
  offered: ReadonlyArray<Decision>,
  { what, legend }: { readonly what: string; readonly legend: string }
) =>
  choiceField({
    what,
    values: Record.keys(labels),
    legend,
    choices: offered.map((value) => ({ value, label: labels[value].name, hint: labels[value].about }))
  })

export const readByOtherParty = "The other party reads it, and it stays in the history."
export const readByBuyer = "The buyer reads it, and it stays in the history."

/**
 * The organization for which a person answers: a choice where there are several. A form can still name the one that has
 * become the only one since it was shown.
 */
export const organizationField = (choices: ReadonlyArray<Choice>, only: Content = null) => ({
  schema:
    choices.length > 1
      ? oneOf(
          "the organization",
          choices.map(({ value }) => value)
        )
      : Schema.optionalKey(Schema.String),
  control: (state: FormState, name: string): Content =>
    choices.length > 1 ? radioGroup(state, { name, legend: "For which of your organizations?", choices }) : only
})
