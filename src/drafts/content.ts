/** The content of a draft: a partial creation input, and its source. */
import { Schema } from "effect"
import { SubjectRequirement } from "../access/wire.ts"
import { signingMethods } from "../projects/agreement.ts"
import { SpecificationId, SpecificationVersion } from "../discovery/input.ts"
import { LegalContext, Text, Title } from "../projects/input.ts"
import { Digest, PersonId } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { textUpTo } from "../vocabulary/text.ts"

export const LongText = textUpTo(limits.scopeCharacters)
export const contractBases = ["THIS_AGREEMENT", "EXISTING_CONTRACT"] as const

/** Every field of a draft is optional. */
export const optional = <S extends Schema.Constraint>(field: S) => Schema.optionalKey(field)

const upTo = <S extends Schema.Constraint>(item: S, count: number) =>
  Schema.Array(item).check(Schema.isMaxLength(count))

const Criterion = Schema.Struct({
  id: optional(Title),
  title: optional(Title),
  requirement: optional(Text)
}).annotate({ identifier: "DraftCriterion" })

const uniqueIds = Schema.makeFilter<ReadonlyArray<typeof Criterion.Type>>((criteria) => {
  const ids = criteria.flatMap(({ id }) => id ?? [])
  return new Set(ids).size === ids.length || "criterion ids must be unique"
})

export const SharingRecipients = upTo(Title, limits.sharingRecipients)

/** The fields with the same name in both forms of the wire. */
export const sharedTerms = {
  source: optional(Title),
  sourceReference: optional(Text),
  references: optional(upTo(Text, limits.draftReferences)),
  title: optional(Title),
  scope: optional(LongText),
  buyerName: optional(Title),
  criteria: optional(upTo(Criterion, limits.criteria).check(uniqueIds)),
  baselineStatement: optional(LongText),
  subjectRequirements: optional(upTo(SubjectRequirement, limits.subjectRequirements))
}

const TermsPolicy = Schema.Struct({
  purpose: optional(Text),
  contractBasis: optional(Schema.Literals(contractBases)),
  contractReference: optional(Text),
  contractClauses: optional(LongText),
  sharing: optional(Text),
  sharingRecipients: optional(SharingRecipients)
}).annotate({ identifier: "DraftTermsPolicy" })

const Signing = Schema.Struct({
  enabled: optional(Schema.Boolean),
  method: optional(Schema.Literals(signingMethods)),
  counterparty: optional(PersonId),
  contact: optional(Title),
  principal: optional(PersonId),
  agreementSignBy: optional(Instant),
  acceptanceSignBy: optional(Instant)
}).annotate({ identifier: "DraftSigning" })

const ExternalSigning = Schema.Struct({
  enabled: Schema.Literals([true]),
  method: Schema.Literals(["EXTERNAL"]),
  counterparty: PersonId,
  contact: Title,
  principal: PersonId,
  agreementSignBy: Instant,
  acceptanceSignBy: Instant
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

/** The fields of the nested form only. */
export const nestedTerms = {
  supplierName: optional(Title),
  supplierActorId: optional(PersonId),
  supplierReference: optional(Text),
  deadline: optional(Instant),
  reviewDeadline: optional(Instant),
  retainUntil: optional(Instant),
  materialPolicy: optional(Schema.Literals(["FILE_DIGESTS"])),
  termsPolicy: optional(TermsPolicy),
  originals: optional(
    Schema.Struct({ custodian: optional(Title), location: optional(Text), access: optional(Text) }).annotate({
      identifier: "DraftOriginals"
    })
  ),
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
