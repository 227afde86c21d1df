/** A list to choose one of an organization's contacts. */
import { visible } from "../../canonical/visible-characters.ts"
import { select, type FormState } from "../kit/fields.ts"
import { type Element } from "../kit/html.ts"

interface Contact {
  readonly contactId: string
  readonly name: string
  readonly reference: string
}

/** The value of the field is a contact id, or empty. */
export const contactSelect = (
  state: FormState,
  field: { readonly name: string; readonly label: string; readonly hint?: string; readonly isOptional?: boolean },
  contacts: ReadonlyArray<Contact>
): Element =>
  select(state, {
    isOptional: true,
    ...field,
    choices: [
      { value: "", label: field.isOptional === false ? "Choose a contact" : "No contact" },
      // Options hold plain text only: invisible characters are replaced by their names.
      ...contacts.map(({ contactId, name, reference }) => ({
        value: contactId,
        label: `${visible(name)} (${visible(reference)})`
      }))
    ]
  })
