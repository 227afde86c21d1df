/** A record consumes at most one credit, and a failed issuance returns it (spec 4.3, 8). */
import {
  accountProblem,
  addEntry,
  debitProblem,
  emptyLedger,
  recordProblem
} from "../../../src/integrity/credit-ledger.ts"
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
  let sum = emptyLedger
  for (const entry of rowsWithPrefix(rows, CreditEntries, [organizationId])) {
    const next = addEntry(organizationId, sum, entry)
    if (typeof next === "string") return violation(next)
    sum = next
  }
  const wrong = accountProblem(organizationId, rowIn(rows, OrganizationCredits, [organizationId]), sum)
  return wrong === undefined ? undefined : violation(wrong)
}

/** Each debit of this commit pays for one record of the same commit. */
const debitViolation = (organizationId: string, { observed, rows }: Moment): PropertyViolation | undefined => {
  const records = writesTo(observed, ResultRecords).map(({ key }) => key.join(" "))
  for (const entry of rowsWritten(observed, rows, CreditEntries)) {
    if (entry.organizationId !== organizationId) continue
    const hasRecord = records.includes(`${entry.reference} ${entry.confirmationId}`)
    const wrong = debitProblem(organizationId, entry, hasRecord)
    if (wrong !== undefined) return violation(wrong)
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
  if (rowIn(before, Projects, [projectId])?.state !== "BUYER_CONFIRMED" || project.state !== "BUYER_CONFIRMED") {
    return violation(`the record ${recordId} was issued without a confirmation`)
  }
  const events = rowsWithPrefix(rows, ProjectEvents, [projectId])
  const confirmed = events.findLast((event) => event.kind === "REVIEW" && payloadOf(event)["action"] === "ACCEPT")
  if (confirmed === undefined || payloadOf(confirmed)["confirmationId"] !== confirmationId) {
    return violation(`the record ${recordId} does not confirm the last acceptance`)
  }
  const wrong = recordProblem({ record, project, debits, events })
  return wrong === undefined ? undefined : violation(wrong)
}
