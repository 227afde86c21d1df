/** The contacts of an organization: persons, each with a reference of the organization's own. */
import { Effect, Layer, Schema } from "effect"
import { addContact, listContacts, removeContact } from "../../people/contacts.ts"
import { limits } from "../../vocabulary/limits.ts"
import { visible } from "../../canonical/visible-characters.ts"
import { buttonForm } from "../kit/button-form.ts"
import { form, textField, type FormState } from "../kit/fields.ts"
import { decodeForm } from "../kit/form.ts"
import { line } from "../kit/form-values.ts"
import { untrusted, type Element, type Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { section, table, time } from "../kit/parts.ts"
import { isPersonId, personIdFormat } from "../kit/person-id.ts"
import type { Visitor } from "../kit/visitor.ts"
import { formPage } from "../kit/form-page.ts"
import { lineField, controlsOf, decodeFields } from "../kit/form-field.ts"
import {
  hasAuthority,
  organizationChoice,
  organizationPath,
  readOwnMembership,
  type Membership
} from "./own-membership.ts"

const address = "/workspace/organizations/:organizationId/contacts"

const showContacts = Effect.fnUntraced(function* ({ person, viewer }: Visitor, own: Membership, state: FormState) {
  const contacts = yield* listContacts(person, own.organizationId)
  const mayManage = hasAuthority(own, "AGREEMENT_CREATE", "PROPOSAL_MANAGE", "MEMBERS_MANAGE")
  return page(
    { title: `Contacts of ${own.organizationName}`, viewer, place: "contacts", problems: state.problems },
    "Agents of this organization name people by these references.",
    table({
      caption: "Contacts",
      columns: ["Reference", "Name", "Person", "Added", ...(mayManage ? ["Remove"] : [])],
      rows: contacts.map(({ reference, name, personId, createdAt }) => [
        untrusted(reference),
        untrusted(name),
        personId,
        time(createdAt),
        ...(mayManage ? [removeButton(viewer.formToken, own, reference)] : [])
      ]),
      empty: "This organization has no contact yet."
    }),
    mayManage ? section("Add a contact", addForm(viewer.formToken, own, state)) : null
  )
})

const removeButton = (formToken: string, { organizationId }: Membership, reference: string): Element =>
  buttonForm({
    action: `${organizationPath(organizationId, "contacts")}/remove`,
    formToken,
    label: "Remove",
    about: `Remove ${visible(reference)}`,
    fields: { reference }
  })

const addForm = (formToken: string, { organizationId }: Membership, state: FormState): Element =>
  form(
    { action: organizationPath(organizationId, "contacts"), formToken, submitLabel: "Add the contact" },
    Object.values(controlsOf(contactFields, state))
  )

const contactFields = {
  reference: lineField({
    what: "The reference",
    label: "Reference",
    hint: "The name that you and your agents use for the person, such as a customer number.",
    characters: limits.contactReferenceCharacters
  }),
  name: lineField({ what: "The name", label: "Name", characters: limits.titleCharacters }),
  personId: {
    schema: line("The person’s id", 100).check(
      Schema.makeFilter((text) => isPersonId(text), { message: personIdFormat })
    ),
    control: (state: FormState, name: string): Content =>
      textField(state, {
        name,
        label: "Person",
        hint: "The person’s id, as their account page shows it: person_ and a long number.",
        autoCapitalize: "none"
      })
  }
}

const contacts = formPage(address, {
  read: readOwnMembership,
  decode: (sent) => decodeFields(contactFields, sent),
  show: (visitor, own, { state }) => showContacts(visitor, own, state),
  run: ({ visitor, subject: { organizationId }, values }) =>
    Effect.as(addContact(visitor.person, { organizationId, ...values }), {
      did: "You added the contact.",
      next: "Proposals can be written for this person now."
    }),
  refusedAt: { UNKNOWN_PARTY: "personId", ALREADY_EXISTS: "reference", STATE_CONFLICT: "reference" }
})

const Removal = Schema.Struct({ reference: Schema.String.check(Schema.isMaxLength(limits.contactReferenceCharacters)) })

const remove = formPage(
  { path: `${address}/remove`, shownAt: address },
  {
    read: readOwnMembership,
    decode: (sent) => decodeForm(Removal, sent),
    run: ({ visitor, subject: { organizationId }, values }) =>
      Effect.as(removeContact(visitor.person, { organizationId, ...values }), {
        did: "You removed the contact.",
        next: "Proposals that were published to this person stay with them."
      })
  }
)

export const contactPages = Layer.mergeAll(organizationChoice("contacts", "Contacts"), contacts, remove)
