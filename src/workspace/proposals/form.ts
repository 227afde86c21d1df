/** The form of a proposal: the terms of an agreement, filled in by the supplier. */
import { contactSelect } from "../organization/contact-select.ts"
import { radioGroup } from "../kit/choices.ts"
import { select, type Choice, type FormState } from "../kit/fields.ts"
import { visible, type Content, type Element } from "../kit/html.ts"
import { organizationPath } from "../organization/own-membership.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import { dateField, signingChoices, termsFields, shortTextArea, titleField } from "../agreements/form.ts"
import { signingOptions } from "../agreements/values.ts"
import type { ProposalChoices } from "./choices.ts"
import { recipientName } from "./values.ts"

/** `address` is the path of the page. */
export const proposalFields = (state: FormState, choices: ProposalChoices, address: string): Content =>
  termsFields(state, { parties: partyFields(state, choices), signatures: signingFields(state, choices) }, address)

const partyFields = (state: FormState, choices: ProposalChoices): Content => {
  const { organizationId, organizationName, contacts, members, personId } = choices
  return [
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
    ),
    titleField(state, { name: "buyerName", label: "Name of the buyer" }),
    titleField(state, { name: "supplierName", label: "Name of the supplier", value: organizationName }),
    shortTextArea(state, {
      name: "supplierReference",
      label: "How the buyer refers to the supplier",
      hint: "Such as a supplier number, or the number of this offer."
    }),
    select(state, {
      name: "supplierActorId",
      label: "Representative of the supplier",
      hint: "You or a colleague: this person answers the agreement and delivers.",
      value: personId,
      choices: memberChoices(state, "supplierActorId", members)
    })
  ]
}

/** A former member is not replaced by another person: the selection becomes empty. */
const memberChoices = ({ sent }: FormState, name: string, members: ProposalChoices["members"]) => [
  ...(sent === undefined || members.some(({ personId }) => personId === sent[name])
    ? []
    : [{ value: "", label: "Choose a person" }]),
  ...members.map(({ personId, name }) => ({ value: personId, label: `${visible(name)} (${personId})` }))
]

/** A former member as signer is not replaced: the entry stays selected and is refused. */
const formerSigner = ({ sent }: FormState, members: ProposalChoices["members"]): ReadonlyArray<Choice> => {
  const named = sent?.["counterparty"]
  return typeof named !== "string" || named === "" || members.some(({ personId }) => personId === named)
    ? []
    : [{ value: named, label: "Choose a person" }]
}

const signingFields = (state: FormState, { members }: ProposalChoices): ReadonlyArray<Element> => [
  radioGroup(state, {
    name: "signing",
    legend: "Are the agreement and its acceptance signed by people?",
    chosen: ["OFF"],
    choices: signingOptions.map((value) => ({ value, ...signingChoices[value] }))
  }),
  titleField(state, {
    name: "principal",
    label: "Person id of who signs for the buyer",
    hint: "Where empty, the recipient signs.",
    isOptional: true,
    autoCapitalize: "none"
  }),
  select(state, {
    name: "counterparty",
    label: "Who signs for the supplier",
    isOptional: true,
    choices: [
      ...formerSigner(state, members),
      { value: "", label: "Representative of the supplier" },
      ...members.map(({ personId, name }) => ({ value: personId, label: `${visible(name)} (${personId})` }))
    ]
  }),
  titleField(state, { name: "signingContact", label: "Contact for signing", isOptional: true }),
  dateField(state, { name: "agreementSignBy", label: "Agreement signed until", isOptional: true }),
  dateField(state, { name: "acceptanceSignBy", label: "Acceptance signed until", isOptional: true })
]
