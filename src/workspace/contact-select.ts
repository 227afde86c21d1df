/** Choosing one of an organization's contacts. */
import { select, type FormState } from "./fields.ts"
import { visible, type Element } from "./html.ts"

interface Contact {
  readonly contactId: string
  readonly name: string
  readonly reference: string
}

/** The name and label of the list; what is chosen is a contact's id, or nothing. */
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
      // A list's entries are text alone: what cannot be seen is named in it.
      ...contacts.map(({ contactId, name, reference }) => ({
        value: contactId,
        label: `${visible(name)} (${visible(reference)})`
      }))
    ]
  })
