/** The schemas of portable records, as docs/portable-records.md specifies them. */
import type { Json } from "../canonical/json.ts"
import { fail } from "./ledger.ts"
import {
  anyObject,
  digest,
  id,
  instant,
  integer,
  listOf,
  name,
  object,
  orNull,
  pattern,
  type Schema,
  type SchemaType,
  text,
  validate,
  version,
  word
} from "./schema-kit.ts"
import { verifierLimits } from "./verifier-limits.ts"

export const portableNames = {
  passport: "service.result-passport/v1",
  summary: "service.result-summary/v1",
  publicationStatus: "service.publication-status/v1",
  commerceRecord: "service.commerce-record/v1",
  commerceStatus: "service.commerce-status/v1",
  resultOrder: "service.result-order/v1",
  closure: "service.transaction-closure-package/v2",
  historyReference: "service.history-reference/v1",
  agreementLink: "service.agreement-link/v1",
  agreementSnapshot: "service.agreement-snapshot/v1"
} as const

const recordId = id("record")
const publicationId = id("pub")
const subjectId = id("provider")

/** The first members of every portable payload that names its issuer. */
export const issuedMembers = <const S extends string>(schema: S) => ({
  schema: version(schema),
  issuedAt: instant,
  issuer: name,
  environment: name
})

export const passportFile = object({
  schema: version(portableNames.passport),
  manifest: text,
  summaries: listOf(text),
  statuses: listOf(text)
})
export type PassportFile = SchemaType<typeof passportFile>

export const passportManifest = object({
  ...issuedMembers(portableNames.passport),
  subject: object({ id: subjectId }),
  coverage: word("SELECTED_RESULTS_NOT_COMPLETE_HISTORY"),
  selectedBy: word("REQUESTER"),
  verificationScope: word("SIGNED_PUBLIC_SUMMARIES_ONLY_NOT_ORIGINAL_RESULTS"),
  entries: listOf(
    object({
      resultId: recordId,
      publicationId,
      publicationDigest: digest,
      completionTime: instant,
      summaryDigest: digest
    })
  )
})
export type PassportManifest = SchemaType<typeof passportManifest>

export const resultSummary = object({
  ...issuedMembers(portableNames.summary),
  publicationId,
  subject: object({ id: subjectId, name }),
  resultId: recordId,
  resultDigest: digest,
  title: name,
  summary: text,
  buyerName: orNull(name),
  criteriaMet: integer(1),
  specification: orNull(object({ id: name, version: integer(1), digest })),
  completionTime: instant
})
export type ResultSummary = SchemaType<typeof resultSummary>

export const publicationStatement = object({
  schema: version(portableNames.publicationStatus),
  issuedAt: instant,
  expiresAt: instant,
  publicationId,
  publicationDigest: digest,
  status: word("AVAILABLE", "UNAVAILABLE")
})
export type PublicationStatement = SchemaType<typeof publicationStatement>

export const commerceFile = object({
  schema: version(portableNames.commerceRecord),
  recordDigest: digest,
  record: text
})
export type CommerceFile = SchemaType<typeof commerceFile>

/** A text of the payment provider has at most 200 code points. */
const providerText = pattern(/^[^]{0,200}$/u, "SHORT_TEXT")
export const providerId = pattern(/^[^]{1,200}$/u, "SHORT_TEXT_NOT_EMPTY")
export const currency = pattern(/^[A-Z]{3}$/, "CURRENCY")
export const sum = integer(0)
export const flag = word(true, false)
/** The environment of the provider, not of the issuer. */
export const environment = word("TEST", "LIVE")
export const provider = word("STRIPE", "SIMULATED")
export const orderAmount = integer(1, verifierLimits.amountMinorMax)
export const orderItem = object({ type: word("RESULT_RECORD"), id: recordId, digest })
export const commerceOrderId = id("commerce")
export const resultOrderId = id("order")

export const commerceBinding = object({
  commerceOrderId,
  resultOrderId,
  acceptedSourceDigest: digest,
  provider,
  environment,
  currency,
  amountMinor: orderAmount,
  buyerScope: id("organization"),
  recipientScope: id("organization"),
  recipientAccount: providerId,
  item: orderItem
})
export type CommerceBinding = SchemaType<typeof commerceBinding>

const charge = object({
  id: providerId,
  state: word("PENDING", "SUCCEEDED", "FAILED"),
  amountMinor: sum,
  amountCapturedMinor: sum,
  amountRefundedMinor: sum,
  currency,
  paid: flag,
  captured: flag,
  disputed: flag,
  transferId: orNull(providerId),
  createdAt: instant
})

