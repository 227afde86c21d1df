/**
 * The labels of the terms' fields, one row each: every field of the tables in `projects/terms.ts` that a person enters as
 * one value, and no other. The form, its decoding, its initial values and all summaries derive from these rows, and show
 * them in this order.
 */
import type { Schema } from "effect"
import {
  pathText,
  termsPaths,
  type originalsFields,
  type signingFields,
  type termsFields,
  type TermsGroup,
  type TermsPath,
  type termsPolicyFields
} from "../../projects/terms.ts"
import type { Instant } from "../../vocabulary/instant.ts"

/** The sections of the form, in its order; each group of the terms is one. */
export const sectionTitles = {
  subject: "What it is about",
  parties: "Buyer and supplier",
  criteria: "Criteria",
  dates: "Dates",
  termsPolicy: "Contract and sharing",
  originals: "Originals",
  requirements: "Requirements and decisions reserved for people",
  signing: "Signatures"
} as const
export type FormSection = keyof typeof sectionTitles
export const formSections = Object.keys(sectionTitles) as ReadonlyArray<FormSection>

/** The sections of single fields; the others have repeated rows. */
export type Section = Exclude<FormSection, "criteria" | "requirements">

/** One value of a choice; `shown` is its text in a draft. */
export interface FieldChoice {
  readonly value: string
  readonly label: string
  readonly hint?: string
  readonly shown: string
}

interface Details {
  readonly hint?: string
  /** The label where the value is shown, if another. */
  readonly term?: string
  /** The noun among the missing fields of a draft, if another. */
  readonly missing?: string
  /** The height of its text area, if another than for its control. */
  readonly rows?: number
  /** The values of a choice, the initial one first. */
  readonly choices?: ReadonlyArray<FieldChoice>
}

interface Row<Control extends ControlName> extends Details {
  readonly control: Control
  readonly label: string
  /** The field in a sentence. */
  readonly noun: string
}

export type ControlName = "name" | "text" | "longText" | "personId" | "date" | "list" | "choice"

/** The controls for values of a type. */
type ControlOf<A> = A extends Instant
  ? "date"
  : A extends ReadonlyArray<unknown>
    ? "list"
    : string extends A
      ? "name" | "text" | "longText" | "personId"
      : "choice"

type Rows<Fields extends Schema.Struct.Fields> = { readonly [F in keyof Fields]: Row<ControlOf<Fields[F]["Type"]>> }

const row =
  <Control extends ControlName>(control: Control) =>
  <More extends Details & { readonly section?: Section }>(label: string, noun: string, more: More = {} as More) => ({
    control,
    label,
    noun,
    ...more
  })

const [name, text, longText, personId] = [row("name"), row("text"), row("longText"), row("personId")]
const [date, list, choice] = [row("date"), row("list"), row("choice")]

/** Repeated rows, and what no page enters, are declared apart. */
type Apart = TermsGroup | "criteria" | "subjectRequirements" | "materialPolicy" | "specification"

const ofTerms = {
  title: name("Title", "the title", { section: "subject", missing: "a title" }),
  scope: longText("Scope", "the scope", {
    section: "subject",
    hint: "The complete description of the delivery that both parties agree on."
  }),
  buyerName: name("Name of the buyer", "the buyer’s name", { section: "parties", term: "Buyer" }),
  supplierName: name("Name of the supplier", "the supplier’s name", { section: "parties", term: "Supplier" }),
  supplierReference: text("How you refer to the supplier", "the reference of the supplier", {
    section: "parties",
    hint: "Such as a customer number or an offer.",
    term: "How the supplier is referred to"
  }),
  supplierActorId: personId("Person id of the supplier", "the supplier’s person id", {
    section: "parties",
    hint: "As the person’s account page shows it: person_ and a long number."
  }),
  deadline: date("Delivered until", "the delivery date", { section: "dates" }),
  reviewDeadline: date("Reviewed until", "the review date", { section: "dates", hint: "After the delivery." }),
  retainUntil: date("Kept until", "the date until which it is kept", {
    section: "dates",
    hint: "How long both parties keep the originals after the review."
  }),
  baselineStatement: longText("State at the start", "the state at the start", {
    section: "subject",
    hint: "The existing state before any delivery. You declare it; this service does not verify it."
  })
} satisfies {
  readonly [F in keyof Omit<typeof termsFields, Apart>]: Rows<typeof termsFields>[F] & { readonly section: Section }
}

