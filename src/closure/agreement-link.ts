/** The agreement link: the issuer's signed statement on the two agreements that a history reference connects; pure. */
import { Schema } from "effect"
import { digestOf } from "../canonical/digest.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import {
  digest,
  linkId,
  name,
  ordinal,
  organizationId,
  projectId,
  recordId,
  referenceId,
  signed
} from "../vocabulary/record-schemas.ts"
import type { HistoryReference } from "./history-reference.ts"

const schema = "service.agreement-link/v1"

export const AgreementLink = Schema.Struct({
  ...signed(schema),
  issuer: name,
  environment: name,
  type: Schema.Literal("AGREEMENT_LINK"),
  linkId,
  reference: Schema.Struct({ id: referenceId, digest }),
  original: Schema.Struct({ projectId, version: ordinal, agreementDigest: digest, recordId, recordDigest: digest }),
  next: Schema.Struct({ projectId, version: ordinal, agreementDigest: digest, confirmedEventHash: digest }),
  supplierOrganizationId: organizationId
}).annotate({ identifier: "AgreementLink" })
export type AgreementLink = typeof AgreementLink.Type

interface LinkFacts {
  readonly linkId: string
  readonly reference: HistoryReference
  readonly original: AgreementLink["original"]
  /** The hash of the event by which the supplier confirmed the next agreement. */
  readonly confirmedEventHash: string
  readonly supplierOrganizationId: string
}

/** Signed with the reference, and never earlier. */
export const agreementLinkPayload = (
  { linkId, reference, original, confirmedEventHash, supplierOrganizationId }: LinkFacts,
  now: Instant
): AgreementLink => {
  const { issuer, environment, project } = reference
  const { id: projectId, version, agreementDigest } = project
  return {
    schema,
    issuedAt: later(now, reference.issuedAt),
    issuer,
    environment,
    type: "AGREEMENT_LINK",
    linkId,
    reference: { id: reference.referenceId, digest: digestOf(reference) },
    original,
    next: { projectId, version, agreementDigest, confirmedEventHash },
    supplierOrganizationId
  }
}
