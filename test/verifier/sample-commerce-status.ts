/**
 * An issuer of Commerce statuses that shares no code with the service or the verifier: it builds a status beside the sample
 * Commerce Record as docs/portable-records.md specifies, and lets a test change any object before it is signed.
 */
import {
  chainOf,
  type CommerceForgery,
  type CommerceSample,
  makeCommerceRecord,
  type Observation,
  paidObservations,
  sampleBinding
} from "./sample-commerce.ts"
import { at, digest, type Members, signPayload } from "./signing.ts"

export const paymentComponents = ["CHECKOUT", "PAYMENT", "REFUND", "DISPUTE", "TRANSFER", "PAYOUT"] as const
type Component = (typeof paymentComponents)[number]

/** Each hook may change its object in place, or return another one. */
export interface StatusForgery {
  readonly record?: CommerceForgery
  /** What was captured after the record. */
  readonly later?: ReadonlyArray<Observation>
  /** When each component was last read: `at(20)` by default, and null for never. */
  readonly lastObservedAt?: { readonly [C in Component]?: string | null }
  /** The payload, before it is signed. */
  readonly status?: (status: Members) => unknown
  readonly signStatus?: (status: Members) => string
  readonly statusFile?: (file: Members) => unknown
}

export interface StatusSample extends CommerceSample {
  readonly statusFile: Members
  readonly statusPayload: Members
}

const notReplayed = "RECORDER_ATTESTATION_NOT_REPLAYED"

export const makeCommerceStatus = (forgery: StatusForgery = {}): StatusSample => {
  const record = makeCommerceRecord(forgery.record)
  const planned: Array<Members> = paidObservations().map((one) => ({ ...one }))
  const own = (forgery.record?.observations?.(planned) as Array<Members> | undefined) ?? planned
  const all = [...own, ...(forgery.later ?? [])]
  const binding = record.payload["binding"] as Members
  const entries = chainOf(binding, all)
  const { count, head } = record.payload["journal"]
  const latest = { count: entries.length, head: entries.at(-1)?.["hash"] ?? digest(binding) }
  const payload: Members = {
    schema: "service.commerce-status/v1",
    issuedAt: at(20, 30),
    issuer: "Countersign Test",
    environment: "TEST",
    binding,
    record: { digest: digest(record.payload), count, head },
    latest,
    historyExtension: latest.count === count ? null : notReplayed,
    attestation: "SERVICE_ATTESTATION_OF_PROVIDER_READBACK",
    bankReceiptVerified: false,
    components: paymentComponents.map((component) =>
      componentOf(component, {
        // A journal without entries is that of an attempt that was never read.
        lastObservedAt:
          forgery.lastObservedAt?.[component] ?? (forgery.lastObservedAt?.[component] === null ? null : at(20)),
        entries: entries.map((entry, index) => ({ ...entry, label: all[index]!["label"] })),
        count
      })
    )
  }
  const changed = (forgery.status?.(payload) as Members | undefined) ?? payload
  const status = forgery.signStatus?.(changed) ?? signPayload("COMMERCE", changed)
  const file: Members = { schema: "service.commerce-status/v1", status }
  return {
    ...record,
    statusPayload: changed,
    statusFile: (forgery.statusFile?.(file) as Members | undefined) ?? file
  }
}

interface ComponentSource {
  readonly lastObservedAt: string | null
  readonly entries: ReadonlyArray<Members>
  /** The entries of the record. */
  readonly count: number
}

const componentOf = (component: Component, { lastObservedAt, entries, count }: ComponentSource): Members => {
  const latest = new Map<string, Members>()
  for (const entry of entries) if (entry["component"] === component) latest.set(entry["entity"], entry)
  const observations = [...latest.values()].toSorted((one, other) => one["sequence"] - other["sequence"])
  return {
    component,
    lastObservedAt,
    expiresAt: lastObservedAt === null ? null : new Date(Date.parse(lastObservedAt) + 3_600_000).toISOString(),
    observations: observations.map(({ entity, sequence, hash, observedAt, facts, label }) => ({
      entity,
      sequence,
      hash,
      observedAt,
      facts,
      label,
      statusObservation: sequence <= count && observedAt === lastObservedAt ? null : notReplayed
    }))
  }
}

/** A status after an opening that was never read: every component without a time. */
export const neverRead: StatusForgery = {
  record: { observations: () => [] },
  lastObservedAt: Object.fromEntries(paymentComponents.map((component) => [component, null]))
}

export const otherBinding = (): Members => ({ ...sampleBinding(), recipientAccount: "acct_sim_2" })
