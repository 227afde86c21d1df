/** The offer of a Result Order: with it, the whole Result Package is signed and kept. */
import { Effect, Result } from "effect"
import { canonicalText } from "../canonical/jcs.ts"
import { sha256Hex } from "../canonical/digest.ts"
import type { ActingPerson } from "../people/acting-person.ts"
import { Payments } from "../ports/payments.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader, Transaction } from "../ports/storage.ts"
import { readStoredProject, type StoredProject } from "../projects/history.ts"
import { readOnlyGuard } from "../projects/lost-head.ts"
import { readSideMemberships } from "../projects/representation.ts"
import { findIssuedRecord } from "../records/issued-record.ts"
import { packagePayload, type PackageParts } from "../records/package.ts"
import { readPackageParts } from "../records/package-parts.ts"
import { copyDate, signOrRefuse } from "../records/signed-copy.ts"
import type { IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { later, now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { commitFinancialCommand } from "./commit.ts"
import type { Occurrence } from "./financial-event.ts"
import { managingSide } from "./financial-side.ts"
import { offerGuard, type OfferInput } from "./offer.ts"
import { readCommandedOrder } from "./reading.ts"
import { orderFrom } from "./result-order.ts"
import { ResultOrderPackages, ResultOrders, type ResultOrderRow } from "./store.ts"
import { readRecipientAccountId } from "./stored-account.ts"
import { appendFinancialEvent, readOrdersOfProject } from "./stored-order.ts"
import { orderTerms, type Offer } from "./terms.ts"

/** Offers the issued result for a fixed total, for the supplier's representative. */
export const offerResultOrder = traced("commerce.offer")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  input: OfferInput & { readonly projectId: string }
) {
  const ids = yield* idSeed
  for (let plans = 0; plans < limits.orderPlans; plans++) {
    const plan = yield* planOffer(by, input.projectId)
    const committed = yield* commitOffer(by, request, input, plan, ids)
    if (committed !== undefined) return yield* readCommandedOrder({ ...committed, side: "SUPPLIER" })
  }
  return yield* refuse("TEMPORARILY_UNAVAILABLE")
})

/** The package as of one snapshot: grants are not locked by an offer, and their chains are read together. */
interface PlannedPackage {
  readonly parts: PackageParts
  readonly head: string
  readonly issuedAt: Instant
}

interface OfferPlan {
  readonly membershipId: string
  /** Undefined where no record is issued, and for a person who cannot offer. */
  readonly resultPackage: PlannedPackage | undefined
}

const planOffer = Effect.fnUntraced(function* (by: ActingPerson, projectId: string) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const [membership] = yield* readSideMemberships(reader, by, projectId, now)
    const stored = yield* readStoredProject(reader, projectId)
    const mayOffer = stored !== undefined && managingSide(stored.row, membership, now) === "SUPPLIER"
    const resultPackage = mayOffer ? yield* planPackage(reader, stored, now) : undefined
    return { membershipId: membership.membershipId, resultPackage } satisfies OfferPlan
  })
})

const planPackage = Effect.fnUntraced(function* (reader: Reader, stored: StoredProject, now: Instant) {
  const record = yield* findIssuedRecord(stored.project, reader)
  if (record === undefined) return undefined
  const parts = yield* readPackageParts(reader, stored, record)
  return { parts, head: stored.project.head, issuedAt: copyDate(stored, now) } satisfies PlannedPackage
})

/** What an offer decides on. */
interface OfferSubject {
  readonly stored: StoredProject
  readonly record: Effect.Success<ReturnType<typeof findIssuedRecord>>
  /** Every order of the project, the oldest first. */
  readonly orders: ReadonlyArray<ResultOrderRow>
  readonly recipientAccount: string | null
}

