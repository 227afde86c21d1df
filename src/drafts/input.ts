/** The two input forms of a draft, and the mapping of both to one content (2.7). */
import { Schema } from "effect"
import { roles } from "../access/actions.ts"
import { contractBases, signingMethods, termsPolicyFields } from "../projects/terms.ts"
import { PersonId, UuidV4 } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { LongText, Text, Title } from "../vocabulary/text.ts"
import { nestedTerms, atMostOneSigning, optional, sharedTerms, type DraftContent } from "./content.ts"

const bothForms = {
  requestId: UuidV4,
  role: optional(Schema.Literals(roles)),
  ...sharedTerms,
  recipientActorId: optional(PersonId),
  recipientReference: optional(Text)
}

/** A date field of an editor: empty until it is filled in. */
const EditorInstant = Schema.Union([Instant, Schema.Literal("")])

const flatTerms = {
  buyer: optional(Title),
  providerName: optional(Title),
  supplier: optional(Title),
  recordPurpose: optional(Text),
  contractBasis: optional(Schema.Literals(contractBases)),
  commercialReference: optional(Text),
  contractClauses: optional(LongText),
  deadlineInstant: optional(EditorInstant),
  reviewDeadlineInstant: optional(EditorInstant),
  retainUntilInstant: optional(EditorInstant),
  originalCustodian: optional(Title),
  originalLocation: optional(Text),
  originalAccess: optional(Text),
  agreementSharing: optional(Text),
  sharingRecipients: optional(termsPolicyFields.sharingRecipients),
  signingEnabled: optional(Schema.Boolean),
  signingMethod: optional(Schema.Literals(signingMethods)),
  signingAgreementInstant: optional(EditorInstant),
  signingAcceptanceInstant: optional(EditorInstant),
  templateSelection: optional(Title)
}

/** Two members for one name must be equal. */
const aliasesAgree = Schema.makeFilter(
  ({ buyerName, buyer, providerName, supplier }: { readonly [name: string]: unknown }) => [
    ...disagreement("buyer", buyerName, buyer, "buyerName"),
    ...disagreement("supplier", providerName, supplier, "providerName")
  ]
)

const disagreement = (alias: string, named: unknown, aliased: unknown, name: string) =>
  named === undefined || aliased === undefined || named === aliased
    ? []
    : [alias, name].map((path) => ({ path: [path], issue: `${alias} and ${name} must be equal` }))

export const FlatDraft = Schema.Struct({ ...bothForms, ...flatTerms })
  .check(aliasesAgree)
  .annotate({ identifier: "FlatDraft" })

export const nestedSchema = "service.agreement-draft/v1"

export const NestedDraft = Schema.Struct({ schema: Schema.Literal(nestedSchema), ...bothForms, ...nestedTerms })
  .check(atMostOneSigning)
  .annotate({ identifier: "NestedDraft" })

export const CreateDraft = Schema.Union([FlatDraft, NestedDraft]).annotate({ identifier: "CreateDraft" })
export type CreateDraft = typeof CreateDraft.Type

export const formFields = { flat: Object.keys(flatTerms), nested: ["schema", ...Object.keys(nestedTerms)] }

/** Maps every member that is present, except an editor's empty date; adds none. */
export const contentOf = (input: CreateDraft): DraftContent => {
  const { requestId: _requestId, role: _role, recipientActorId, recipientReference, ...terms } = input
  const recipient = definedMembers({
    recipient: optionalGroup({ actorId: recipientActorId, reference: recipientReference })
  })
  if ("schema" in terms) {
    const { schema: _schema, ...nested } = terms
    return { ...nested, ...recipient }
  }
  return { ...contentOfFlat(terms), ...recipient }
}

type FlatTerms = Omit<typeof FlatDraft.Type, "requestId" | "role" | "recipientActorId" | "recipientReference">

const contentOfFlat = (flat: FlatTerms): DraftContent => ({
  ...definedMembers({
    source: flat.source,
    sourceReference: flat.sourceReference,
    references: flat.references,
    title: flat.title,
    scope: flat.scope,
    buyerName: flat.buyerName ?? flat.buyer,
    supplierName: flat.providerName ?? flat.supplier,
    criteria: flat.criteria,
    baselineStatement: flat.baselineStatement,
    subjectRequirements: flat.subjectRequirements,
    deadline: instantOrUndefined(flat.deadlineInstant),
    reviewDeadline: instantOrUndefined(flat.reviewDeadlineInstant),
    retainUntil: instantOrUndefined(flat.retainUntilInstant),
    termsPolicy: optionalGroup({
      purpose: flat.recordPurpose,
      contractBasis: flat.contractBasis,
      contractReference: flat.commercialReference,
      contractClauses: flat.contractClauses,
      sharing: flat.agreementSharing,
      sharingRecipients: flat.sharingRecipients
    }),
    originals: optionalGroup({
      custodian: flat.originalCustodian,
      location: flat.originalLocation,
      access: flat.originalAccess
    }),
    signing: optionalGroup({
      enabled: flat.signingEnabled,
      method: flat.signingMethod,
      agreementSignBy: instantOrUndefined(flat.signingAgreementInstant),
      acceptanceSignBy: instantOrUndefined(flat.signingAcceptanceInstant)
    }),
    templateBinding: flat.templateSelection === undefined ? undefined : { id: flat.templateSelection }
  })
})

const instantOrUndefined = (instant: Instant | "" | undefined): Instant | undefined =>
  instant === "" ? undefined : instant

type DefinedMembers<A> = { readonly [K in keyof A]?: Exclude<A[K], undefined> }

/** The members that are not undefined. */
export const definedMembers = <A extends object>(members: A): DefinedMembers<A> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as DefinedMembers<A>

/** The members that are not undefined; undefined if there are none. */
export const optionalGroup = <A extends object>(members: A): DefinedMembers<A> | undefined => {
  const present = definedMembers(members)
  return Object.keys(present).length === 0 ? undefined : present
}