const ofTermsPolicy = {
  purpose: text("Purpose", "the purpose", { hint: "What the record of the delivery is for." }),
  contractBasis: choice("What is the contract?", "the contract", {
    term: "Contract",
    missing: "which contract it is",
    choices: [
      { value: "THIS_AGREEMENT", label: "This agreement", shown: "This agreement" },
      { value: "EXISTING_CONTRACT", label: "An existing contract, named below", shown: "An existing contract" }
    ]
  }),
  contractReference: text("Reference of the existing contract", "the reference of the contract", {
    hint: "This and the clauses are part of the terms in either case.",
    term: "Reference of the contract"
  }),
  contractClauses: longText("Its clauses that apply, word for word", "the clauses of the contract", {
    term: "Clauses of the contract",
    rows: 3
  }),
  sharing: text("What is shared with whom", "what is shared with whom", { term: "Sharing" }),
  sharingRecipients: list("Recipients of the record", "the recipients", {
    hint: "One per line. The issued record can be shared only with them."
  })
} satisfies Rows<typeof termsPolicyFields>

const ofOriginals = {
  custodian: name("Who keeps the originals", "who keeps the originals", { term: "Originals kept by" }),
  location: text("Where they are", "where the originals are", {
    hint: "Files are identified here by their digests and not uploaded.",
    term: "Originals are at"
  }),
  access: text("Who may open them", "who may open the originals", { term: "Originals opened by" })
} satisfies Rows<typeof originalsFields>

const ofSigning = {
  method: choice("Are the agreement and its acceptance signed by people?", "signatures", {
    term: "Signed",
    missing: "how it is signed",
    choices: [
      { value: "OFF", label: "No", hint: "Nothing below is needed.", shown: "not required" },
      { value: "NATIVE", label: "Yes, here", hint: "By the persons named, after a recent sign-in.", shown: "here" },
      {
        value: "EXTERNAL",
        label: "Yes, elsewhere",
        hint: "A person records the evidence; this service does not verify it.",
        shown: "elsewhere"
      }
    ]
  }),
  principal: personId("Person id of who signs for the buyer", "who signs for the buyer", {
    hint: "Where empty, the recipient signs."
  }),
  counterparty: personId("Person id of who signs for the supplier", "the person id of who signs for the supplier", {
    hint: "Where empty, the supplier’s representative signs."
  }),
  contact: name("Contact for signing", "the contact for signing"),
  agreementSignBy: date("Agreement signed until", "the date for signing the agreement"),
  acceptanceSignBy: date("Acceptance signed until", "the date for signing the acceptance")
} satisfies Omit<Rows<typeof signingFields>, "enabled">

/** The names in the form that are others than in the terms. */
const formNames: { readonly [path: string]: string } = {
  "signing.method": "signing",
  "signing.contact": "signingContact"
}

export type FieldName =
  | keyof typeof ofTerms
  | keyof typeof ofTermsPolicy
  | keyof typeof ofOriginals
  | Exclude<keyof typeof ofSigning, "method" | "contact">
  | "signing"
  | "signingContact"

/** One field of the form: its row, and its place in the terms. */
export interface Field extends Row<ControlName> {
  readonly section: Section
  readonly formName: FieldName
  readonly path: TermsPath
  /** True where the form may leave it empty. */
  readonly isOptional: boolean
}

type AnyRow = Row<ControlName> & { readonly section?: Section }

const fieldsOf = (group: TermsGroup | undefined, rows: { readonly [name: string]: AnyRow }): ReadonlyArray<Field> =>
  Object.entries(rows).map(([name, { section, ...row }]) => {
    const path = termsPaths.find((one) => one.group === group && one.name === name)!
    const formName = formNames[pathText(path)] ?? name
    return {
      ...row,
      section: section ?? group!,
      formName: formName as FieldName,
      path,
      isOptional: path.isOptional || group === "signing" || row.control === "list"
    }
  })

/** Every field, in the order of the form's problems. */
export const fields: ReadonlyArray<Field> = [
  ...fieldsOf(undefined, ofTerms),
  ...fieldsOf("termsPolicy", ofTermsPolicy),
  ...fieldsOf("originals", ofOriginals),
  ...fieldsOf("signing", ofSigning)
]

/** The fields of one section, in the order of the form. */
export const fieldsIn = (section: Section): ReadonlyArray<Field> => fields.filter((field) => field.section === section)

/** The section with the control of this name; what no row declares belongs to the parties, such as the contact. */
export const sectionOf = (formName: string): FormSection => {
  const [, row] = /^(criterion|requirement)(?:Rows|[1-9])/.exec(formName) ?? []
  if (row !== undefined) return row === "criterion" ? "criteria" : "requirements"
  return fields.find((field) => field.formName === formName)?.section ?? "parties"
}

export const fieldNamed = (name: FieldName): Field => fields.find(({ formName }) => formName === name)!
