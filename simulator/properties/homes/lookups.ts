/**
 * The lookups that name no column from which the home follows. Distributed by organization, Postgres would ask every node
 * for them; all other reads name their home, or the id of a row whose home is known from it.
 */
import { Credentials, Grants } from "../../../src/access/store.ts"
import { AdministrationActs } from "../../../src/administration/store.ts"
import { CommerceEntities, CommerceExports, CommerceOrders, ResultOrders } from "../../../src/commerce/store.ts"
import { Drafts } from "../../../src/drafts/store.ts"
import { Jobs } from "../../../src/jobs/store.ts"
import { ParticipationCredentials, ParticipationItems } from "../../../src/participation/store.ts"
import {
  Contacts,
  CurrentMemberships,
  Invitations,
  Memberships,
  SelfServiceAccounts
} from "../../../src/people/store.ts"
import type { AnyTable } from "../../../src/ports/table.ts"
import { HistoryGaps, Issuances, Projects, ProjectSides } from "../../../src/projects/store.ts"
import { Proposals, ProposalSides } from "../../../src/proposals/store.ts"
import { Publications } from "../../../src/publications/store.ts"
import { CreditEntries, RecordShares, ResultRecords } from "../../../src/records/store.ts"
import { RequestKeys } from "../../../src/replay/store.ts"
import {
  WebhookDeliveries,
  WebhookEvents,
  WebhookQuotaSlots,
  WebhookSubscriptions
} from "../../../src/webhooks/store.ts"
import { tables } from "../../../src/tables.ts"
import { rowHomes } from "./row-homes.ts"

/** The key, an index, or the claim of due rows. */
type AccessPath = string

export interface LookupsAcrossHomes {
  readonly reason: string
  /** How the home would be known before the rows are read. */
  readonly remedy: string
  readonly lookups: ReadonlyArray<readonly [AnyTable, ...ReadonlyArray<AccessPath>]>
}

export const lookupsAcrossHomes: ReadonlyArray<LookupsAcrossHomes> = [
  {
    reason: "the id alone, as a path of the API names it",
    remedy: "a reference table from ids to homes, written with the row, since old ids do not hold their home",
    lookups: [
      [Projects, "key"],
      [Proposals, "key"],
      [Grants, "key"],
      [Memberships, "key"],
      [Drafts, "key"],
      [Jobs, "key"],
      [Invitations, "key"],
      [ParticipationItems, "key"],
      [RecordShares, "key"],
      [Publications, "key"],
      [ResultOrders, "key"],
      [CommerceOrders, "key"],
      [WebhookSubscriptions, "key"],
      [WebhookDeliveries, "key"],
      [WebhookEvents, "key"]
    ]
  },
  {
    reason: "a secret or a digest, of which the caller has nothing else",
    remedy: "the same reference table, by hash",
    lookups: [
      [Credentials, "key"],
      [ParticipationCredentials, "key"],
      [Invitations, "byCode"],
      [ResultRecords, "byRecord"],
      [CommerceExports, "byDigest"]
    ]
  },
  {
    reason: "a list of one person, or of a supplier, over several buyers",
    remedy: "asked of every node, as a read elsewhere; the rows carry the columns that a list shows",
    lookups: [
      [ProjectSides, "byCreation"],
      [ProposalSides, "byTime"],
      [Memberships, "byPerson"],
      [Memberships, "byEndOfPerson"],
      [SelfServiceAccounts, "byPerson"],
      [Grants, "byPerson"],
      [Grants, "byCreation"],
      [ParticipationItems, "byPerson"],
      [RecordShares, "byRecipient"],
      [ResultOrders, "bySupplier"],
      [Publications, "bySubject"],
      [WebhookSubscriptions, "byPerson"],
      [WebhookSubscriptions, "byCreation"],
      [WebhookQuotaSlots, "byEnd"]
    ]
  },
  {
    reason: "a key that begins with a person or an owner",
    remedy: "the whole key names the home; only the memberships of a person are read by the beginning, from every node",
    lookups: [
      [CurrentMemberships, "key"],
      [ProjectSides, "key"],
      [ProposalSides, "key"],
      [WebhookQuotaSlots, "key"]
    ]
  },
  {
    reason: "due work of all tenants",
    remedy: "a worker for each node, which claims the due rows of that node",
    lookups: [
      [Issuances, "byDue", "due"],
      [CommerceOrders, "byDue", "due"],
      [WebhookSubscriptions, "byDue", "due"],
      [WebhookEvents, "byDue", "due"]
    ]
  },
  {
    reason: "an idempotency key, by its owner",
    remedy: "the home of the command becomes a column of the key, so that a request id is unique within one home",
    lookups: [[RequestKeys, "key"]]
  },
  {
    reason: "the organization and another value in one text",
    remedy: "its organization becomes a parameter of the lookup",
    lookups: [[Contacts, "key"]]
  },
  {
    reason: "a fact that a provider or a confirmation names",
    remedy: "the project is known to the caller and becomes a parameter of the lookup",
    lookups: [
      [CommerceEntities, "byEntity"],
      [CreditEntries, "byConfirmation"]
    ]
  },
  {
    reason: "the log of operators, and the projects that wait for one",
    remedy: "asked of every node, by an operator only",
    lookups: [
      [AdministrationActs, "key", "byTime", "byWho", "byCommand", "byWhoAndCommand"],
      [HistoryGaps, "byState"]
    ]
  }
]

/** Every lookup that names no column from which the home follows, as `table path`, by the declarations of the tables. */
export const undirectedLookups = (): ReadonlyArray<string> =>
  tables
    .filter(({ name }) => rowHomes.get(name)?.kind !== "global")
    .flatMap((table: AnyTable) => [
      ...Object.entries<ReadonlyArray<string>>({ key: table.key, ...table.unique, ...table.ordered }).flatMap(
        ([path, [first]]) => (leadsHome(table, first!) ? [] : [`${table.name} ${path}`])
      ),
      ...(table.lease === undefined ? [] : [`${table.name} due`])
    ])
    .sort()

/** A range may name the first column alone. */
const leadsHome = ({ name }: AnyTable, column: string): boolean => {
  const home = rowHomes.get(name)
  return (home?.kind === "organization" && column === home.column) || (parentIds.get(column) ?? name) !== name
}

/** The tables whose rows have children, by their id. */
const parentIds: ReadonlyMap<string, string> = new Map(
  [...rowHomes.values()].flatMap((home) =>
    home.kind === "parent" ? [[String(home.parent.key[0]), home.parent.name] as const] : []
  )
)
