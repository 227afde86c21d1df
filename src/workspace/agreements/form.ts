/** The form of an agreement's terms. */
import { h } from "preact"
import { humanDecisions } from "../../access/actions.ts"
import { checkboxGroup, radioGroup } from "../kit/choices.ts"
import { hidden, idOf, select, type Choice, type FormState } from "../kit/fields.ts"
import { contactSelect } from "../organization/contact-select.ts"
import { visible, type Content } from "../kit/html.ts"
import { linkTo, paragraph, section } from "../kit/parts.ts"
import { organizationPath } from "../organization/own-membership.ts"
import { decisionLabels } from "../kit/labels.ts"
import type { TermsChoices } from "./choices.ts"
import { fieldInput, shortTextArea, titleField } from "./controls.ts"
import { fieldsIn, type FieldName, type Section } from "./fields.ts"
import { countRows, rowKinds, rowName, numbersUpTo, type RowCounts, type RowKind } from "./rows.ts"
import { supplierOptions } from "./values.ts"

/** The names and values of the additional submit buttons. */
export const stepName = "step"
export const addRowSteps: { readonly [K in RowKind]: string } = {
  criterion: "ADD_CRITERION",
  requirement: "ADD_REQUIREMENT"
}

/** Saves the entered values as a draft, complete or not. */
export const saveStep = "SAVE"

/** Controls that replace the ones of the fields' rows. */
export type ReplacedControls = { readonly [N in FieldName]?: Content }

/** `address` is the path of the page: adding a row opens the page at that row. */
export const termsFields = (state: FormState, replaced: ReplacedControls, address: string): Content => {
  const counts = countRows(state.sent) ?? { criterion: 1, requirement: 0 }
  const controlsOf = (name: Section) =>
    fieldsIn(name).map(({ formName }) => replaced[formName] ?? fieldInput(state, formName))
  return [
    hidden(rowKinds.criterion.countName, String(counts.criterion)),
    hidden(rowKinds.requirement.countName, String(counts.requirement)),
    // Implicit submission presses the first button: without this one it would add a row.
    h("button", { type: "submit", class: "quiet read-only", tabIndex: -1, "aria-hidden": "true" }, "Go on"),
    section("What it is about", controlsOf("subject")),
    section("Buyer and supplier", controlsOf("parties")),
    section("Criteria", criterionFields(state, counts, address)),
    section("Dates", controlsOf("dates")),
    section("Contract and sharing", controlsOf("termsPolicy")),
    section("Originals", controlsOf("originals")),
    section("Requirements and decisions reserved for people", requirementFields(state, counts, address)),
    section("Signatures", controlsOf("signing"))
  ]
}

export const agreementFields = (state: FormState, choices: TermsChoices, address: string): Content =>
  termsFields(
    state,
    {
      buyerName: fieldInput(state, "buyerName", { value: choices.organizationName }),
      supplierActorId: supplierFields(state, choices),
      principal: select(state, {
        name: "principal",
        label: "Who signs for the buyer",
        isOptional: true,
        choices: [{ value: "", label: "Not selected" }, ...memberChoices(choices)]
      })
    },
    address
  )

export const memberChoices = ({ members }: Pick<TermsChoices, "members">): ReadonlyArray<Choice> =>
  members.map(({ personId, name }) => ({ value: personId, label: `${visible(name)} (${personId})` }))

const supplierFields = (state: FormState, { organizationId, contacts }: TermsChoices): Content => [
  radioGroup(state, {
    name: "supplierBy",
    legend: "Which person represents the supplier?",
    choices: supplierOptions
      .filter((way) => way !== "CONTACT" || contacts.length > 0)
      .map((value) => ({ value, ...supplierChoices[value] }))
  }),
  contacts.length === 0
    ? paragraph(linkTo(organizationPath(organizationId, "contacts"), "Add a contact"), " to choose from the next time.")
    : contactSelect(state, { name: "supplierContact", label: "Contact" }, contacts),
  fieldInput(state, "supplierActorId")
]

const supplierChoices: {
  readonly [W in (typeof supplierOptions)[number]]: { readonly label: string; readonly hint: string }
} = {
  CONTACT: { label: "One of the contacts", hint: "Chosen from the list below." },
  PERSON: { label: "Another person", hint: "By the person’s id, below." },
  LATER: { label: "Not yet known", hint: "You invite the person from the page of the agreement once it is made." }
}

const criterionFields = (
  state: FormState,
  { criterion: count }: RowCounts,
  address: string
): ReadonlyArray<Content> => [
  paragraph("The buyer decides on each of these criteria. Empty ones are omitted."),
  ...numbersUpTo(count).map((row) => [
    h("h3", null, `Criterion ${row}`),
    titleField(state, {
      name: rowName("criterion", row, "Id"),
      label: `Id of criterion ${row}`,
      hint: "A short name, used once.",
      value: rowKinds.criterion.defaultId(row),
      size: "short"
    }),
    titleField(state, { name: rowName("criterion", row, "Title"), label: `Title of criterion ${row}` }),
    shortTextArea(state, { name: rowName("criterion", row, "Requirement"), label: `What criterion ${row} requires` })
  ]),
  addButton("Add a criterion", "criterion", count, address)
]

const requirementFields = (
  state: FormState,
  { requirement: count }: RowCounts,
  address: string
): ReadonlyArray<Content> => [
  paragraph(
    "Decisions that a requirement reserves for people are refused to agents. Few agreements need requirements."
  ),
  ...numbersUpTo(count).map((row) => [
    h("h3", null, `Requirement ${row}`),
    titleField(state, {
      name: rowName("requirement", row, "Id"),
      label: `Id of requirement ${row}`,
      value: rowKinds.requirement.defaultId(row),
      size: "short"
    }),
    shortTextArea(state, { name: rowName("requirement", row, "Statement"), label: `What requirement ${row} says` }),
    checkboxGroup(state, {
      name: rowName("requirement", row, "Decisions"),
      legend: `Reserved for people by requirement ${row}`,
      choices: humanDecisions.map((decision) => ({ value: decision, label: decisionLabels[decision] }))
    })
  ]),
  addButton("Add a requirement", "requirement", count, address)
]

/** Submits the whole form; the page is shown again with one more row, up to the limit. */
const addButton = (label: string, kind: RowKind, count: number, address: string): Content => {
  const formAction = `${address}#${idOf(rowName(kind, count + 1, "Id"))}`
  return count < rowKinds[kind].max
    ? h(
        "p",
        null,
        h("button", { type: "submit", class: "quiet", name: stepName, value: addRowSteps[kind], formAction }, label)
      )
    : null
}
