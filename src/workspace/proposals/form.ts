/** The form of a proposal: the terms of an agreement, filled in by the supplier. */
import { contactSelect } from "../organization/contact-select.ts"
import { select, type Choice, type FormState } from "../kit/fields.ts"
import type { Content } from "../kit/html.ts"
import { organizationPath } from "../organization/own-membership.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import { fieldInput } from "../agreements/controls.ts"
import { memberChoices, termsFields } from "../agreements/form.ts"
import type { TermsChoices } from "../agreements/choices.ts"
import type { FormSection } from "../agreements/fields.ts"
import { recipientName } from "./values.ts"

export const supplierReferenceLabel = "How the buyer refers to the supplier"

/** `address` is the path of the page. */
export const proposalFields = (
  state: FormState,
  choices: TermsChoices,
  address: string,
  sections?: ReadonlyArray<FormSection>
): Content =>
  termsFields(
    state,
    {
      buyerName: [recipientField(state, choices), fieldInput(state, "buyerName")],
      supplierName: fieldInput(state, "supplierName", { value: choices.organizationName }),
      supplierReference: fieldInput(state, "supplierReference", {
        label: supplierReferenceLabel,
        hint: "Such as a supplier number, or the number of this offer."
      }),
      supplierActorId: select(state, {
        name: "supplierActorId",
        label: "Representative of the supplier",
        hint: "You or a colleague: this person answers the agreement and delivers.",
        value: choices.personId,
        choices: [...noRepresentative(state, choices), ...memberChoices(choices)]
      }),
      counterparty: select(state, {
        name: "counterparty",
        label: "Who signs for the supplier",
        isOptional: true,
        choices: [
          ...formerSigner(state, choices),
          { value: "", label: "Representative of the supplier" },
          ...memberChoices(choices)
        ]
      })
    },
    address,
    sections
  )

const recipientField = (state: FormState, { organizationId, contacts }: TermsChoices): Content => [
  contacts.length === 0
    ? paragraph(
        "The recipient of a proposal is one of your organization’s contacts. ",
        linkTo(organizationPath(organizationId, "contacts"), "Add the buyer as a contact"),
        ", by person id, before you fill in the form."
      )
    : null,
  contactSelect(
    state,
    {
      name: recipientName,
      label: "Recipient",
      hint: "The contact that it is published to, who answers as buyer.",
      isOptional: false
    },
    contacts
  )
]

/** A former member is not replaced by another person: the selection becomes empty. */
const noRepresentative = ({ sent }: FormState, { members }: TermsChoices): ReadonlyArray<Choice> =>
  sent === undefined || members.some(({ personId }) => personId === sent["supplierActorId"])
    ? []
    : [{ value: "", label: "Choose a person" }]

/** A former member as signer is not replaced: the entry stays selected and is refused. */
const formerSigner = ({ sent }: FormState, { members }: TermsChoices): ReadonlyArray<Choice> => {
  const named = sent?.["counterparty"]
  return typeof named !== "string" || named === "" || members.some(({ personId }) => personId === named)
    ? []
    : [{ value: named, label: "Choose a person" }]
}
