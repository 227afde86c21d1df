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
export const partly = <S extends Schema.Constraint>(field: S) => Schema.optionalKey(field)

const upTo = <S extends Schema.Constraint>(item: S, count: number) =>
  Schema.Array(item).check(Schema.isMaxLength(count))

const Criterion = Schema.Struct({
  id: partly(Title),
  title: partly(Title),
  requirement: partly(Text)
}).annotate({ identifier: "DraftCriterion" })

const uniqueIds = Schema.makeFilter<ReadonlyArray<typeof Criterion.Type>>((criteria) => {
  const ids = criteria.flatMap(({ id }) => id ?? [])
  return new Set(ids).size === ids.length || "criterion ids must be unique"
})

export const SharingRecipients = upTo(Title, limits.sharingRecipients)

/** The fields with the same name in both forms of the wire. */
export const sharedTerms = {
  source: partly(Title),
  sourceReference: partly(Text),
  references: partly(upTo(Text, limits.draftReferences)),
  title: partly(Title),
  scope: partly(LongText),
  buyerName: partly(Title),
  criteria: partly(upTo(Criterion, limits.criteria).check(uniqueIds)),
  baselineStatement: partly(LongText),
  subjectRequirements: partly(upTo(SubjectRequirement, limits.subjectRequirements))
}

const TermsPolicy = Schema.Struct({
  purpose: partly(Text),
  contractBasis: partly(Schema.Literals(contractBases)),
  contractReference: partly(Text),
  contractClauses: partly(LongText),
  sharing: partly(Text),
  sharingRecipients: partly(SharingRecipients)
}).annotate({ identifier: "DraftTermsPolicy" })

const Signing = Schema.Struct({
  enabled: partly(Schema.Boolean),
  method: partly(Schema.Literals(signingMethods)),
  counterparty: partly(PersonId),
  contact: partly(Title),
  principal: partly(PersonId),
  agreementSignBy: partly(Instant),
  acceptanceSignBy: partly(Instant)
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
  version: partly(SpecificationVersion),
  digest: partly(Digest)
}).annotate({ identifier: "TemplateBinding" })

const DraftSpecification = Schema.Struct({
  id: SpecificationId,
  version: SpecificationVersion,
  digest: partly(Digest)
}).annotate({ identifier: "DraftSpecification" })

/** The fields of the nested form only. */
export const nestedTerms = {
  supplierName: partly(Title),
  supplierActorId: partly(PersonId),
  supplierReference: partly(Text),
  deadline: partly(Instant),
  reviewDeadline: partly(Instant),
  retainUntil: partly(Instant),
  materialPolicy: partly(Schema.Literals(["FILE_DIGESTS"])),
  termsPolicy: partly(TermsPolicy),
  originals: partly(
    Schema.Struct({ custodian: partly(Title), location: partly(Text), access: partly(Text) }).annotate({
      identifier: "DraftOriginals"
    })
  ),
  legalContext: partly(LegalContext),
  templateBinding: partly(TemplateBinding),
  signing: partly(Signing),
  externalSigning: partly(ExternalSigning),
  specification: partly(DraftSpecification)
}

/** At most one signing policy: partial, or complete. */
export const oneSigning = Schema.makeFilter(
  ({ signing, externalSigning }: { readonly signing?: unknown; readonly externalSigning?: unknown }) =>
    signing === undefined || externalSigning === undefined
      ? undefined
      : { path: ["externalSigning"], issue: "must not be sent together with signing" }
)

export const DraftContent = Schema.Struct({
  ...sharedTerms,
  ...nestedTerms,
  recipient: partly(
    Schema.Struct({ actorId: partly(PersonId), reference: partly(Text) }).annotate({ identifier: "DraftRecipient" })
  )
})
  .check(oneSigning)
  .annotate({ identifier: "DraftContent" })

export type DraftContent = typeof DraftContent.Type
