/** What a closure and its status state, compared with the stored rows of one order and one attempt. */
import { parseSigned } from "../../../src/canonical/jws.ts"
import {
  CommerceExports,
  CommerceOrders,
  type CommerceOrderRow,
  ResultOrderPackages,
  ResultOrders
} from "../../../src/commerce/store.ts"
import { type Json, valueAt } from "../../vocabulary/json.ts"
import { rowIn, type Rows, rowsWithPrefix } from "../property.ts"
import { bindingOf, digestOf, type Entry, entriesOf, parsed } from "./commerce.ts"
import { expectedLabels, isPaidAsBound } from "./commerce-labels.ts"

/** The attempt that a closure is about: the earliest one with a verified payment, else the latest; undefined for none. */
export const expectedAttempt = (rows: Rows, resultOrderId: string): CommerceOrderRow | undefined => {
  const attempts = rowsWithPrefix(rows, CommerceOrders, [resultOrderId], "byOrder")
  return attempts.find((attempt) => isPaid(rows, attempt)) ?? attempts.at(-1)
}

const isPaid = (rows: Rows, attempt: CommerceOrderRow): boolean => {
  const payment = entriesOf(rows, attempt.commerceOrderId).findLast(({ component }) => component === "PAYMENT")
  return payment !== undefined && isPaidAsBound(bindingOf(attempt), payment.facts)
}

interface RecordPayload {
  readonly binding: { readonly commerceOrderId: string; readonly resultOrderId: string }
  readonly journal: { readonly count: number }
}

/** The attempt of the enclosed Commerce Record, and the length of its journal. */
export const enclosedRecordOf = (file: Json): { readonly commerceOrderId: string; readonly count: number } => {
  const { binding, journal } = parseSigned<RecordPayload>(textAt(file, "body.data.artifacts.commerceRecord"))
  return { commerceOrderId: binding.commerceOrderId, count: journal.count }
}

/** How a closure differs from the rows of its order and of the attempt that it encloses, in words. */
export const closureProblem = (file: Json, resultOrderId: string, rows: Rows): string | undefined => {
  const { commerceOrderId, count } = enclosedRecordOf(file)
  const attempt = rowIn(rows, CommerceOrders, [commerceOrderId])
  const exported = rowIn(rows, CommerceExports, [commerceOrderId, count])
  const kept = rowIn(rows, ResultOrderPackages, [resultOrderId])
  if (attempt?.resultOrderId !== resultOrderId) return "encloses the Commerce Record of another order"
  const artifact = (name: string) => textAt(file, `body.data.artifacts.${name}`)
  if (artifact("commerceRecord") !== exported?.record) return "encloses a Commerce Record that is not the stored export"
  if (artifact("resultOrder") !== attempt.orderRecord) return "encloses the order's record of another attempt"
  if (artifact("resultPackage") !== kept?.package) return "encloses another package than the one signed with the offer"
  const references = valueAt(file, "body.data.references")
  if (digestOf(references) !== digestOf(expectedReferences(attempt, rows, file))) return "has references to other parts"
  const expected = expectedAssurance(attempt, entriesOf(rows, commerceOrderId).slice(0, count))
  const assurance = Object.entries(expected).find(
    ([name, value]) => valueAt(file, `body.data.assurance.${name}`) !== value
  )
  return assurance === undefined
    ? undefined
    : `assures ${assurance[0]} as ${JSON.stringify(valueAt(file, `body.data.assurance.${assurance[0]}`))} instead of ${JSON.stringify(assurance[1])}`
}

/** The members of the terms that references repeat. */
interface Terms {
  readonly projectId: string
  readonly agreement: { readonly digest: string; readonly version: number }
  readonly submission: Json
  readonly review: Json
  readonly record: Json
}

const expectedReferences = (attempt: CommerceOrderRow, rows: Rows, file: Json): Json => {
  const { commerceOrderId, resultOrderId, orderRecord } = attempt
  const { projectId, agreement, submission, review, record } = parsed<Terms>(
    rowIn(rows, ResultOrders, [resultOrderId])?.terms ?? "{}"
  )
  const digestOfSigned = (jws: string): string => digestOf(parseSigned(jws))
  const parts = { delivery: ["SUBMISSION", submission], review: ["REVIEW", review], result: ["RESULT_RECORD", record] }
  return {
    agreement: { type: "AGREEMENT", id: projectId, ...agreement },
    ...Object.fromEntries(
      Object.entries(parts).map(([name, [type = null, part]]) => [name, { type, ...(part as object) }])
    ),
    resultPackage: {
      type: "RESULT_PACKAGE",
      id: projectId,
      digest: digestOfSigned(textAt(file, "body.data.artifacts.resultPackage"))
    },
    resultOrder: { type: "RESULT_ORDER", id: resultOrderId, digest: digestOfSigned(orderRecord) },
    commerce: {
      type: "COMMERCE_RECORD",
      id: commerceOrderId,
      digest: digestOfSigned(textAt(file, "body.data.artifacts.commerceRecord"))
    },
    paymentSource: { type: "PAYMENT_SOURCE", digest: bindingOf(attempt).acceptedSourceDigest }
  }
}

/** The payment by the latest label; sums and flag by the latest entry of each entity. */
const expectedAssurance = (attempt: CommerceOrderRow, entries: ReadonlyArray<Entry>) => {
  const labels = expectedLabels(bindingOf(attempt), entries)
  const labelled = entries.map((entry, index) => ({ ...entry, label: labels[index] ?? null }))
  const latestOf = (component: string) => labelled.findLast((entry) => entry.component === component)
  const current = labelled.filter(
    ({ component, entity, sequence, label }) =>
      label !== null &&
      !entries.some((one) => one.component === component && one.entity === entity && one.sequence > sequence)
  )
  const sumOf = (label: string, member: string): number =>
    current.filter((entry) => entry.label === label).reduce((sum, { facts }) => sum + Number(facts[member]), 0)
  return {
    payment: (latestOf("PAYMENT") ?? latestOf("CHECKOUT"))?.label ?? null,
    refundedMinor: sumOf("PROVIDER_VERIFIED_REFUND", "amountMinor"),
    reversedMinor: sumOf("PROVIDER_VERIFIED_TRANSFER", "amountReversedMinor"),
    disputed: current.some(({ label }) => label === "DISPUTED"),
    bankReceiptVerified: false,
    laterEvents: "NOT_ASSERTED"
  }
}

/** What both halves of a status are about. */
export const statusSubjectOf = (file: Json) => {
  const result = parseSigned<{ readonly projectId: string }>(textAt(file, "result"))
  const commerce = parseSigned<{
    readonly binding: RecordPayload["binding"]
    readonly record: { readonly digest: string }
  }>(textAt(file, "commerce"))
  return {
    projectId: result.projectId,
    commerceOrderId: commerce.binding.commerceOrderId,
    recordDigest: commerce.record.digest
  }
}

const textAt = (file: Json, path: string): string => String(valueAt(file, path))
