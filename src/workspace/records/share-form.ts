/** The form that shares a record: the recipient named in the agreement, and the person who may open it. */
import { Effect, Result, Schema } from "effect"
import { listContacts } from "../../people/contacts.ts"
import { limits } from "../../vocabulary/limits.ts"
import { radioGroup } from "../kit/choices.ts"
import { form, textField, type FormState } from "../kit/fields.ts"
import { decodeForm, type FormSubmission } from "../kit/form.ts"
import { oneOf, optionalLine } from "../kit/form-values.ts"
import { contactSelect } from "../organization/contact-select.ts"
import { untrusted, type Element } from "../kit/html.ts"
import { isPersonId, personIdFormat } from "../kit/person-id.ts"
import type { ProjectPageModel } from "../projects/read-model.ts"
import { requestIdField, type PageForm } from "../kit/idempotent-form.ts"
import type { Visitor } from "../kit/visitor.ts"

export const sharesPath = (projectId: string): `/workspace/${string}` => `/workspace/projects/${projectId}/shares`

export const permittedRecipients = ({ agreement }: ProjectPageModel["project"]) =>
  agreement.terms.termsPolicy.sharingRecipients

export const shareForm = (
  { viewer }: Visitor,
  { projectId, project }: ProjectPageModel,
  contacts: Contacts,
  { state, requestId }: PageForm
): Element =>
  form(
    { action: sharesPath(projectId), formToken: viewer.formToken, submitLabel: "Share the record" },
    requestIdField(requestId),
    radioGroup(state, {
      name: "recipient",
      legend: "For which recipient of the agreement?",
      choices: permittedRecipients(project).map((recipient, index) => ({
        value: String(index + 1),
        label: untrusted(recipient)
      }))
    }),
    contacts.length === 0
      ? null
      : contactSelect(state, { name: "contact", label: "The contact who opens it" }, contacts),
    textField(state, {
      name: "personId",
      label: contacts.length === 0 ? "The person who opens it" : "Or another person",
      hint: "The person’s id, as their account page shows it. Only this person can open the record, after signing in.",
      isOptional: contacts.length > 0,
      maxLength: limits.titleCharacters,
      autoCapitalize: "none"
    })
  )

/** The decoded recipient and person, or the state with which the page shows the form again. */
export const decodeShare = Effect.fnUntraced(function* (
  visitor: Visitor,
  model: ProjectPageModel,
  sent: FormSubmission
) {
  const recipients = permittedRecipients(model.project)
  const contacts = yield* readContacts(visitor, model)
  const schema = Schema.Struct({
    recipient: oneOf(
      "the recipient",
      recipients.map((_, index) => String(index + 1))
    ),
    contact: optionalLine("The contact", limits.titleCharacters).pipe(
      Schema.withDecodingDefaultKey(Effect.succeed(""))
    ),
    personId: optionalLine("The person’s id", limits.titleCharacters)
  })
  return Result.flatMap(yield* decodeForm(schema, sent), ({ recipient, contact, personId }) => {
    const known = contacts.find(({ contactId }) => contactId === contact)?.personId
    const recipientActorId = personId === "" ? known : personId
    const message = personProblem({ contact, known, personId, recipientActorId })
    return recipientActorId === undefined || message !== undefined
      ? Result.fail<FormState>({
          sent: sent.fields,
          problems: [{ field: "personId", message: message ?? missingPerson }]
        })
      : Result.succeed({ recipient: recipients[Number(recipient) - 1]!, recipientActorId })
  })
})

const missingPerson = "Choose who opens it."

interface PersonSelection {
  readonly contact: string
  readonly known: string | undefined
  readonly personId: string
  readonly recipientActorId: string | undefined
}

const personProblem = ({ contact, known, personId, recipientActorId }: PersonSelection): string | undefined => {
  if (contact !== "" && known === undefined) return "This contact no longer exists: choose again."
  if (contact !== "" && personId !== "" && known !== personId) return "Choose a contact or another person, not both."
  if (recipientActorId === undefined) return missingPerson
  return isPersonId(recipientActorId) ? undefined : personIdFormat
}

/** The contacts of the person's organization. */
export const readContacts = ({ person }: Visitor, { organizationIds }: ProjectPageModel) =>
  listContacts(person, organizationIds[0]!)

type Contacts = Effect.Success<ReturnType<typeof listContacts>>
