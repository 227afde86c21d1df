/** Every table of the service, for the adapters: one list, and the tables whose rows are locked as roots. */
import { AuthorityEvents, Credentials, GrantProjects, Grants } from "./access/store.ts"
import { Memberships, Organizations, Persons } from "./people/store.ts"
import { AutomationChanges, Issuances, ProjectEvents, Projects } from "./projects/store.ts"
import { CreditEntries, OrganizationCredits, ResultRecords } from "./records/store.ts"
import { RequestKeys } from "./replay/store.ts"

export const tables = [
  Organizations,
  Persons,
  Memberships,
  Grants,
  Credentials,
  GrantProjects,
  AuthorityEvents,
  Projects,
  ProjectEvents,
  AutomationChanges,
  Issuances,
  RequestKeys,
  OrganizationCredits,
  CreditEntries,
  ResultRecords
]

export const rootTables = { project: Projects }
