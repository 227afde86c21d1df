/** The tables of a project export, and the values that stand in place of what stays in the installation. */
import { AuthorityEvents, GrantProjects, Grants } from "../access/store.ts"
import { JobEnvelopes, Jobs } from "../jobs/store.ts"
import { ParticipationItems, ParticipationNotes } from "../participation/store.ts"
import { CurrentMemberships, Memberships, Organizations, Persons } from "../people/store.ts"
import type { AnyTable } from "../ports/table.ts"
import { AutomationChanges, HistoryGaps, Issuances, ProjectEvents, Projects, ProjectSides } from "../projects/store.ts"
import { ProviderSubjects, Publications } from "../publications/store.ts"
import { CreditEntries, RecordShareOpenings, RecordShares, ResultRecords } from "../records/store.ts"
import {
  WebhookAttempts,
  WebhookDeliveries,
  WebhookEvents,
  WebhookListeners,
  WebhookSubscriptions
} from "../webhooks/store.ts"

export interface ExportedTable {
  readonly table: AnyTable
  /** By column: what the export has in its place. */
  readonly withheld: { readonly [column: string]: unknown }
}

/** No row has this value: it says that the installation has one. */
export const withheld = "withheld"

/** In an order in which rows can be inserted. Tables that are not listed stay out, with all that they hold. */
export const exportedTables: ReadonlyArray<ExportedTable> = [
  { table: Organizations, withheld: {} },
  // The subject at the issuer is replaced by the person's id, since both columns together are unique.
  { table: Persons, withheld: { issuer: withheld } },
  { table: Memberships, withheld: {} },
  { table: CurrentMemberships, withheld: {} },
  { table: Grants, withheld: {} },
  { table: AuthorityEvents, withheld: {} },
  { table: GrantProjects, withheld: {} },
  { table: Projects, withheld: {} },
  { table: ProjectEvents, withheld: {} },
  { table: HistoryGaps, withheld: {} },
  { table: ProjectSides, withheld: {} },
  { table: AutomationChanges, withheld: {} },
  { table: Issuances, withheld: { leaseToken: "" } },
  { table: Jobs, withheld: {} },
  { table: JobEnvelopes, withheld: {} },
  { table: ParticipationItems, withheld: { credentialHash: null } },
  { table: ParticipationNotes, withheld: {} },
  { table: ResultRecords, withheld: {} },
  { table: CreditEntries, withheld: {} },
  { table: RecordShares, withheld: {} },
  { table: RecordShareOpenings, withheld: {} },
  { table: ProviderSubjects, withheld: {} },
  { table: Publications, withheld: {} },
  { table: WebhookSubscriptions, withheld: { target: withheld, sealedSecret: withheld, flights: [], leaseToken: "" } },
  { table: WebhookListeners, withheld: {} },
  { table: WebhookEvents, withheld: { leaseToken: "" } },
  { table: WebhookDeliveries, withheld: { leaseToken: "" } },
  { table: WebhookAttempts, withheld: { leaseToken: withheld } }
]

type Row = Readonly<Record<string, unknown>>

/** The row as it is exported. */
export const exportedRow = ({ table, withheld: replaced }: ExportedTable, row: Row): Row =>
  table === Persons ? { ...row, ...replaced, subject: row["personId"] } : { ...row, ...replaced }
