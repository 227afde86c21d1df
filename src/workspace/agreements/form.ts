/** The form of an agreement's terms. */
import { h } from "preact"
import { humanDecisions } from "../../access/actions.ts"
import { visible } from "../../canonical/visible-characters.ts"
import { checkboxGroup, radioGroup } from "../kit/choices.ts"
import { hidden, idOf, select, type Choice, type FormState } from "../kit/fields.ts"
import { contactSelect } from "../organization/contact-select.ts"
import { type Content } from "../kit/html.ts"
import { linkTo, paragraph, section } from "../kit/parts.ts"
import { organizationPath } from "../organization/own-membership.ts"
import { decisionLabels } from "../kit/labels.ts"
import type { TermsChoices } from "./choices.ts"
import { fieldInput, shortTextArea, titleField } from "./controls.ts"
import { fieldsIn, formSections, sectionTitles, type FieldName, type FormSection } from "./fields.ts"
import { countOf, rowKinds, rowName, numbersUpTo, type RowKind } from "./rows.ts"
import { supplierOptions } from "./values.ts"

/** The name of the additional submit buttons. */
export const buttonName = "step"

/** Controls that replace the ones of the fields' rows. */
export type ReplacedControls = { readonly [N in FieldName]?: Content }

/** `address` is the path of the page: adding a row opens the page at that row. */
export const termsFields = (
  state: FormState,
  replaced: ReplacedControls,
  address: string,
  sections: ReadonlyArray<FormSection> = formSections
): Content => {
  const contentOf = (name: FormSection): Content => {
    if (name === "criteria") return criterionFields(state, address)
    if (name === "requirements") return requirementFields(state, address)
    return fieldsIn(name).map(({ formName }) => replaced[formName] ?? fieldInput(state, formName))
  }
  return [
    // Implicit submission presses the first button: without this one it would add a row.
    h("button", { type: "submit", class: "quiet read-only", tabIndex: -1, "aria-hidden": "true" }, "Go on"),
    sections.map((name) => section(sectionTitles[name], contentOf(name)))
  ]
}

export const agreementFields = (
  state: FormState,
  choices: TermsChoices,
  address: string,
  sections?: ReadonlyArray<FormSection>
): Content =>
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
    address,
    sections
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

const criterionFields = (state: FormState, address: string): ReadonlyArray<Content> => [
  paragraph("The buyer decides on each of these criteria. Empty ones are omitted."),
  countField(state, "criterion"),
  ...rowsOf(state, "criterion").map((row) => [
    h("h3", null, `Criterion ${row}`),
    titleField(state, { name: rowName("criterion", row, "Title"), label: `Title of criterion ${row}` }),
    shortTextArea(state, { name: rowName("criterion", row, "Requirement"), label: `What criterion ${row} requires` }),
    titleField(state, {
      name: rowName("criterion", row, "Id"),
      label: `Id of criterion ${row}`,
      hint: "A short name, used once. Where it is empty, it is made from the title.",
      isOptional: true,
      size: "short"
    })
  ]),
  addButton(state, "criterion", `${address}#${idOf(rowName("criterion", rowCount(state, "criterion") + 1, "Title"))}`)
]

const requirementFields = (state: FormState, address: string): ReadonlyArray<Content> => [
  paragraph(
    "Decisions that a requirement reserves for people are refused to agents. Few agreements need requirements."
  ),
  countField(state, "requirement"),
  ...rowsOf(state, "requirement").map((row) => [
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
  addButton(
    state,
    "requirement",
    `${address}#${idOf(rowName("requirement", rowCount(state, "requirement") + 1, "Id"))}`
  )
]

const rowCount = ({ sent }: FormState, kind: RowKind): number => countOf(sent, kind) ?? rowKinds[kind].min

const rowsOf = (state: FormState, kind: RowKind): ReadonlyArray<number> => numbersUpTo(rowCount(state, kind))

const countField = (state: FormState, kind: RowKind): Content =>
  hidden(rowKinds[kind].countName, String(rowCount(state, kind)))

/** Submits the form; the page is shown again with one more row, up to the limit. */
const addButton = (state: FormState, kind: RowKind, formAction: string): Content => {
  const { addButton, max } = rowKinds[kind]
  return rowCount(state, kind) < max
    ? h(
        "p",
        null,
        h("button", { type: "submit", class: "quiet", name: buttonName, value: addButton, formAction }, `Add a ${kind}`)
      )
    : null
}
