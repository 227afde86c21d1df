/** A record consumes at most one credit, and a failed issuance returns it (spec 4.3, 8). */
import { CreditEntries, OrganizationCredits, ResultRecords } from "../../../src/records/store.ts"
import { ProjectEvents, Projects } from "../../../src/projects/store.ts"
import type { Write } from "../../observation/observation.ts"
import {
  type PropertyViolation,
  violation,
  monitoredProperty,
  type Moment,
  rowIn,
  rowsWithPrefix
} from "../property.ts"
import { firstKeysOf, rowsWritten, writesTo } from "../support/commits.ts"
import { payloadOf } from "../support/signed-events.ts"

export const creditsAreConserved = monitoredProperty<null>({
  name: "credits are conserved",
  kind: "always",
  says: "The balance is the credits granted minus the credits used, and a debit, its record and its confirmation exist together.",
  judges: { kinds: [], commitsTo: [OrganizationCredits, CreditEntries, ResultRecords] },
  initial: null,
  next: (_, moment) => {
    const { observed } = moment
    if (observed.kind !== "commit") return null
    const organizations = firstKeysOf(observed, OrganizationCredits, CreditEntries)
    const records = writesTo(observed, ResultRecords)
    if (organizations.length === 0 && records.length === 0) return null
    for (const id of organizations) {
      const wrong = ledgerViolation(id, moment) ?? debitViolation(id, moment)
      if (wrong !== undefined) return wrong
    }
    for (const { change, key } of records) {
      const wrong =
        change === "insert" ? recordViolation(key, moment) : violation(`the record of ${key[0]} was overwritten`)
      if (wrong !== undefined) return wrong
    }
    return null
  }
})

const ledgerViolation = (organizationId: string, { observed, rows }: Moment): PropertyViolation | undefined => {
  const overwritten = writesTo(observed, CreditEntries).find(({ change }) => change !== "insert")
  if (overwritten !== undefined) return violation(`entry ${overwritten.key[1]} of ${organizationId} was overwritten`)
  const entries = rowsWithPrefix(rows, CreditEntries, [organizationId])
  let balance = 0
  for (const [index, entry] of entries.entries()) {
    balance += entry.change
    if (entry.sequence !== index + 1)
      return violation(`entry ${entry.sequence} of ${organizationId} is at position ${index + 1}`)
    if (balance < 0) return violation(`${organizationId} has used more credits than it had`)
    if (entry.balance !== balance)
      return violation(`entry ${entry.sequence} of ${organizationId} has the balance ${entry.balance}, not ${balance}`)
  }
  const account = rowIn(rows, OrganizationCredits, [organizationId])
  if (account?.balance !== balance || account.entries !== entries.length) {
    return violation(`${organizationId} has ${account?.balance} credits and its entries sum to ${balance}`)
  }
  return undefined
}

/** Each debit of this commit pays for one record of the same commit. */
const debitViolation = (organizationId: string, { observed, rows }: Moment): PropertyViolation | undefined => {
  const records = writesTo(observed, ResultRecords).map(({ key }) => key.join(" "))
  for (const entry of rowsWritten(observed, rows, CreditEntries)) {
    if (entry.organizationId !== organizationId) continue
    const { change, reference, confirmationId } = entry
    if (change > 0 && confirmationId === null) continue
    if (change !== -1) return violation(`${organizationId} was charged ${-change} credits at once`)
    if (!records.includes(`${reference} ${confirmationId}`)) {
      return violation(`${organizationId} was charged for ${confirmationId} without a record`)
    }
  }
  return undefined
}

/** Of a newly issued record: its debit, its confirmation and its event. */
const recordViolation = (key: Write["key"], { observed, before, rows }: Moment): PropertyViolation | undefined => {
  const record = rowIn(rows, ResultRecords, key)
  const project = rowIn(rows, Projects, [String(key[0])])
  if (record === undefined || project === undefined) return violation(`the record ${key.join(" ")} has no project`)
  const { projectId, confirmationId, recordId } = record
  const debits = rowsWritten(observed, rows, CreditEntries).filter((entry) => entry.confirmationId === confirmationId)
  const [debit] = debits
  if (debits.length !== 1 || debit?.organizationId !== project.buyerOrganizationId) {
    return violation(`the record ${recordId} has ${debits.length} debits of its buyer`)
  }
  if (rowIn(before, Projects, [projectId])?.state !== "BUYER_CONFIRMED" || project.state !== "BUYER_CONFIRMED") {
    return violation(`the record ${recordId} was issued without a confirmation`)
  }
  const events = rowsWithPrefix(rows, ProjectEvents, [projectId])
  const confirmed = events.findLast((event) => event.kind === "REVIEW" && payloadOf(event)["action"] === "ACCEPT")
  if (confirmed === undefined || payloadOf(confirmed)["confirmationId"] !== confirmationId) {
    return violation(`the record ${recordId} does not confirm the last acceptance`)
  }
  const issued = events.filter(
    (event) => event.kind === "ISSUE" && payloadOf(event)["confirmationId"] === confirmationId
  )
  return issued.length === 1 && payloadOf(issued[0]!)["recordId"] === recordId
    ? undefined
    : violation(`the history of ${projectId} has ${issued.length} issue events for ${confirmationId}`)
}
