/** The exact terms: what both sides agreed on, digested once and never changed. */
import type { SubjectRequirement } from "../access/actions.ts"
import { digestOf } from "../canonical/digest.ts"
import type { Instant } from "../vocabulary/instant.ts"

export interface Criterion {
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

/** Who signs what by when. NATIVE: in the workspace; EXTERNAL: elsewhere, and a person records where. */
export interface Signing {
  readonly enabled: true
  readonly method: (typeof signingMethods)[number]
  /** The person who signs for the buyer. */
  readonly principal: string
  /** The person who signs for the supplier; where absent, its named representative. */
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
export interface Terms {
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
  /** The public specification that the terms were written by. */
  readonly specification?: SpecificationPin
  readonly legalContext: { readonly documents: ReadonlyArray<LegalDocument> }
}

export interface Agreement {
  readonly schema: "service.agreement/v1"
  readonly projectId: string
  readonly version: number
  readonly previous: { readonly projectId: string; readonly digest: string } | null
  readonly terms: Terms
  readonly buyer: { readonly organizationId: string; readonly actorId: string }
  readonly supplier: { readonly actorId: string | null }
}

/** The digest that every command names (2.4, decisions "Agreement and project"). */
export const agreementDigest = (agreement: Agreement): string => digestOf(agreement)
