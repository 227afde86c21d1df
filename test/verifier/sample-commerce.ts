/**
 * An issuer of Commerce Records that shares no code with the service or the verifier: it builds a valid record as
 * docs/portable-records.md specifies, and lets a test change any object before it is hashed and signed. The first entry
 * is the one that the page states as an example.
 */
import { trustFile } from "./sample.ts"
import { at, digest, type Members, signPayload, uuid } from "./signing.ts"

/** An observation with the label that it permits; each entry of a journal is one. */
export interface Observation {
  readonly observedAt: string
  readonly component: string
  readonly entity: string
  readonly facts: Members
  readonly label: string | null
}

/** Each hook may change its object in place, or return another one. */
export interface CommerceForgery {
  readonly trust?: (file: Members) => unknown
  readonly binding?: (binding: Members) => unknown
  /** The observations, before they are chained; `paidObservations` by default. */
  readonly observations?: (observations: Array<Members>) => unknown
  /** An entry with its links, before it is hashed. */
  readonly entry?: (entry: Members, index: number) => unknown
  /** The entries with their hashes, which the head does not follow. */
  readonly entries?: (entries: Array<Members>) => unknown
  /** The payload, before it is signed. */
  readonly record?: (record: Members) => unknown
  readonly sign?: (record: Members) => string
  readonly file?: (file: Members) => unknown
}

export interface CommerceSample {
  readonly trust: Members
  readonly file: Members
  readonly payload: Members
  readonly bytes: (value: unknown) => Uint8Array
}

export const makeCommerceRecord = (forgery: CommerceForgery = {}): CommerceSample => {
  const binding = change(sampleBinding(), forgery.binding)
  const planned: Array<Members> = paidObservations().map((one) => ({ ...one }))
  const observations = (forgery.observations?.(planned) as Array<Members> | undefined) ?? planned
  const chained = chainOf(binding, observations, forgery.entry)
  const last = chained.at(-1)
  const entries = structuredClone(chained)
  forgery.entries?.(entries)
  const payload = change(
    {
      schema: "service.commerce-record/v1",
      issuedAt: at(20),
      issuer: "Countersign Test",
      environment: "TEST",
      path: "RESULT_ORDER",
      binding,
      coverage: "CAPTURED_PROVIDER_OBSERVATIONS_ONLY",
      priorHistory: "NOT_ASSERTED",
      firstCapturedAt: chained[0]?.["observedAt"] ?? null,
      attestation: "SERVICE_ATTESTATION_OF_PROVIDER_READBACK",
      bankReceiptVerified: false,
      journal: { count: entries.length, head: last?.["hash"] ?? digest(binding), entries },
      labels: observations.map(({ label }) => label)
    },
    forgery.record
  )
  const record = forgery.sign?.(payload) ?? signPayload("COMMERCE", payload)
  const file = { schema: "service.commerce-record/v1", recordDigest: digest(payload), record }
  return {
    trust: change(trustFile(["COMMERCE", "RECORD", "STATUS"]), forgery.trust),
    file: change(file, forgery.file),
    payload,
    bytes: (value) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value, null, 2))
  }
}

const change = (value: Members, hook: ((value: Members) => unknown) | undefined): Members =>
  (hook?.(value) as Members | undefined) ?? value

/** The entries of a journal, each with the hash of the one before it; the first one has the digest of the binding. */
export const chainOf = (
  binding: Members,
  observations: ReadonlyArray<Members>,
  edit?: CommerceForgery["entry"]
): Array<Members> => {
  let previousHash = digest(binding)
  return observations.map(({ observedAt, component, entity, facts }, index) => {
    const content = { sequence: index + 1, previousHash, observedAt, component, entity, facts }
    const entry = change(content, (one) => edit?.(one, index))
    previousHash = digest(entry)
    return { ...entry, hash: previousHash }
  })
}

export const source = "eec619be9932510c742f26db42cb7cf11f145f662050ef272fd776e84a06da42"

export const sampleBinding = (): Members => ({
  commerceOrderId: `commerce_${uuid(1)}`,
  resultOrderId: `order_${uuid(2)}`,
  acceptedSourceDigest: source,
  provider: "SIMULATED",
  environment: "TEST",
  currency: "EUR",
  amountMinor: 125_000,
  buyerScope: `organization_${uuid(3)}`,
  recipientScope: `organization_${uuid(4)}`,
  recipientAccount: "acct_sim_1",
  item: { type: "RESULT_RECORD", id: `record_${uuid(5)}`, digest: "4".repeat(64) }
})

/** On 2 January 2026, `minute` minutes after nine. */
export const observedAt = (minute: number): string => new Date(Date.UTC(2026, 0, 2, 9, minute, 5)).toISOString()

const createdAt = "2026-01-02T09:00:00.000Z"

