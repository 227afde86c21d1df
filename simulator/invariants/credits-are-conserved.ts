/** A record consumes one credit at most, and what fails gives it back (spec 4.3, 8). */
import { CreditEntries, OrganizationCredits, ResultRecords } from "../../src/records/store.ts"
import { ProjectEvents, Projects } from "../../src/projects/store.ts"
import type { Write } from "../observation.ts"
import { type Broken, broken, invariant, type Moment, rowIn, rowsUnder } from "./invariant.ts"
import { firstKeysOf, rowsWritten, writesTo } from "./support/commits.ts"
import { payloadIn } from "./support/signed.ts"

export const creditsAreConserved = invariant<null>({
  name: "credits are conserved",
  kind: "always",
  says: "What was granted less what was used is what is left; a debit, its record and a live confirmation exist together.",
  begins: null,
  sees: (_, moment) => {
    const { observed } = moment
    if (observed.kind !== "commit") return null
    const organizations = firstKeysOf(observed, OrganizationCredits, CreditEntries)
    const records = writesTo(observed, ResultRecords)
    if (organizations.length === 0 && records.length === 0) return null
    for (const id of organizations) {
      const wrong = wrongInLedger(id, moment) ?? wrongInDebits(id, moment)
      if (wrong !== undefined) return wrong
    }
    for (const { change, key } of records) {
      const wrong =
        change === "insert" ? wrongInRecord(key, moment) : broken(`the record of ${key[0]} was written again`)
      if (wrong !== undefined) return wrong
    }
    return null
  }
})

const wrongInLedger = (organizationId: string, { observed, rows }: Moment): Broken | undefined => {
  const again = writesTo(observed, CreditEntries).find(({ change }) => change !== "insert")
  if (again !== undefined) return broken(`entry ${again.key[1]} of ${organizationId} was written again`)
  const entries = rowsUnder(rows, CreditEntries, [organizationId])
  let balance = 0
  for (const [index, entry] of entries.entries()) {
    balance += entry.change
    if (entry.sequence !== index + 1)
      return broken(`entry ${entry.sequence} of ${organizationId} is at place ${index + 1}`)
    if (balance < 0) return broken(`${organizationId} has used more credits than it had`)
    if (entry.balance !== balance)
      return broken(`entry ${entry.sequence} of ${organizationId} leaves ${entry.balance}, not ${balance}`)
  }
  const account = rowIn(rows, OrganizationCredits, [organizationId])
  if (account?.balance !== balance || account.entries !== entries.length) {
    return broken(`${organizationId} has ${account?.balance} credits where its entries leave ${balance}`)
  }
  return undefined
}

/** What was used in this commit was used for one record that it holds too. */
const wrongInDebits = (organizationId: string, { observed, rows }: Moment): Broken | undefined => {
  const records = writesTo(observed, ResultRecords).map(({ key }) => key.join(" "))
  for (const entry of rowsWritten(observed, rows, CreditEntries)) {
    if (entry.organizationId !== organizationId) continue
    const { change, reference, confirmationId } = entry
    if (change > 0 && confirmationId === null) continue
    if (change !== -1) return broken(`${organizationId} was charged ${-change} credits at once`)
    if (!records.includes(`${reference} ${confirmationId}`)) {
      return broken(`${organizationId} was charged for ${confirmationId}, and no record came with it`)
    }
  }
  return undefined
}

/** A record that was just issued: what it cost, what it confirms, and what the history says of it. */
const wrongInRecord = (key: Write["key"], { observed, before, rows }: Moment): Broken | undefined => {
  const record = rowIn(rows, ResultRecords, key)
  const project = rowIn(rows, Projects, [String(key[0])])
  if (record === undefined || project === undefined)
    return broken(`there is no project for the record ${key.join(" ")}`)
  const { projectId, confirmationId, recordId } = record
  const debits = rowsWritten(observed, rows, CreditEntries).filter((entry) => entry.confirmationId === confirmationId)
  const [debit] = debits
  if (debits.length !== 1 || debit?.organizationId !== project.buyerOrganizationId) {
    return broken(`the record ${recordId} came with ${debits.length} debits of its buyer`)
  }
  if (rowIn(before, Projects, [projectId])?.state !== "BUYER_CONFIRMED" || project.state !== "BUYER_CONFIRMED") {
    return broken(`the record ${recordId} was issued where nothing was confirmed`)
  }
  const events = rowsUnder(rows, ProjectEvents, [projectId])
  const confirmed = events.findLast((event) => event.kind === "REVIEW" && payloadIn(event)["action"] === "ACCEPT")
  if (confirmed === undefined || payloadIn(confirmed)["confirmationId"] !== confirmationId) {
    return broken(`the record ${recordId} confirms another acceptance than the last`)
  }
  const issued = events.filter(
    (event) => event.kind === "ISSUE" && payloadIn(event)["confirmationId"] === confirmationId
  )
  return issued.length === 1 && payloadIn(issued[0]!)["recordId"] === recordId
    ? undefined
    : broken(`the history of ${projectId} tells ${issued.length} times that ${confirmationId} has its record`)
}
