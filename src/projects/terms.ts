/**
 * The fields of an agreement's terms, each declared once. Creation, proposals and drafts take their schemas from these
 * tables, in the order of the wire; the pages add labels in `workspace/agreements/fields.ts`.
 */
import { Schema, SchemaAST } from "effect"
import { SubjectRequirement } from "../access/wire.ts"
import { SpecificationId, SpecificationVersion } from "../discovery/input.ts"
import { Digest, PersonId } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { LongText, Text, Title } from "../vocabulary/text.ts"

export const signingMethods = ["NATIVE", "EXTERNAL"] as const
export const contractBases = ["THIS_AGREEMENT", "EXISTING_CONTRACT"] as const

/** An array with at most so many items. */
export const upTo = <S extends Schema.Constraint>(item: S, count: number) =>
  Schema.Array(item).check(Schema.isMaxLength(count))

export const uniqueBy = <A>(key: (item: A) => string, noun: string) =>
  Schema.makeFilter<ReadonlyArray<A>>(
    (items) => new Set(items.map(key)).size === items.length || `${noun} must be unique`
  )

export const criterionFields = { id: Title, title: Title, requirement: Text }
export const Criterion = Schema.Struct(criterionFields).annotate({ identifier: "Criterion" })
export type Criterion = typeof Criterion.Type

const Criteria = Schema.Array(Criterion).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(limits.criteria),
  uniqueBy((criterion: Criterion) => criterion.id, "criterion ids")
)

export const termsPolicyFields = {
  purpose: Text,
  contractBasis: Schema.Literals(contractBases),
  contractReference: Schema.optionalKey(Text),
  contractClauses: Schema.optionalKey(LongText),
  sharing: Text,
  sharingRecipients: upTo(Title, limits.sharingRecipients)
}

const TermsPolicy = Schema.Struct(termsPolicyFields).check(
  Schema.makeFilter((policy) =>
    policy.contractBasis === "THIS_AGREEMENT" ||
    (policy.contractReference !== undefined && policy.contractClauses !== undefined)
      ? undefined
      : { path: ["contractReference"], issue: "an existing contract needs its exact reference and clauses" }
  )
)

export const originalsFields = { custodian: Title, location: Text, access: Text }

/** The signers, the method and the deadlines. NATIVE: in the workspace; EXTERNAL: elsewhere, recorded by a person. */
export const signingFields = {
  enabled: Schema.Literals([true]),
  method: Schema.Literals(signingMethods),
  /** The person who signs for the buyer. */
  principal: PersonId,
  /** The person who signs for the supplier; by default its named representative. */
  counterparty: Schema.optionalKey(PersonId),
  contact: Schema.optionalKey(Title),
  agreementSignBy: Instant,
  acceptanceSignBy: Instant
}
const Signing = Schema.Struct(signingFields).annotate({ identifier: "Signing" })
export type Signing = typeof Signing.Type

/** One exact version of the public specification on which the terms are based. */
const SpecificationPin = Schema.Struct({
  id: SpecificationId,
  version: SpecificationVersion,
  digest: Digest
}).annotate({ identifier: "SpecificationPin" })

/** The terms without their legal documents. */
export const termsFields = {
  title: Title,
  scope: LongText,
  buyerName: Title,
  supplierName: Title,
  supplierActorId: Schema.optionalKey(PersonId),
  supplierReference: Text,
  criteria: Criteria,
  deadline: Instant,
  reviewDeadline: Instant,
  retainUntil: Schema.optionalKey(Instant),
  baselineStatement: LongText,
  // A bare literal would become the tag of the body, and another value would be reported without its path.
  materialPolicy: Schema.Literals(["FILE_DIGESTS"]),
  termsPolicy: TermsPolicy,
  originals: Schema.Struct(originalsFields),
  subjectRequirements: upTo(SubjectRequirement, limits.subjectRequirements),
  signing: Schema.optionalKey(Signing),
  specification: Schema.optionalKey(SpecificationPin)
}

export const LegalDocument = Schema.Struct({ kind: Title, version: Title, digest: Digest }).annotate({
  identifier: "LegalDocument"
})
export type LegalDocument = typeof LegalDocument.Type
export const LegalContext = Schema.Struct({ documents: upTo(LegalDocument, 50) })

/** The creation input without `requestId` and `confirmationDigest`. */
export type Terms = Schema.Struct.Type<typeof termsFields> & { readonly legalContext: typeof LegalContext.Type }

/** The members of the terms that hold fields of their own. */
const termsGroups = { termsPolicy: termsPolicyFields, originals: originalsFields, signing: signingFields }
export type TermsGroup = keyof typeof termsGroups

/** The place of one field in the terms. */
export interface TermsPath {
  /** The member that holds it; undefined for a member of the terms themselves. */
  readonly group: TermsGroup | undefined
  readonly name: string
  /** True where its group may lack it. */
  readonly isOptional: boolean
}

const pathsIn = (group: TermsGroup | undefined, fields: Schema.Struct.Fields): ReadonlyArray<TermsPath> =>
  Object.entries(fields).map(([name, { ast }]) => ({ group, name, isOptional: SchemaAST.isOptional(ast) }))

const isGroup = (name: string): name is TermsGroup => Object.hasOwn(termsGroups, name)

/** Every field of the terms. */
export const termsPaths: ReadonlyArray<TermsPath> = pathsIn(undefined, termsFields).flatMap((path) =>
  isGroup(path.name) ? pathsIn(path.name, termsGroups[path.name]) : [path]
)

/** The name of a field in the terms, such as `termsPolicy.purpose`. */
export const pathText = ({ group, name }: Pick<TermsPath, "group" | "name">): string =>
  group === undefined ? name : `${group}.${name}`

/** The value of a field, in terms of which any part can be missing. */
export const valueAt = (
  terms: { readonly [member: string]: unknown },
  { group, name }: Pick<TermsPath, "group" | "name">
): unknown => {
  const holder = group === undefined ? terms : (terms[group] as typeof terms | undefined)
  return holder?.[name]
}
