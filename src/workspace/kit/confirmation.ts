/** The form of one checkbox that a person ticks before an action that cannot be undone. */
import { Schema } from "effect"
import { checkbox } from "./choices.ts"
import { form, type FormOptions, type FormState } from "./fields.ts"
import { decodeForm, type FormSubmission } from "./form.ts"
import { requiredCheckbox } from "./form-values.ts"
import type { Content, Element } from "./html.ts"

export interface ConfirmationOptions extends FormOptions {
  /** The statement that the person confirms. */
  readonly statement: Content
}

export const confirmationForm = (state: FormState, { statement, ...options }: ConfirmationOptions): Element =>
  form(options, checkbox(state, { name: "confirmed", label: statement }))

/** Decodes the form; `message` is the problem of an unticked box. */
export const decodeConfirmation = (message: string) => (sent: FormSubmission) =>
  decodeForm(Schema.Struct({ confirmed: requiredCheckbox(message) }), sent)
