/** The ledger of result credits: its sums, and that a debit, its record and its confirmation exist together. */
import { payloadOf } from "./stored-json.ts"

export interface CreditEntryRow {
  readonly sequence: number
  readonly change: number
  readonly balance: number
  readonly reference: string
  readonly confirmationId: string | null
}

export interface LedgerSum {
  readonly entries: number
  readonly balance: number
}

export const emptyLedger: LedgerSum = { entries: 0, balance: 0 }

/** The sum with one more entry, or what is wrong with the entry: a ledger can be longer than memory. */
export const addEntry = (organizationId: string, sum: LedgerSum, entry: CreditEntryRow): LedgerSum | string => {
  const balance = sum.balance + entry.change
  const position = sum.entries + 1
  if (entry.sequence !== position) return `entry ${entry.sequence} of ${organizationId} is at position ${position}`
  if (balance < 0) return `${organizationId} has used more credits than it had`
  if (entry.balance !== balance)
    return `entry ${entry.sequence} of ${organizationId} has the balance ${entry.balance}, not ${balance}`
  return { entries: position, balance }
}

export const accountProblem = (
  organizationId: string,
  account: LedgerSum | undefined,
  sum: LedgerSum
): string | undefined =>
  account?.balance === sum.balance && account.entries === sum.entries
    ? undefined
    : `${organizationId} has ${account?.balance} credits and its entries sum to ${sum.balance}`

/** An entry adds credits, or takes one for a record that exists. */
export const debitProblem = (
  organizationId: string,
  { change, confirmationId }: CreditEntryRow,
  hasRecord: boolean
): string | undefined => {
  if (change > 0 && confirmationId === null) return undefined
  if (change !== -1) return `${organizationId} was charged ${-change} credits at once`
  return hasRecord ? undefined : `${organizationId} was charged for ${confirmationId} without a record`
}

interface RecordContext {
  readonly record: { readonly projectId: string; readonly confirmationId: string; readonly recordId: string }
  readonly project: { readonly buyerOrganizationId: string } | undefined
  /** The debits of its confirmation. */
  readonly debits: ReadonlyArray<{ readonly organizationId: string }>
  /** The history of its project. */
  readonly events: ReadonlyArray<{ readonly kind: string; readonly jws: string }>
}

/** A record has one debit of its buyer, an acceptance that it confirms, and one event of its issue. */
export const recordProblem = ({ record, project, debits, events }: RecordContext): string | undefined => {
  const { projectId, confirmationId, recordId } = record
  if (project === undefined) return `the record ${projectId} ${confirmationId} has no project`
  if (debits.length !== 1 || debits[0]?.organizationId !== project.buyerOrganizationId) {
    return `the record ${recordId} has ${debits.length} debits of its buyer`
  }
  const ofConfirmation = events.filter((event) => payloadOf(event)["confirmationId"] === confirmationId)
  if (!ofConfirmation.some((event) => event.kind === "REVIEW" && payloadOf(event)["action"] === "ACCEPT")) {
    return `the record ${recordId} confirms no acceptance`
  }
  const issued = ofConfirmation.filter(({ kind }) => kind === "ISSUE")
  return issued.length === 1 && payloadOf(issued[0]!)["recordId"] === recordId
    ? undefined
    : `the history of ${projectId} has ${issued.length} issue events for ${confirmationId}`
}
