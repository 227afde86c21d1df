/** Every row that belongs to one project, read on one snapshot. Its size is bounded by the limits of a project. */
import { Effect } from "effect"
import { AuthorityEvents, GrantProjects, Grants, type GrantRow } from "../access/store.ts"
import { JobEnvelopes, Jobs } from "../jobs/store.ts"
import { ParticipationItems, ParticipationNotes } from "../participation/store.ts"
import { CurrentMemberships, Memberships, Organizations, Persons } from "../people/store.ts"
import { parseSigned } from "../canonical/jws.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { IndexOf, KeyValue, Reader } from "../ports/storage.ts"
import type { AnyTable, RowOf } from "../ports/table.ts"
import type { SignedEvent } from "../projects/event.ts"
import {
  AutomationChanges,
  Issuances,
  HistoryGaps,
  ProjectEvents,
  type ProjectRow,
  Projects,
  ProjectSides
} from "../projects/store.ts"
import { ProviderSubjects, Publications } from "../publications/store.ts"
import { CreditEntries, RecordShareOpenings, RecordShares, ResultRecords } from "../records/store.ts"
import {
  WebhookAttempts,
  WebhookDeliveries,
  WebhookEvents,
  WebhookListeners,
  WebhookSubscriptions
} from "../webhooks/store.ts"

/** Undefined for an unknown project. */
export const readProjectRows = Effect.fnUntraced(function* (reader: Reader, projectId: string) {
  const project = yield* reader.get(Projects, [projectId])
  if (project === undefined) return undefined
  const { rows: own, actors } = yield* ownRows(reader, projectId)
  const { rows: work, authorizers } = yield* grantRows(reader, project)
  const webhooks = yield* webhookRows(reader, projectId)
  const parties = yield* partyRows(reader, project, [...actors, ...authorizers])
  return new Map<AnyTable, ReadonlyArray<object>>([[Projects, [project]], ...own, ...work, ...webhooks, ...parties])
})

type TableRows = ReadonlyArray<readonly [AnyTable, ReadonlyArray<object>]>

const ownRows = Effect.fnUntraced(function* (reader: Reader, projectId: string) {
  const of = <T extends AnyTable>(table: T, index: IndexOf<T> = "key") =>
    rangeAll(reader, table, index, { prefix: [projectId] })
  const [events, gaps, changes, issuance, records, shares, publications, items] = yield* readTogether([
    of(ProjectEvents),
    of(HistoryGaps),
    of(AutomationChanges),
    reader.get(Issuances, [projectId]),
    of(ResultRecords),
    of(RecordShares, "byProject"),
    of(Publications, "byProject"),
    of(ParticipationItems, "byProject")
  ])
  const debits = yield* readTogether(
    records.map(({ confirmationId }) => reader.find(CreditEntries, "byConfirmation", [confirmationId]))
  )
  const rows: TableRows = [
    [ProjectEvents, events],
    [HistoryGaps, gaps],
    [AutomationChanges, changes],
    [Issuances, present([issuance])],
    [ResultRecords, records],
    [CreditEntries, present(debits)],
    [RecordShares, shares],
    [
      RecordShareOpenings,
      yield* underEach(
        reader,
        RecordShareOpenings,
        shares.map(({ shareId }) => shareId)
      )
    ],
    [Publications, publications],
    [ParticipationItems, items],
    [
      ParticipationNotes,
      yield* underEach(
        reader,
        ParticipationNotes,
        items.map(({ itemId }) => itemId)
      )
    ]
  ]
  const actors = events.map(({ jws }) => parseSigned<Pick<SignedEvent, "actor">>(jws).actor.id)
  return { rows, actors: [...actors, ...items.map(({ personId }) => personId)] }
})

/** The grants whose scope has the project, as far as they concern it: their counters count what is exported. */
const grantRows = Effect.fnUntraced(function* (reader: Reader, project: ProjectRow) {
  const { projectId } = project
  const grants = (yield* underEach(
    reader,
    Grants,
    organizationsOf(project),
    "byOrganization"
  )) as ReadonlyArray<GrantRow>
  const links = present(
    yield* readTogether(grants.map(({ grantId }) => reader.get(GrantProjects, [grantId, projectId])))
  )
  const ids = links.map(({ grantId }) => grantId)
  const jobs = (yield* Effect.forEach(ids, (grantId) =>
    rangeAll(reader, Jobs, "byProject", { prefix: [grantId, projectId] })
  )).flat()
  const counted = grants
    .filter(({ grantId }) => ids.includes(grantId))
    .map((grant) => ({
      ...grant,
      projectCount: 1,
      proposalCount: 0,
      draftCount: 0,
      jobCount: jobs.filter(({ grantId }) => grantId === grant.grantId).length
    }))
  const envelopes = yield* readTogether(jobs.map(({ jobId }) => reader.get(JobEnvelopes, [jobId])))
  const rows: TableRows = [
    [Grants, counted],
    [GrantProjects, links],
    [AuthorityEvents, yield* underEach(reader, AuthorityEvents, ids)],
    [Jobs, jobs],
    [JobEnvelopes, present(envelopes)]
  ]
  return { rows, authorizers: counted.map(({ personId }) => personId) }
})