const commitOffer = Effect.fnUntraced(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  { projectId, ...input }: OfferInput & { readonly projectId: string },
  { membershipId, resultPackage }: OfferPlan,
  ids: Effect.Success<typeof idSeed>
) {
  const payments = yield* Payments
  return yield* commitFinancialCommand(by, request, {
    projectId,
    membershipId,
    side: "SUPPLIER",
    urgent: false,
    read: (transaction) => readOfferSubject(transaction, projectId),
    notBefore: ({ stored, orders }) =>
      orders.map(({ offeredAt }) => offeredAt).reduce(later, resultPackage?.issuedAt ?? stored.row.lastEventAt),
    isPlanCurrent: ({ record, stored }) => record === undefined || stored.project.head === resultPackage?.head,
    decide: (subject) => decideOffer(subject, { input, payments, resultPackage }),
    apply: (transaction, { subject, decision, occurrence }) =>
      insertOffer(transaction, ids("attempt").next("order"), subject.stored, decision, occurrence)
  })
})

const readOfferSubject = Effect.fnUntraced(function* (transaction: Transaction, projectId: string) {
  const stored = yield* readStoredProject(transaction, projectId)
  if (stored === undefined) return undefined
  const payments = yield* Payments
  const { supplierOrganizationId } = stored.row
  const [record, orders, recipientAccount] = yield* readTogether([
    findIssuedRecord(stored.project, transaction),
    readOrdersOfProject(transaction, projectId),
    readRecipientAccountId(transaction, payments, supplierOrganizationId)
  ])
  return { stored, record, orders, recipientAccount } satisfies OfferSubject
})

interface OfferRequest {
  readonly input: OfferInput
  readonly payments: Payments["Service"]
  readonly resultPackage: PlannedPackage | undefined
}

const decideOffer = (
  { stored, record, orders, recipientAccount }: OfferSubject,
  { input, payments, resultPackage }: OfferRequest
) => {
  const refused =
    readOnlyGuard(stored.project) ?? offerGuard(stored.project, input, { payments, recipientAccount, orders })
  if (refused !== undefined) return Result.fail(refused)
  if (record === undefined || resultPackage === undefined || payments.kind === "NONE" || recipientAccount === null) {
    throw new Error("the guard of an offer refuses a project without a record, and an installation without an account")
  }
  const { provider, environment } = payments
  const { currency, amountMinor } = input
  const { recordId: id, digest } = record
  const offer = { record: { id, digest }, provider, environment, recipientAccount, currency, amountMinor }
  return Result.succeed({ resultPackage, offer } satisfies DecidedOffer)
}

interface DecidedOffer {
  readonly resultPackage: PlannedPackage
  readonly offer: Omit<Offer, "packageDigest">
}

/** Signs the package, then makes the order over its digest: no event of the order is earlier than the package. */
const insertOffer = Effect.fnUntraced(function* (
  transaction: Transaction,
  resultOrderId: string,
  { project, row }: StoredProject,
  { resultPackage: { parts, issuedAt }, offer }: DecidedOffer,
  occurrence: Occurrence
) {
  const payload = packagePayload(parts, issuedAt)
  const jws = yield* signOrRefuse("PACKAGE", payload)
  const packageDigest = sha256Hex(canonicalText(payload))
  const terms = orderTerms(project, { ...offer, packageDigest })
  const order = orderFrom(resultOrderId, terms, [])
  const inserted: ResultOrderRow = {
    resultOrderId,
    projectId: row.projectId,
    recordId: offer.record.id,
    buyerOrganizationId: terms.buyer.organizationId,
    supplierOrganizationId: terms.supplier.organizationId,
    state: "OFFERED",
    terms: canonicalText(terms),
    offeredAt: occurrence.now
  }
  yield* transaction.insert(ResultOrders, inserted)
  yield* transaction.insert(ResultOrderPackages, { resultOrderId, digest: packageDigest, package: jws })
  const content = { kind: "OFFERED", payload: { termsDigest: order.termsDigest } } as const
  yield* appendFinancialEvent(transaction, { row: inserted, order }, content, occurrence)
  return { resultOrderId }
})