export const checkout = (changes: Members = {}): Members => ({
  state: "OPEN",
  paymentState: "UNPAID",
  amountMinor: 125_000,
  currency: "EUR",
  commerceOrderId: `commerce_${uuid(1)}`,
  acceptedSourceDigest: source,
  paymentId: null,
  environment: "TEST",
  createdAt,
  expiresAt: "2026-01-02T10:00:00.000Z",
  ...changes
})

export const charge = (changes: Members = {}): Members => ({
  id: "ch_sim_1",
  state: "SUCCEEDED",
  amountMinor: 125_000,
  amountCapturedMinor: 125_000,
  amountRefundedMinor: 0,
  currency: "EUR",
  paid: true,
  captured: true,
  disputed: false,
  transferId: "tr_sim_1",
  createdAt,
  ...changes
})

export const payment = (changes: Members = {}): Members => ({
  state: "SUCCEEDED",
  amountMinor: 125_000,
  amountReceivedMinor: 125_000,
  currency: "EUR",
  commerceOrderId: `commerce_${uuid(1)}`,
  acceptedSourceDigest: source,
  recipientAccount: "acct_sim_1",
  environment: "TEST",
  createdAt,
  charge: charge(),
  ...changes
})

export const refund = (changes: Members = {}): Members => ({
  state: "SUCCEEDED",
  amountMinor: 25_000,
  currency: "EUR",
  paymentId: "pi_sim_1",
  chargeId: "ch_sim_1",
  createdAt,
  ...changes
})

export const dispute = (changes: Members = {}): Members => ({
  status: "needs_response",
  disputed: true,
  amountMinor: 125_000,
  currency: "EUR",
  chargeId: "ch_sim_1",
  reason: "fraudulent",
  createdAt,
  ...changes
})

export const transfer = (changes: Members = {}): Members => ({
  amountMinor: 125_000,
  amountReversedMinor: 0,
  currency: "EUR",
  destinationAccount: "acct_sim_1",
  chargeId: "ch_sim_1",
  destinationPaymentId: "py_sim_1",
  environment: "TEST",
  createdAt,
  reversals: [],
  ...changes
})

export const payout = (changes: Members = {}): Members => ({
  state: "PAID",
  account: "acct_sim_1",
  destinationPaymentId: "py_sim_1",
  currency: "EUR",
  automatic: true,
  environment: "TEST",
  arrivalDate: "2026-01-05T00:00:00.000Z",
  createdAt,
  ...changes
})

const entities: Readonly<Record<string, string>> = {
  CHECKOUT: "cs_sim_1",
  PAYMENT: "pi_sim_1",
  REFUND: "re_sim_1",
  DISPUTE: "dp_sim_1",
  TRANSFER: "tr_sim_1",
  PAYOUT: "po_sim_1"
}

export const observed = (minute: number, component: string, facts: Members, label: string | null): Observation => ({
  observedAt: observedAt(minute),
  component,
  entity: entities[component]!,
  facts,
  label
})

export const opened = observed(0, "CHECKOUT", checkout(), "PAYMENT_NOT_CONFIRMED")
const completed = { state: "COMPLETE", paymentState: "PAID", paymentId: "pi_sim_1" }

/** A checkout that is opened and completed, its payment, and the transfer to the recipient. */
export const paidObservations = (): ReadonlyArray<Observation> =>
  structuredClone([
    opened,
    observed(4, "CHECKOUT", checkout(completed), null),
    observed(4, "PAYMENT", payment(), "PROVIDER_VERIFIED_PAYMENT"),
    observed(4, "TRANSFER", transfer(), "PROVIDER_VERIFIED_TRANSFER")
  ])

const reversal = { id: "trr_sim_1", amountMinor: 25_000, refundId: "re_sim_1", createdAt }

/** The same, then a refund in part with its reversal, a dispute, and the payout. */
export const allObservations = (): ReadonlyArray<Observation> => [
  ...paidObservations(),
  ...structuredClone([
    observed(10, "PAYMENT", payment({ charge: charge({ amountRefundedMinor: 25_000 }) }), "PROVIDER_VERIFIED_PAYMENT"),
    observed(10, "REFUND", refund(), "PROVIDER_VERIFIED_REFUND"),
    observed(
      10,
      "TRANSFER",
      transfer({ amountReversedMinor: 25_000, reversals: [reversal] }),
      "PROVIDER_VERIFIED_TRANSFER"
    ),
    observed(
      20,
      "PAYMENT",
      payment({ charge: charge({ amountRefundedMinor: 25_000, disputed: true }) }),
      "PROVIDER_VERIFIED_PAYMENT"
    ),
    observed(20, "DISPUTE", dispute(), "DISPUTED"),
    observed(30, "PAYOUT", payout(), "PROVIDER_OBSERVED_PAYOUT")
  ])
]

/** A journal of this many entries on one dispute, whose status changes with each. */
export const manyObservations = (length: number): ReadonlyArray<Observation> =>
  Array.from({ length }, (_, index) => observed(index, "DISPUTE", dispute({ status: `step ${index}` }), null))