/** Only deliveries of this project's events: their numbers have gaps where a subscription has other projects. */
const webhookRows = Effect.fnUntraced(function* (reader: Reader, projectId: string) {
  const [listeners, events] = yield* readTogether([
    rangeAll(reader, WebhookListeners, "key", { prefix: [projectId] }),
    rangeAll(reader, WebhookEvents, "byProject", { prefix: [projectId] })
  ])
  const ids = distinct([
    ...listeners.map(({ subscriptionId }) => subscriptionId),
    ...events.flatMap(({ subscriptionIds }) => subscriptionIds)
  ])
  const subscriptions = present(yield* readTogether(ids.map((id) => reader.get(WebhookSubscriptions, [id]))))
  const all = yield* underEach(reader, WebhookDeliveries, ids, "byNumber")
  const deliveries = (all as ReadonlyArray<RowOf<typeof WebhookDeliveries>>).filter(
    (row) => row.projectId === projectId
  )
  const rows: TableRows = [
    [WebhookSubscriptions, subscriptions.map((row) => ({ ...row, projectIds: [projectId] }))],
    [WebhookListeners, listeners],
    [WebhookEvents, events],
    [WebhookDeliveries, deliveries],
    [
      WebhookAttempts,
      yield* underEach(
        reader,
        WebhookAttempts,
        deliveries.map(({ deliveryId }) => deliveryId)
      )
    ]
  ]
  return rows
})

/** Both organizations, and the people who are named in the project or acted in it, with their memberships there. */
const partyRows = Effect.fnUntraced(function* (reader: Reader, project: ProjectRow, acted: ReadonlyArray<string>) {
  const organizationIds = organizationsOf(project)
  const members = (yield* underEach(reader, Memberships, organizationIds, "byOrganization")) as ReadonlyArray<
    RowOf<typeof Memberships>
  >
  const candidates = distinct([...organizationIds, ...members.map(({ personId }) => personId), ...acted])
  const sides = present(
    yield* readTogether(candidates.map((party) => reader.get(ProjectSides, [party, project.projectId])))
  )
  const named = present([project.buyerActorId, project.supplierActorId])
  const involved = distinct([...named, ...acted, ...sides.map(({ party }) => party)])
  const memberships = members.filter(({ personId }) => involved.includes(personId))
  const pairs = distinct(memberships.map(({ personId, organizationId }) => `${personId} ${organizationId}`))
  const [organizations, subjects, persons, current] = yield* readTogether([
    readTogether(organizationIds.map((id) => reader.get(Organizations, [id]))),
    readTogether(organizationIds.map((id) => reader.get(ProviderSubjects, [id]))),
    readTogether(involved.map((id) => reader.get(Persons, [id]))),
    readTogether(pairs.map((pair) => reader.get(CurrentMemberships, pair.split(" "))))
  ])
  const rows: TableRows = [
    [Organizations, present(organizations)],
    [ProviderSubjects, present(subjects)],
    [Persons, present(persons)],
    [Memberships, memberships],
    [CurrentMemberships, present(current)],
    [ProjectSides, sides]
  ]
  return rows
})

const organizationsOf = ({ buyerOrganizationId, supplierOrganizationId }: ProjectRow): ReadonlyArray<string> => [
  ...new Set(present([buyerOrganizationId, supplierOrganizationId]))
]

const underEach = <T extends AnyTable>(
  reader: Reader,
  table: T,
  ids: ReadonlyArray<KeyValue>,
  index: IndexOf<T> = "key"
) =>
  Effect.map(
    Effect.forEach(ids, (id) => rangeAll(reader, table, index, { prefix: [id] })),
    (rows) => rows.flat()
  )

const present = <A>(found: ReadonlyArray<A | undefined | null>): ReadonlyArray<A> => found.flatMap((one) => one ?? [])

const distinct = (values: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(values)]
