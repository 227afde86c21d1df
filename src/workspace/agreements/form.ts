/** The form of an agreement's terms. */
import { h } from "preact"
import { humanDecisions } from "../../access/actions.ts"
import { limits } from "../../vocabulary/limits.ts"
import { checkboxGroup, radioGroup } from "../kit/choices.ts"
import { hidden, idOf, select, textArea, textField, type FormState, type TextFieldOptions } from "../kit/fields.ts"
import { contactSelect } from "../organization/contact-select.ts"
import { visible, type Content, type Element } from "../kit/html.ts"
import { linkTo, paragraph, section } from "../kit/parts.ts"
import { organizationPath } from "../organization/own-membership.ts"
import { decisionLabels } from "../kit/labels.ts"
import type { AgreementChoices } from "./choices.ts"
import { countRows, defaultId, rowCountNames, rowName, numbersUpTo, type RowCounts } from "./rows.ts"
import { contractOptions, signingOptions, supplierOptions } from "./values.ts"

/** The names and values of the additional submit buttons. */
export const stepName = "step"
export const addRowSteps = { criteria: "ADD_CRITERION", requirements: "ADD_REQUIREMENT" } as const

/** Saves the entered values as a draft, complete or not. */
export const saveStep = "SAVE"

export const agreementFields = (state: FormState, choices: AgreementChoices, address: string): Content =>
  termsFields(state, { parties: partyFields(state, choices), signatures: signingFields(state, choices) }, address)

/** The fields that differ between the buyer's and the supplier's form: parties and signers. */
export interface PartyFields {
  readonly parties: Content
  readonly signatures: Content
}

/** `address` is the path of the page: adding a row opens the page at that row. */
export const termsFields = (state: FormState, { parties, signatures }: PartyFields, address: string): Content => {
  const counts = countRows(state.sent) ?? { criteria: 1, requirements: 0 }
  return [
    hidden(rowCountNames.criteria, String(counts.criteria)),
    hidden(rowCountNames.requirements, String(counts.requirements)),
    // Implicit submission presses the first button: without this one it would add a row.
    h("button", { type: "submit", class: "quiet read-only", tabIndex: -1, "aria-hidden": "true" }, "Go on"),
    section("What it is about", ...subjectFields(state)),
    section("Buyer and supplier", parties),
    section("Criteria", ...criterionFields(state, counts, address)),
    section("Dates", ...dateFields(state)),
    section("Contract and sharing", ...policyFields(state)),
    section("Originals", ...originalsFields(state)),
    section("Requirements and decisions reserved for people", ...requirementFields(state, counts, address)),
    section("Signatures", signatures)
  ]
}

export const titleField = (state: FormState, options: TextFieldOptions): Element =>
  textField(state, { maxLength: limits.titleCharacters, ...options })

export const shortTextArea = (state: FormState, options: Omit<Parameters<typeof textArea>[1], "maxLength">): Element =>
  textArea(state, { rows: 2, maxLength: limits.textCharacters, ...options })

const longTextIn = (state: FormState, options: Omit<Parameters<typeof textArea>[1], "maxLength">): Element =>
  textArea(state, { rows: 5, maxLength: limits.scopeCharacters, ...options })

const subjectFields = (state: FormState): ReadonlyArray<Element> => [
  titleField(state, { name: "title", label: "Title" }),
  longTextIn(state, {
    name: "scope",
    label: "Scope",
    hint: "The complete description of the delivery that both parties agree on."
  }),
  longTextIn(state, {
    name: "baselineStatement",
    label: "State at the start",
    hint: "The existing state before any delivery. You declare it; this service does not verify it."
  })
]

const partyFields = (state: FormState, choices: AgreementChoices): ReadonlyArray<Content> => {
  const { organizationId, organizationName, contacts } = choices
  return [
    titleField(state, { name: "buyerName", label: "Name of the buyer", value: organizationName }),
    titleField(state, { name: "supplierName", label: "Name of the supplier" }),
    shortTextArea(state, {
      name: "supplierReference",
      label: "How you refer to the supplier",
      hint: "Such as a customer number or an offer."
    }),
    radioGroup(state, {
      name: "supplierBy",
      legend: "Which person represents the supplier?",
      choices: supplierOptions
        .filter((way) => way !== "CONTACT" || contacts.length > 0)
        .map((value) => ({ value, ...supplierChoices[value] }))
    }),
    contacts.length === 0
      ? paragraph(
          linkTo(organizationPath(organizationId, "contacts"), "Add a contact"),
          " to choose from the next time."
        )
      : contactSelect(state, { name: "supplierContact", label: "Contact" }, contacts),
    titleField(state, {
      name: "supplierActorId",
      label: "Person id of the supplier",
      hint: "As the person’s account page shows it: person_ and a long number.",
      isOptional: true,
      autoCapitalize: "none"
    })
  ]
}

const supplierChoices: {
  readonly [W in (typeof supplierOptions)[number]]: { readonly label: string; readonly hint: string }
} = {
  CONTACT: { label: "One of the contacts", hint: "Chosen from the list below." },
  PERSON: { label: "Another person", hint: "By the person’s id, below." },
  LATER: { label: "Not yet known", hint: "You invite the person from the page of the agreement once it is made." }
}

