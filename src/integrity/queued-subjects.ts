/** Ledgers of credits and subscriptions of webhooks: both can be longer than memory, so they are read in pages. */
import { Effect } from "effect"
import { Grants } from "../access/store.ts"
import { Memberships, Organizations } from "../people/store.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import type { RowOf } from "../ports/table.ts"
import { CreditEntries, OrganizationCredits, ResultRecords } from "../records/store.ts"
import { type DeliveryRow, WebhookAttempts, WebhookDeliveries, WebhookSubscriptions } from "../webhooks/store.ts"
import { accountProblem, addEntry, debitProblem, emptyLedger, type LedgerSum } from "./credit-ledger.ts"
import {
  addDelivery,
  attemptsProblem,
  concurrencyProblem,
  deliveryProblem,
  isDeliverable,
  isScheduledLate,
  noDeliveries,
  subscriptionProblem
} from "./queues.ts"
import { subject } from "./subject.ts"

const rowsPerPage = 200
/** Findings that are kept of one subject: the first ones tell what to look at. */
const problemsMax = 20

export const credits = subject(
  "organizations",
  Organizations,
  "the organization's rows in credit_entries and organization_credits, and result_records",
  (reader, { organizationId: id }) =>
    Effect.gen(function* () {
      const account = yield* reader.get(OrganizationCredits, [id])
      const problems: Array<string> = []
      let sum: LedgerSum | string = emptyLedger
      let after: number | undefined
      for (;;) {
        const range = { prefix: [id], limit: rowsPerPage, ...(after === undefined ? {} : { after: [after] }) }
        const entries: ReadonlyArray<RowOf<typeof CreditEntries>> = yield* reader.range(CreditEntries, "key", range)
        for (const entry of entries) if (typeof sum !== "string") sum = addEntry(id, sum, entry)
        problems.push(...(yield* debitProblems(reader, id, entries)))
        after = entries.at(-1)?.sequence
        if (entries.length < rowsPerPage) break
      }
      const isEmpty = account === undefined && sum === emptyLedger
      const ledger = typeof sum === "string" ? sum : isEmpty ? undefined : accountProblem(id, account, sum)
      return () => [ledger, ...problems.slice(0, problemsMax)].map((problem) => ({ check: "credits", problem }))
    })
)

const debitProblems = Effect.fnUntraced(function* (
  reader: Reader,
  organizationId: string,
  entries: ReadonlyArray<RowOf<typeof CreditEntries>>
) {
  const debits = entries.filter(({ change, confirmationId }) => change <= 0 || confirmationId !== null)
  const records = yield* readTogether(
    debits.map(({ reference, confirmationId }) => reader.get(ResultRecords, [reference, confirmationId ?? ""]))
  )
  return debits.flatMap((entry, index) => debitProblem(organizationId, entry, records[index] !== undefined) ?? [])
})

export const subscriptions = subject(
  "subscriptions",
  WebhookSubscriptions,
  "the subscription's rows in webhook_deliveries and webhook_attempts",
  (reader, row, { at }) =>
    Effect.gen(function* () {
      const { subscriptionId: id, grantId, membershipId } = row
      const [membership, grant] = yield* readTogether([
        reader.get(Memberships, [membershipId]),
        grantId === null ? Effect.succeed(undefined) : reader.get(Grants, [grantId])
      ])
      const problems: Array<string> = []
      let sum = noDeliveries
      let next: DeliveryRow | undefined
      let after: number | undefined
      for (;;) {
        const range = { prefix: [id], limit: rowsPerPage, ...(after === undefined ? {} : { after: [after] }) }
        const deliveries: ReadonlyArray<DeliveryRow> = yield* reader.range(WebhookDeliveries, "byNumber", range)
        sum = deliveries.reduce(addDelivery, sum)
        for (const one of deliveries) {
          if (one.state === "PENDING" && (next === undefined || one.dueAt < next.dueAt)) next = one
        }
        problems.push(...(yield* deliveryProblems(reader, deliveries)))
        after = deliveries.at(-1)?.number
        if (deliveries.length < rowsPerPage) break
      }
      const isLate = isDeliverable(row, { grant, membership }, at) && isScheduledLate(row, next, at)
      const own = [
        named(id, subscriptionProblem(row, sum, at)),
        concurrencyProblem(row),
        isLate ? `${id} is scheduled long after its next delivery is due` : undefined
      ]
      return () => [...own, ...problems.slice(0, problemsMax)].map((problem) => ({ check: "queues", problem }))
    })
)

const deliveryProblems = Effect.fnUntraced(function* (reader: Reader, deliveries: ReadonlyArray<DeliveryRow>) {
  const attempts = yield* readTogether(
    deliveries.map(({ deliveryId }) =>
      reader.range(WebhookAttempts, "key", { prefix: [deliveryId], limit: attemptsRead })
    )
  )
  return deliveries.flatMap((delivery, index) => {
    const own = attempts[index] ?? []
    const last = own.find(({ attempt }) => attempt === delivery.totalAttempts)
    return named(delivery.deliveryId, deliveryProblem(delivery, last)) ?? attemptsProblem(delivery, own) ?? []
  })
})

/** One more than the limit of the specification. */
const attemptsRead = 81

const named = (of: string, problem: string | undefined): string | undefined => problem && `${of} ${problem}`
