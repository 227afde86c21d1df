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
  field: { readonly name: string; readonly label: string },
  contacts: ReadonlyArray<Contact>
): Element =>
  select(state, {
    ...field,
    isOptional: true,
    choices: [
      { value: "", label: "No contact" },
      // A list's entries are text alone: what cannot be seen is named in it.
      ...contacts.map(({ contactId, name, reference }) => ({
        value: contactId,
        label: `${visible(name)} (${visible(reference)})`
      }))
    ]
  })