/** What a payment provider states of each component. */
export const paymentFacts = {
  CHECKOUT: object({
    state: word("OPEN", "COMPLETE", "EXPIRED"),
    paymentState: word("UNPAID", "PAID", "NOT_REQUIRED"),
    amountMinor: orNull(sum),
    currency: orNull(currency),
    commerceOrderId: orNull(providerId),
    acceptedSourceDigest: orNull(providerId),
    paymentId: orNull(providerId),
    environment,
    createdAt: instant,
    expiresAt: instant
  }),
  PAYMENT: object({
    state: word("REQUIRES_ACTION", "PROCESSING", "REQUIRES_CAPTURE", "SUCCEEDED", "CANCELED"),
    amountMinor: sum,
    amountReceivedMinor: sum,
    currency,
    commerceOrderId: orNull(providerId),
    acceptedSourceDigest: orNull(providerId),
    recipientAccount: orNull(providerId),
    environment,
    createdAt: instant,
    charge: orNull(charge)
  }),
  REFUND: object({
    state: word("PENDING", "REQUIRES_ACTION", "SUCCEEDED", "FAILED", "CANCELED"),
    amountMinor: sum,
    currency,
    paymentId: orNull(providerId),
    chargeId: orNull(providerId),
    createdAt: instant
  }),
  DISPUTE: object({
    status: providerText,
    disputed: flag,
    amountMinor: sum,
    currency,
    chargeId: providerId,
    reason: providerText,
    createdAt: instant
  }),
  TRANSFER: object({
    amountMinor: sum,
    amountReversedMinor: sum,
    currency,
    destinationAccount: providerId,
    chargeId: orNull(providerId),
    destinationPaymentId: orNull(providerId),
    environment,
    createdAt: instant,
    reversals: listOf(
      object({ id: providerId, amountMinor: sum, refundId: orNull(providerId), createdAt: instant }),
      verifierLimits.reversalsMax
    )
  }),
  PAYOUT: object({
    state: word("PENDING", "IN_TRANSIT", "PAID", "FAILED", "CANCELED"),
    account: providerId,
    destinationPaymentId: providerId,
    currency,
    automatic: flag,
    environment,
    arrivalDate: instant,
    createdAt: instant
  })
} as const

type Component = keyof typeof paymentFacts
export const paymentComponents = Object.keys(paymentFacts) as ReadonlyArray<Component>
export type PaymentFacts<C extends Component> = SchemaType<(typeof paymentFacts)[C]>

const entryMembers = object({
  sequence: integer(1),
  previousHash: digest,
  observedAt: instant,
  component: word(...paymentComponents),
  entity: providerId,
  facts: anyObject,
  hash: digest
})

export type JournalEntry = {
  readonly [C in Component]: Omit<SchemaType<typeof entryMembers>, "component" | "facts"> & {
    readonly component: C
    readonly facts: PaymentFacts<C>
  }
}[Component]

const journalEntry: Schema<JournalEntry> = (value, at) => {
  const mismatch = entryMembers(value, at)
  if (mismatch !== undefined) return mismatch
  const { component, facts } = value as { component: Component; facts: Json }
  return paymentFacts[component](facts, `${at}.facts`)
}

export const paymentLabel = word(
  "PAYMENT_NOT_CONFIRMED",
  "PROVIDER_VERIFIED_PAYMENT",
  "PROVIDER_VERIFIED_REFUND",
  "DISPUTED",
  "PROVIDER_VERIFIED_TRANSFER",
  "PROVIDER_OBSERVED_PAYOUT"
)
export type PaymentLabel = SchemaType<typeof paymentLabel>

export const commerceRecord = object({
  ...issuedMembers(portableNames.commerceRecord),
  path: word("RESULT_ORDER"),
  binding: commerceBinding,
  coverage: word("CAPTURED_PROVIDER_OBSERVATIONS_ONLY"),
  priorHistory: word("NOT_ASSERTED"),
  firstCapturedAt: orNull(instant),
  attestation: word("SERVICE_ATTESTATION_OF_PROVIDER_READBACK"),
  bankReceiptVerified: word(false),
  journal: object({
    count: integer(0),
    head: digest,
    entries: listOf(journalEntry, verifierLimits.journalEntriesMax)
  }),
  labels: listOf(orNull(paymentLabel), verifierLimits.journalEntriesMax)
})
export type CommerceRecord = SchemaType<typeof commerceRecord>

export const commerceStatusFile = object({ schema: version(portableNames.commerceStatus), status: text })

/** What the record beside a status does not show. */
export const notReplayed = "RECORDER_ATTESTATION_NOT_REPLAYED"
const replay = orNull(word(notReplayed))

const observationMembers = object({
  entity: providerId,
  sequence: integer(1),
  hash: digest,
  observedAt: instant,
  facts: anyObject,
  label: orNull(paymentLabel),
  statusObservation: replay
})
export type StatusObservation = SchemaType<typeof observationMembers>

const componentMembers = object({
  component: word(...paymentComponents),
  lastObservedAt: orNull(instant),
  expiresAt: orNull(instant),
  observations: listOf(observationMembers, verifierLimits.componentEntitiesMax)
})

/** A component, then the facts of its observations. */
const componentStatus: Schema<SchemaType<typeof componentMembers>> = (value, at) => {
  const members = validate(componentMembers, value, at)
  if (!members.ok) return members
  const { component, observations } = members.value
  for (const [index, { facts }] of observations.entries()) {
    const unknown = paymentFacts[component](facts, `${at}.observations[${index}].facts`)
    if (unknown !== undefined) return unknown
  }
  return undefined
}

const componentStatuses = listOf(componentStatus, paymentComponents.length)

/** Every component, in the order of the format. */
const everyComponent: typeof componentStatuses = (value, at) => {
  const statuses = validate(componentStatuses, value, at)
  if (!statuses.ok) return statuses
  const isEvery = statuses.value.map(({ component }) => component).join() === paymentComponents.join()
  return isEvery ? undefined : fail("FIELD_TYPE", at, "EVERY_COMPONENT", value)
}

export const position = { count: integer(0), head: digest }

export const commerceStatus = object({
  ...issuedMembers(portableNames.commerceStatus),
  binding: commerceBinding,
  record: object({ digest, ...position }),
  latest: object(position),
  historyExtension: replay,
  attestation: word("SERVICE_ATTESTATION_OF_PROVIDER_READBACK"),
  bankReceiptVerified: word(false),
  components: everyComponent
})
export type CommerceStatus = SchemaType<typeof commerceStatus>
