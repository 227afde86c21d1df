/** The content of a draft: the terms with every field optional, and their source. */
import { Schema, Struct } from "effect"
import { SpecificationId, SpecificationVersion } from "../discovery/input.ts"
import {
  criterionFields,
  LegalContext,
  originalsFields,
  signingFields,
  termsFields,
  termsPolicyFields,
  upTo
} from "../projects/terms.ts"
import { Digest, PersonId } from "../vocabulary/ids.ts"
import { limits } from "../vocabulary/limits.ts"
import { Text, Title } from "../vocabulary/text.ts"

/** Every field of a draft is optional. */
export const optional = <S extends Schema.Constraint>(field: S) => Schema.optionalKey(field)
const allOptional = <F extends Schema.Struct.Fields>(fields: F) => Struct.map(fields, Schema.optionalKey)

const Criterion = Schema.Struct(allOptional(criterionFields)).annotate({ identifier: "DraftCriterion" })

const uniqueIds = Schema.makeFilter<ReadonlyArray<typeof Criterion.Type>>((criteria) => {
  const ids = criteria.flatMap(({ id }) => id ?? [])
  return new Set(ids).size === ids.length || "criterion ids must be unique"
})

const {
  title,
  scope,
  buyerName,
  criteria: _criteria,
  baselineStatement,
  subjectRequirements,
  ...otherTerms
} = allOptional(termsFields)

/** The fields with the same name in both forms of the wire. */
export const sharedTerms = {
  source: optional(Title),
  sourceReference: optional(Text),
  references: optional(upTo(Text, limits.draftReferences)),
  title,
  scope,
  buyerName,
  criteria: optional(upTo(Criterion, limits.criteria).check(uniqueIds)),
  baselineStatement,
  subjectRequirements
}

const TermsPolicy = Schema.Struct(allOptional(termsPolicyFields)).annotate({ identifier: "DraftTermsPolicy" })

/** The wire lists the signers of a draft in another order than those of an agreement. */
const { principal, agreementSignBy, acceptanceSignBy, ...firstOfSigning } = signingFields
const draftSigningFields = { ...firstOfSigning, principal, agreementSignBy, acceptanceSignBy }

const Signing = Schema.Struct({
  ...allOptional(draftSigningFields),
  enabled: optional(Schema.Boolean)
}).annotate({ identifier: "DraftSigning" })

const ExternalSigning = Schema.Struct({
  ...draftSigningFields,
  method: Schema.Literals(["EXTERNAL"]),
  counterparty: PersonId,
  contact: Title
})
  .check(
    Schema.makeFilter(({ principal, counterparty, agreementSignBy, acceptanceSignBy }) => {
      if (principal === counterparty) return { path: ["counterparty"], issue: "must differ from the principal" }
      return agreementSignBy < acceptanceSignBy
        ? undefined
        : { path: ["acceptanceSignBy"], issue: "must be later than agreementSignBy" }
    })
  )
  .annotate({ identifier: "ExternalSigning", description: "A complete policy, as it is proposed." })

const TemplateBinding = Schema.Struct({
  id: Title,
  version: optional(SpecificationVersion),
  digest: optional(Digest)
}).annotate({ identifier: "TemplateBinding" })

const DraftSpecification = Schema.Struct({
  id: SpecificationId,
  version: SpecificationVersion,
  digest: optional(Digest)
}).annotate({ identifier: "DraftSpecification" })

const { specification: _specification, signing: _signing, ...nestedFields } = otherTerms

/** The fields of the nested form only. */
export const nestedTerms = {
  ...nestedFields,
  termsPolicy: optional(TermsPolicy),
  originals: optional(Schema.Struct(allOptional(originalsFields)).annotate({ identifier: "DraftOriginals" })),
  legalContext: optional(LegalContext),
  templateBinding: optional(TemplateBinding),
  signing: optional(Signing),
  externalSigning: optional(ExternalSigning),
  specification: optional(DraftSpecification)
}

/** At most one signing policy: partial, or complete. */
export const atMostOneSigning = Schema.makeFilter(
  ({ signing, externalSigning }: { readonly signing?: unknown; readonly externalSigning?: unknown }) =>
    signing === undefined || externalSigning === undefined
      ? undefined
      : { path: ["externalSigning"], issue: "must not be sent together with signing" }
)

export const DraftContent = Schema.Struct({
  ...sharedTerms,
  ...nestedTerms,
  recipient: optional(
    Schema.Struct({ actorId: optional(PersonId), reference: optional(Text) }).annotate({ identifier: "DraftRecipient" })
  )
})
  .check(atMostOneSigning)
  .annotate({ identifier: "DraftContent" })

export type DraftContent = typeof DraftContent.Type
