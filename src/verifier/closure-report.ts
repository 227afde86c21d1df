/** A closure in the report: what is proven of one transaction, and of each half of its current status. */
import type { VerifiedClosure } from "./closure.ts"
import type { VerifiedCurrentStatus } from "./current-status.ts"
import { describeLineage } from "./lineage-report.ts"
import type { CommerceRecord } from "./portable-shapes.ts"
import { outcomeOf } from "./status-report.ts"
import type { VerifiedArtifact } from "./verified-artifact.ts"

/** Null unless every part and every binding is verified. */
export const describeClosure = (
  { closure, history, record, commerce }: VerifiedArtifact,
  current: VerifiedCurrentStatus
) => {
  if (!closure.known || !history.known || !record.known || !commerce.known) return null
  const { opened, order } = closure.value
  const { profile, coverage, data, issuedAt } = opened.content
  const events = history.value.map(({ content }) => content)
  const agreed = events.findLast((event) => event.kind === "RESPOND" && event.payload.action === "ACCEPT")
  const submitted = events.findLast(({ kind }) => kind === "SUBMIT")
  return {
    version: 2 as const,
    closureDigest: opened.signed.digest,
    issuedAt,
    profile,
    coverage,
    references: data.references,
    agreedAt: agreed?.occurredAt ?? null,
    deliveredAt: submitted?.occurredAt ?? null,
    acceptedAt: record.value.content.acceptedAt,
    ...describeOrder(order),
    attempt: describeAttempt(commerce.value.content),
    assurance: data.assurance,
    lineage: closure.value.lineage && describeLineage(closure.value.lineage),
    currentStatus: describeHalves(current)
  }
}
export type ClosureReport = NonNullable<ReturnType<typeof describeClosure>>

const describeOrder = ({ content }: VerifiedClosure["order"]) => {
  const { resultOrderId, terms, financialEvents } = content
  const { buyer, supplier, provider, environment, recipientAccount, currency, amountMinor } = terms
  const timeOf = (kind: string) => financialEvents.find((event) => event.kind === kind)?.occurredAt ?? null
  return {
    parties: { buyer, supplier },
    order: {
      resultOrderId,
      offeredAt: timeOf("OFFERED"),
      approvedAt: timeOf("APPROVED"),
      currency,
      amountMinor,
      provider,
      environment,
      recipientAccount
    }
  }
}

const describeAttempt = ({ binding, journal, firstCapturedAt }: CommerceRecord) => ({
  commerceOrderId: binding.commerceOrderId,
  acceptedSourceDigest: binding.acceptedSourceDigest,
  firstCapturedAt,
  lastCapturedAt: journal.entries.at(-1)?.observedAt ?? null
})

/** Null without a status. */
const describeHalves = ({ halves, opened }: VerifiedCurrentStatus) => {
  if (halves === undefined) return null
  const { result, commerce } = halves
  const stated = result.isProven && opened.known ? opened.value.content : undefined
  return {
    result: { outcome: outcomeOf(result), state: stated?.state ?? null, reliance: stated?.reliance ?? null },
    commerce: { outcome: outcomeOf(commerce) }
  }
}