const criterionFields = (state: FormState, { criteria }: RowCounts, address: string): ReadonlyArray<Content> => [
  paragraph("The buyer decides on each of these criteria. Empty ones are omitted."),
  ...numbersUpTo(criteria).map((row) => [
    h("h3", null, `Criterion ${row}`),
    titleField(state, {
      name: rowName("criterion", row, "Id"),
      label: `Id of criterion ${row}`,
      hint: "A short name, used once.",
      value: defaultId("criteria", row),
      size: "short"
    }),
    titleField(state, { name: rowName("criterion", row, "Title"), label: `Title of criterion ${row}` }),
    shortTextArea(state, { name: rowName("criterion", row, "Requirement"), label: `What criterion ${row} requires` })
  ]),
  criteria < limits.criteria
    ? addButton("Add a criterion", addRowSteps.criteria, `${address}#${idOf(rowName("criterion", criteria + 1, "Id"))}`)
    : null
]

const requirementFields = (state: FormState, { requirements }: RowCounts, address: string): ReadonlyArray<Content> => [
  paragraph(
    "Decisions that a requirement reserves for people are refused to agents. Few agreements need requirements."
  ),
  ...numbersUpTo(requirements).map((row) => [
    h("h3", null, `Requirement ${row}`),
    titleField(state, {
      name: rowName("requirement", row, "Id"),
      label: `Id of requirement ${row}`,
      value: defaultId("requirements", row),
      size: "short"
    }),
    shortTextArea(state, { name: rowName("requirement", row, "Statement"), label: `What requirement ${row} says` }),
    checkboxGroup(state, {
      name: rowName("requirement", row, "Decisions"),
      legend: `Reserved for people by requirement ${row}`,
      choices: humanDecisions.map((decision) => ({ value: decision, label: decisionLabels[decision] }))
    })
  ]),
  requirements < limits.subjectRequirements
    ? addButton(
        "Add a requirement",
        addRowSteps.requirements,
        `${address}#${idOf(rowName("requirement", requirements + 1, "Id"))}`
      )
    : null
]

/** Submits the whole form; the page is shown again with one more row. */
const addButton = (label: string, step: string, formAction: string): Element =>
  h("p", null, h("button", { type: "submit", class: "quiet", name: stepName, value: step, formAction }, label))

const utc = "In UTC, such as 2026-11-21 09:30."

export const dateField = (
  state: FormState,
  options: { name: string; label: string; hint?: string; isOptional?: boolean }
) => titleField(state, { ...options, hint: options.hint === undefined ? utc : `${options.hint} ${utc}`, size: "short" })

const dateFields = (state: FormState): ReadonlyArray<Element> => [
  dateField(state, { name: "deadline", label: "Delivered until" }),
  dateField(state, { name: "reviewDeadline", label: "Reviewed until", hint: "After the delivery." }),
  dateField(state, {
    name: "retainUntil",
    label: "Kept until",
    hint: "How long both parties keep the originals after the review.",
    isOptional: true
  })
]

const policyFields = (state: FormState): ReadonlyArray<Element> => [
  shortTextArea(state, { name: "purpose", label: "Purpose", hint: "What the record of the delivery is for." }),
  radioGroup(state, {
    name: "contractBasis",
    legend: "What is the contract?",
    chosen: ["THIS_AGREEMENT"],
    choices: contractOptions.map((value) => ({
      value,
      label: value === "THIS_AGREEMENT" ? "This agreement" : "An existing contract, named below"
    }))
  }),
  shortTextArea(state, {
    name: "contractReference",
    label: "Reference of the existing contract",
    hint: "This and the clauses are part of the terms in either case.",
    isOptional: true
  }),
  longTextIn(state, {
    name: "contractClauses",
    label: "Its clauses that apply, word for word",
    isOptional: true,
    rows: 3
  }),
  shortTextArea(state, { name: "sharing", label: "What is shared with whom" }),
  textArea(state, {
    name: "sharingRecipients",
    label: "Recipients of the record",
    hint: "One per line. The issued record can be shared only with them.",
    isOptional: true,
    rows: 3,
    maxLength: limits.sharingRecipients * (limits.titleCharacters + 1)
  })
]

const originalsFields = (state: FormState): ReadonlyArray<Element> => [
  titleField(state, { name: "custodian", label: "Who keeps the originals" }),
  shortTextArea(state, {
    name: "location",
    label: "Where they are",
    hint: "Files are identified here by their digests and not uploaded."
  }),
  shortTextArea(state, { name: "access", label: "Who may open them" })
]

const signingFields = (state: FormState, { members }: AgreementChoices): ReadonlyArray<Element> => [
  radioGroup(state, {
    name: "signing",
    legend: "Are the agreement and its acceptance signed by people?",
    chosen: ["OFF"],
    choices: signingOptions.map((value) => ({ value, ...signingChoices[value] }))
  }),
  select(state, {
    name: "principal",
    label: "Who signs for the buyer",
    isOptional: true,
    choices: [
      { value: "", label: "Not selected" },
      ...members.map(({ personId, name }) => ({ value: personId, label: `${visible(name)} (${personId})` }))
    ]
  }),
  titleField(state, {
    name: "counterparty",
    label: "Person id of who signs for the supplier",
    hint: "Where empty, the supplier’s representative signs.",
    isOptional: true,
    autoCapitalize: "none"
  }),
  titleField(state, { name: "signingContact", label: "Contact for signing", isOptional: true }),
  dateField(state, { name: "agreementSignBy", label: "Agreement signed until", isOptional: true }),
  dateField(state, { name: "acceptanceSignBy", label: "Acceptance signed until", isOptional: true })
]

export const signingChoices: {
  readonly [W in (typeof signingOptions)[number]]: { readonly label: string; readonly hint: string }
} = {
  OFF: { label: "No", hint: "Nothing below is needed." },
  NATIVE: { label: "Yes, here", hint: "By the persons named, after a recent sign-in." },
  EXTERNAL: { label: "Yes, elsewhere", hint: "A person records the evidence; this service does not verify it." }
}
