/**
 * A project of an installation in a simulated world: its rows are there before the first step, its events keep their
 * signatures, and its parties become people and agents with the same ids. Everything is derived from the world's
 * definition, so that a fork repeats it.
 */
import { Effect, Schema } from "effect"
import { Grants, type GrantRow } from "../../src/access/store.ts"
import { insertCredential } from "../../src/access/credential.ts"
import { CurrentMemberships, Memberships, Persons } from "../../src/people/store.ts"
import { inTransaction } from "../../src/ports/storage/run.ts"
import { Secrets } from "../../src/ports/secrets.ts"
import { exclusive, type LockKey, type Storage } from "../../src/ports/storage.ts"
import type { AnyTable, RowOf } from "../../src/ports/table.ts"
import { ProjectExport } from "../../src/project-export/export.ts"
import { exportedTables } from "../../src/project-export/withheld.ts"
import { Projects } from "../../src/projects/store.ts"
import { CreditEntries, OrganizationCredits } from "../../src/records/store.ts"
import { never } from "../../src/vocabulary/instant.ts"
import { tokenFrom } from "../../src/vocabulary/token.ts"
import {
  WebhookAttempts,
  WebhookDeliveries,
  WebhookEvents,
  WebhookListeners,
  WebhookSubscriptions
} from "../../src/webhooks/store.ts"
import type { ImportedSection } from "./format/given.ts"
import type { ScenarioContext } from "./scenario-context.ts"

/** Throws if the section holds no export. */
export const exportIn = ({ project }: ImportedSection): ProjectExport => {
  const known = decoded.get(project)
  if (known !== undefined) return known
  const read = Schema.decodeUnknownSync(ProjectExport)(project)
  decoded.set(project, read)
  return read
}

const decoded = new WeakMap<object, ProjectExport>()

/** Receivers and targets stay in the installation, so the world has no subscription of its own; a step can make one. */
const notImported: ReadonlySet<AnyTable> = new Set<AnyTable>([
  WebhookSubscriptions,
  WebhookListeners,
  WebhookEvents,
  WebhookDeliveries,
  WebhookAttempts,
  CreditEntries
])

/** Inserts the rows before the first commit of the world is observed: properties judge what the world itself does. */
export const insertImportedRows = (
  storage: Storage["Service"],
  section: ImportedSection | undefined
): Effect.Effect<void> => {
  if (section === undefined) return Effect.void
  const given = exportIn(section)
  const inserts = [
    ...exportedTables.flatMap(({ table }) => (notImported.has(table) ? [] : rowsOf(given, table).map(insertOf(table)))),
    ...creditRows(given)
  ]
  const locks = inserts.flatMap(({ table, row }) => lockOf(table, row) ?? [])
  return storage.transaction({ locks }, (transaction) =>
    Effect.forEach(inserts, ({ table, row }) => transaction.insert(table, row), { discard: true })
  )
}

interface Insert {
  readonly table: AnyTable
  readonly row: RowOf<AnyTable>
}

const insertOf =
  (table: AnyTable) =>
  (row: object): Insert => ({
    table,
    row: { ...earlierColumns(table), ...row, ...(table === Projects ? alone : {}) } as RowOf<AnyTable>
  })

/** What an export of an earlier version lacks, as a migration fills it for rows of that version. */
const earlierColumns = (table: AnyTable): object => (table === Memberships ? { effectiveUntil: never } : {})

/** The other projects and the receivers of the installation are not in this world. */
const alone = { listeners: 0, supersedesProjectId: null, revisionProjectId: null, searchText: null }

/** The row of a project is its own lock. */
const lockOf = ({ guard }: AnyTable, row: Readonly<Record<string, unknown>>): LockKey | undefined =>
  guard === "append-only" || guard.lock === "project" ? undefined : exclusive(guard.lock, String(row[guard.by]))

/** The debits of the project on a ledger of their own, with credits to continue. */
const creditRows = (given: ProjectExport): ReadonlyArray<Insert> => {
  const [project] = rowsOf(given, Projects)
  const debits = rowsOf(given, CreditEntries)
  if (project === undefined) return []
  const { buyerOrganizationId: organizationId, createdAt: at } = project
  let balance = debits.length + spareCredits
  const first = {
    organizationId,
    sequence: 1,
    change: balance,
    balance,
    reference: "imported",
    confirmationId: null,
    at
  }
  const later = debits.map((entry, index) => ({ ...entry, sequence: index + 2, balance: (balance += entry.change) }))
  const entries = [first, ...later]
  return [
    { table: OrganizationCredits, row: { organizationId, balance, entries: entries.length } },
    ...entries.map((row) => ({ table: CreditEntries, row }))
  ]
}

const spareCredits = 100

const rowsOf = <T extends AnyTable>({ rows }: ProjectExport, table: T): ReadonlyArray<RowOf<T>> =>
  (rows[table.name] ?? []) as ReadonlyArray<RowOf<T>>

type Parties = Pick<ScenarioContext, "directory" | "recorder" | "world">

/** Names the parties, and gives each agent a credential of this world in place of the one that stayed behind. */
export const introduceImportedParties = Effect.fnUntraced(function* (
  section: ImportedSection,
  { directory, recorder, world }: Parties
) {
  const given = exportIn(section)
  const introduce = (name: string, is: string, answer: { readonly [member: string]: string }) =>
    recorder.observe({ kind: "given", name, is, answer })
  directory.names.set("project", given.projectId)
  introduce("project", "imported project", { projectId: given.projectId })
  for (const [name, organizationId] of Object.entries(section.organizations)) {
    directory.addOrganization(name, organizationId)
    introduce(name, "organization", { organizationId })
  }
  for (const [name, personId] of Object.entries(section.people)) {
    const person = rowsOf(given, Persons).find((row) => row.personId === personId)
    if (person === undefined) continue
    const { issuer, subject, name: shown } = person
    directory.addPerson(name, personId, { issuer, subject, name: shown, email: null })
    for (const current of rowsOf(given, CurrentMemberships).filter((row) => row.personId === personId)) {
      const organization = directory.nameOfOrganization(current.organizationId)
      if (organization !== undefined) directory.people.get(name)?.memberships.set(organization, current.membershipId)
    }
    introduce(name, "person", { personId })
  }
  for (const [name, grantId] of Object.entries(section.agents)) {
    const grant = rowsOf(given, Grants).find((row) => row.grantId === grantId)
    if (grant === undefined) continue
    const token = yield* newCredential(grant, world)
    recorder.hide(token, `token of ${name}`)
    const { agentId: id, role, personId } = grant
    directory.addAgent(name, { id, grantId, token, role, personId })
    introduce(name, "agent", { agentId: id, grantId })
  }
})

const newCredential = Effect.fnUntraced(function* (grant: GrantRow, { scheduler }: Parties["world"]) {
  const secret = Buffer.from(scheduler.streams.bytes(`credential of ${grant.grantId}`, 32)).toString("hex")
  const token = tokenFrom("agent", secret)
  const { tokenHash } = yield* Secrets
  yield* inTransaction({ locks: [] }, function* (transaction) {
    yield* insertCredential(transaction, grant, { token, tokenHash: tokenHash(token) }, yield* transaction.now)
  })
  return token
})
