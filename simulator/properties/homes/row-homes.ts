/**
 * The home of every row: the organization whose rows would share a node if Postgres were distributed by organization. The
 * home of a project and of what belongs to it is the buyer's organization.
 */
import {
  AuthorityEvents,
  Connections,
  Credentials,
  GrantProjects,
  GrantProposals,
  Grants
} from "../../../src/access/store.ts"
import { AdministrationActs } from "../../../src/administration/store.ts"
import { HistoryReferences } from "../../../src/closure/store.ts"
import {
  CommerceComponents,
  CommerceEntities,
  CommerceEntries,
  CommerceExports,
  CommerceOrders,
  FinancialEvents,
  RecipientAccounts,
  ResultOrderPackages,
  ResultOrders
} from "../../../src/commerce/store.ts"
import { SpecificationVersions, Specifications, SpecificationWords } from "../../../src/discovery/store.ts"
import { DraftContents, Drafts } from "../../../src/drafts/store.ts"
import { JobEnvelopes, Jobs } from "../../../src/jobs/store.ts"
import { ParticipationCredentials, ParticipationItems, ParticipationNotes } from "../../../src/participation/store.ts"
import {
  AttemptCounters,
  Contacts,
  CurrentMemberships,
  Invitations,
  Memberships,
  Organizations,
  PersonAddresses,
  Persons,
  SelfServiceAccounts,
  Sessions
} from "../../../src/people/store.ts"
import type { AnyTable } from "../../../src/ports/table.ts"
import {
  AutomationChanges,
  HistoryGaps,
  Issuances,
  ProjectEvents,
  Projects,
  ProjectSides
} from "../../../src/projects/store.ts"
import {
  ProposalAutomationChanges,
  ProposalEvents,
  Proposals,
  ProposalSides,
  ProposalVersions
} from "../../../src/proposals/store.ts"
import { ProviderSubjects, Publications } from "../../../src/publications/store.ts"
import {
  CreditEntries,
  OrganizationCredits,
  RecordShareOpenings,
  RecordShares,
  ResultRecords
} from "../../../src/records/store.ts"
import { RequestKeys } from "../../../src/replay/store.ts"
import {
  WebhookAttempts,
  WebhookDeliveries,
  WebhookEvents,
  WebhookListeners,
  WebhookProjectCursors,
  WebhookQuotaSlots,
  WebhookSubscriptions
} from "../../../src/webhooks/store.ts"

export type RowHome =
  /** The column holds the id of the organization. */
  | { readonly kind: "organization"; readonly column: string }
  /** The home of the row of `parent` whose id the column holds. */
  | { readonly kind: "parent"; readonly column: string; readonly parent: AnyTable }
  /** The home of the other rows of its transaction, which a column of its own would hold. */
  | { readonly kind: "transaction" }
  /** Rows of no organization. */
  | { readonly kind: "global"; readonly reason: string }

const organization = (table: AnyTable, column: string): readonly [AnyTable, RowHome] => [
  table,
  { kind: "organization", column }
]

const childrenOf = (
  parent: AnyTable,
  column: string,
  ...tables: ReadonlyArray<AnyTable>
): ReadonlyArray<readonly [AnyTable, RowHome]> => tables.map((table) => [table, { kind: "parent", column, parent }])

const global = (reason: string, ...tables: ReadonlyArray<AnyTable>): ReadonlyArray<readonly [AnyTable, RowHome]> =>
  tables.map((table) => [table, { kind: "global", reason }])

const rows: ReadonlyArray<readonly [AnyTable, RowHome]> = [
  organization(Projects, "buyerOrganizationId"),
  ...childrenOf(
    Projects,
    "projectId",
    ProjectEvents,
    ProjectSides,
    AutomationChanges,
    HistoryGaps,
    Issuances,
    HistoryReferences,
    Jobs,
    ParticipationItems,
    ResultRecords,
    RecordShares,
    CommerceOrders,
    WebhookListeners,
    WebhookEvents
  ),
  ...childrenOf(Jobs, "jobId", JobEnvelopes),
  ...childrenOf(ParticipationItems, "itemId", ParticipationCredentials, ParticipationNotes),
  ...childrenOf(RecordShares, "shareId", RecordShareOpenings),
  organization(Publications, "buyerOrganizationId"),
  organization(ResultOrders, "buyerOrganizationId"),
  ...childrenOf(ResultOrders, "resultOrderId", ResultOrderPackages, FinancialEvents),
  ...childrenOf(
    CommerceOrders,
    "commerceOrderId",
    CommerceEntries,
    CommerceEntities,
    CommerceComponents,
    CommerceExports
  ),

  organization(Memberships, "organizationId"),
  organization(CurrentMemberships, "organizationId"),
  organization(SelfServiceAccounts, "organizationId"),
  organization(Invitations, "organizationId"),
  organization(Contacts, "organizationId"),
  organization(OrganizationCredits, "organizationId"),
  organization(CreditEntries, "organizationId"),
  organization(RecipientAccounts, "organizationId"),
  organization(Grants, "organizationId"),
  ...childrenOf(Grants, "grantId", Credentials, GrantProjects, GrantProposals, AuthorityEvents),
  organization(Drafts, "organizationId"),
  ...childrenOf(Drafts, "draftId", DraftContents),
  organization(Proposals, "organizationId"),
  ...childrenOf(Proposals, "proposalId", ProposalVersions, ProposalEvents, ProposalSides, ProposalAutomationChanges),
  ...childrenOf(Memberships, "membershipId", WebhookSubscriptions),
  ...childrenOf(WebhookSubscriptions, "subscriptionId", WebhookQuotaSlots, WebhookProjectCursors, WebhookDeliveries),
  ...childrenOf(WebhookDeliveries, "deliveryId", WebhookAttempts),

  [RequestKeys, { kind: "transaction" }],
  [AdministrationActs, { kind: "transaction" }],

  ...global("A person acts for several organizations.", Persons, PersonAddresses, Sessions),
  ...global("A connection belongs to no organization before a person approves it.", Connections),
  ...global("Guesses are counted by address or by code, before anything is known of the caller.", AttemptCounters),
  ...global("Both sides read it by id, and it never changes.", Organizations),
  ...global("A public id of a supplier, which buyers' publications share.", ProviderSubjects),
  ...global(
    "Specifications are public and belong to the operator.",
    Specifications,
    SpecificationVersions,
    SpecificationWords
  )
]

/** By name of the table. */
export const rowHomes: ReadonlyMap<string, RowHome> = new Map(rows.map(([{ name }, home]) => [name, home]))
