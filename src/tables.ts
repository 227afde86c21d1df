/** All tables of the service, for the adapters, and the tables whose rows are lock keys. */
import { AuthorityEvents, Connections, Credentials, GrantProjects, GrantProposals, Grants } from "./access/store.ts"
import { AdministrationActs } from "./administration/store.ts"
import { HistoryReferences } from "./closure/store.ts"
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
} from "./commerce/store.ts"
import { SpecificationVersions, Specifications, SpecificationWords } from "./discovery/store.ts"
import { DraftContents, Drafts } from "./drafts/store.ts"
import { JobEnvelopes, Jobs } from "./jobs/store.ts"
import { ParticipationCredentials, ParticipationItems, ParticipationNotes } from "./participation/store.ts"
import {
  AttemptCounters,
  Contacts,
  Invitations,
  CurrentMemberships,
  Memberships,
  Organizations,
  PersonAddresses,
  Persons,
  SelfServiceAccounts,
  Sessions
} from "./people/store.ts"
import { AutomationChanges, HistoryGaps, Issuances, ProjectEvents, Projects, ProjectSides } from "./projects/store.ts"
import {
  ProposalAutomationChanges,
  ProposalEvents,
  Proposals,
  ProposalSides,
  ProposalVersions
} from "./proposals/store.ts"
import { ProviderSubjects, Publications } from "./publications/store.ts"
import {
  CreditEntries,
  OrganizationCredits,
  RecordShareOpenings,
  RecordShares,
  ResultRecords
} from "./records/store.ts"
import { RequestKeys } from "./replay/store.ts"
import {
  WebhookAttempts,
  WebhookDeliveries,
  WebhookEvents,
  WebhookListeners,
  WebhookQuotaSlots,
  WebhookProjectCursors,
  WebhookSubscriptions
} from "./webhooks/store.ts"

export const tables = [
  Organizations,
  Persons,
  PersonAddresses,
  Memberships,
  CurrentMemberships,
  SelfServiceAccounts,
  Sessions,
  Invitations,
  Contacts,
  AttemptCounters,
  Connections,
  Grants,
  Credentials,
  GrantProjects,
  GrantProposals,
  AuthorityEvents,
  Projects,
  ProjectEvents,
  ProjectSides,
  AutomationChanges,
  HistoryGaps,
  Issuances,
  Specifications,
  SpecificationVersions,
  SpecificationWords,
  Drafts,
  DraftContents,
  Proposals,
  ProposalVersions,
  ProposalEvents,
  ProposalSides,
  ProposalAutomationChanges,
  Jobs,
  JobEnvelopes,
  ParticipationItems,
  ParticipationCredentials,
  ParticipationNotes,
  RequestKeys,
  OrganizationCredits,
  CreditEntries,
  ResultRecords,
  RecordShares,
  RecordShareOpenings,
  ProviderSubjects,
  Publications,
  RecipientAccounts,
  ResultOrders,
  FinancialEvents,
  ResultOrderPackages,
  CommerceOrders,
  CommerceEntries,
  CommerceEntities,
  CommerceComponents,
  CommerceExports,
  HistoryReferences,
  WebhookSubscriptions,
  WebhookQuotaSlots,
  WebhookProjectCursors,
  WebhookListeners,
  WebhookEvents,
  WebhookDeliveries,
  WebhookAttempts,
  AdministrationActs
]

export const lockTables = { project: Projects }
