/** The organization for which a person answers. */
import { Schema } from "effect"
import { radioGroup } from "../kit/choices.ts"
import type { Choice, FormState } from "../kit/fields.ts"
import { oneOf } from "../kit/form-values.ts"
import type { Content } from "../kit/html.ts"

/** A choice where there are several; a form can still name the one that has become the only one since it was shown. */
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
