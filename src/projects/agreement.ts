/** The agreement: the exact terms of one version, immutable and identified by their digest. */
import { Schema } from "effect"
import type { SubjectRequirement } from "../access/actions.ts"
import { digestOf } from "../canonical/digest.ts"
import type { Instant } from "../vocabulary/instant.ts"
import {
  digest,
  instant,
  name,
  open,
  ordinal,
  organizationId,
  personId,
  projectId,
  text
} from "../vocabulary/record-schemas.ts"

export type Criterion = {
  readonly id: string
  readonly title: string
  readonly requirement: string
}

export interface LegalDocument {
  readonly kind: string
  readonly version: string
  readonly digest: string
}

export const signingMethods = ["NATIVE", "EXTERNAL"] as const

/** The signers, the method and the deadlines. NATIVE: in the workspace; EXTERNAL: elsewhere, recorded by a person. */
export type Signing = {
  readonly enabled: true
  readonly method: (typeof signingMethods)[number]
  /** The person who signs for the buyer. */
  readonly principal: string
  /** The person who signs for the supplier; by default its named representative. */
  readonly counterparty?: string
  readonly contact?: string
  readonly agreementSignBy: Instant
  readonly acceptanceSignBy: Instant
}

/** One exact version of a public specification. */
export interface SpecificationPin {
  readonly id: string
  readonly version: number
  readonly digest: string
}

/** The creation input without `requestId` and `confirmationDigest`. */
export type Terms = {
  readonly title: string
  readonly scope: string
  readonly buyerName: string
  readonly supplierName: string
  readonly supplierActorId?: string
  readonly supplierReference: string
  readonly criteria: ReadonlyArray<Criterion>
  readonly deadline: Instant
  readonly reviewDeadline: Instant
  readonly retainUntil?: Instant
  readonly baselineStatement: string
  readonly materialPolicy: "FILE_DIGESTS"
  readonly termsPolicy: {
    readonly purpose: string
    readonly contractBasis: "THIS_AGREEMENT" | "EXISTING_CONTRACT"
    readonly contractReference?: string
    readonly contractClauses?: string
    readonly sharing: string
    readonly sharingRecipients: ReadonlyArray<string>
  }
  readonly originals: { readonly custodian: string; readonly location: string; readonly access: string }
  readonly subjectRequirements: ReadonlyArray<SubjectRequirement>
  readonly signing?: Signing
  /** The public specification on which the terms are based. */
  readonly specification?: SpecificationPin
  readonly legalContext: { readonly documents: ReadonlyArray<LegalDocument> }
}

/** An agreement as enclosed in a package. Terms may hold any members; only those that other objects refer to are typed. */
export const EnclosedAgreement = Schema.Struct({
  schema: Schema.Literal("service.agreement/v1"),
  projectId,
  version: ordinal,
  previous: Schema.NullOr(Schema.Struct({ projectId, digest })),
  terms: open({
    buyerName: name,
    supplierName: name,
    criteria: Schema.Array(open({ id: name })),
    subjectRequirements: Schema.optionalKey(Schema.Array(open({ humanDecisions: Schema.Array(text) }))),
    signing: Schema.optionalKey(
      open({
        method: Schema.Literals(signingMethods),
        principal: personId,
        counterparty: Schema.optionalKey(personId),
        agreementSignBy: instant,
        acceptanceSignBy: instant
      })
    )
  }).annotate({
    description: "The creation input without requestId and confirmationDigest. It may hold any members."
  }),
  buyer: Schema.Struct({ organizationId, actorId: personId }),
  supplier: Schema.Struct({ actorId: Schema.NullOr(personId) })
}).annotate({ identifier: "Agreement" })

export type Agreement = Omit<typeof EnclosedAgreement.Type, "terms"> & { readonly terms: Terms }

/** The digest that every command names (2.4, decisions "Agreement and project"). */
export const agreementDigest = (agreement: Agreement): string => digestOf(agreement)
