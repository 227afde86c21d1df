/** The agreement snapshot: the terms and the progress of a next agreement, signed with each closure that carries it; pure. */
import { Schema } from "effect"
import type { RecordIssuer } from "../commerce/result-order-record.ts"
import { EnclosedAgreement } from "../projects/agreement.ts"
import { isEnded } from "../projects/moves.ts"
import { lastSequence } from "../projects/lost-head.ts"
import type { Project } from "../projects/project.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { digest, name, ordinal, organizationId, signed } from "../vocabulary/record-schemas.ts"

const schema = "service.agreement-snapshot/v1"

export const AgreementSnapshot = Schema.Struct({
  ...signed(schema),
  issuer: name,
  environment: name,
  agreement: EnclosedAgreement,
  supplierOrganizationId: organizationId,
  confirmedEvent: Schema.Struct({ sequence: ordinal, hash: digest }).annotateKey({
    description: "The event by which the supplier accepted the terms."
  }),
  state: name,
  head: Schema.Struct({ eventHash: digest, count: ordinal })
}).annotate({ identifier: "AgreementSnapshot" })
export type AgreementSnapshot = Omit<typeof AgreementSnapshot.Type, "agreement"> & Pick<Project, "agreement">

/** An agreement that the supplier's organization confirmed, by the event that confirmed it. */
export interface ConfirmedAgreement {
  readonly confirmedEvent: AgreementSnapshot["confirmedEvent"]
  readonly supplierOrganizationId: string
}

/** The confirmation of these terms by the supplier; undefined if there is none. */
export const confirmationOf = ({
  events,
  supplier
}: Pick<Project, "events" | "supplier">): ConfirmedAgreement | undefined => {
  const accepted = events.find((event) => event.kind === "RESPOND" && event.payload.action === "ACCEPT")
  const { organizationId } = supplier
  if (accepted === undefined || organizationId === null) return undefined
  const { sequence, hash } = accepted
  return { confirmedEvent: { sequence, hash }, supplierOrganizationId: organizationId }
}

/** The same while the agreement has not ended. */
export const currentConfirmationOf = (project: Project): ConfirmedAgreement | undefined =>
  isEnded(project.state) ? undefined : confirmationOf(project)

/** The snapshot of exactly this project: a later revision of it is another one. */
export const agreementSnapshotPayload = (
  { agreement, state, head, events }: Project,
  { confirmedEvent, supplierOrganizationId }: ConfirmedAgreement,
  { issuer, environment }: RecordIssuer,
  issuedAt: Instant
): AgreementSnapshot => ({
  schema,
  issuedAt,
  issuer,
  environment,
  agreement,
  supplierOrganizationId,
  confirmedEvent,
  state,
  head: { eventHash: head, count: lastSequence({ events }) }
})
