/** The context of a command: every row that its decision reads, under its locks. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { parseCanonical } from "../canonical/jcs.ts"
import { readMembership } from "../people/acting-person.ts"
import { isInForce } from "../people/membership.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Transaction } from "../ports/storage.ts"
import type { StoredRequest } from "../replay/idempotency.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { agreedProjectFacts, isOpenRevision, readIsSignerMissing } from "./related-projects.ts"
import type { Command } from "./decide.ts"
import { readStoredProject, type StoredProject } from "./history.ts"
import { readExpectedCover, readIsCovered } from "./coverage.ts"
import { readIssuance } from "./issuance.ts"
import type { IdempotencyStore } from "./idempotency-store.ts"
import type { RelatedFacts } from "./guard-context.ts"
import { readRecordedSide } from "./side-exclusivity.ts"
import type { ProjectCaller } from "./caller.ts"
import type { RepresentativeFacts } from "./requirements.ts"
import { Projects, type IssuanceRow } from "./store.ts"
import { isSuperseding } from "./supersede.ts"

/** The person whom a command names as representative, with their membership of the supplier, if any. */
export interface NamedRepresentative {
  readonly personId: string
  readonly membershipId: string | null
}

interface CommandTarget {
  readonly by: ProjectCaller
  readonly projectId: string
  readonly command: Command
  readonly representative?: NamedRepresentative
}

/** The lock plan: read before the transaction, which rechecks its mutable parts. */
export interface ProjectLockPlan {
  /** The other versions that the command changes or depends on. */
  readonly relatedIds: ReadonlyArray<string>
  readonly isSignerMissing: boolean
}

/** The lock plan of the project alone. */
export const singleProject: ProjectLockPlan = { relatedIds: [], isSignerMissing: false }

/** Only a revision and its acceptance lock other projects than their own. */
export const planLocks = Effect.fnUntraced(function* ({ by, projectId, command }: CommandTarget) {
  if (command.kind !== "REVISE" && !isSuperseding(command)) return singleProject
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const authority = yield* by.read(reader, projectId)
    const row = authority.isInScope ? yield* reader.get(Projects, [projectId]) : undefined
    if (row === undefined) return singleProject
    const related =
      command.kind === "REVISE" ? [row.supersedesProjectId, row.revisionProjectId] : [row.supersedesProjectId]
    const { terms } = parseCanonical(row.agreement)
    return {
      relatedIds: related.flatMap((id) => id ?? []),
      isSignerMissing: yield* readIsSignerMissing(reader, terms, authority, now)
    } satisfies ProjectLockPlan
  })
})

export interface CommandContext {
  readonly stored: StoredProject
  readonly related: ReadonlyArray<StoredProject>
  readonly issuance: IssuanceRow | undefined
  /** A hint for the view: the buyer's organization has a result credit. */
  readonly isCovered: boolean
  readonly earlierRequest: StoredRequest | undefined
  /** The side recorded for the person, by an act of their own or of an agent. */
  readonly recordedSide: Role | undefined
  readonly representative: RepresentativeRows | undefined
}

interface RepresentativeRows {
  readonly personId: string
  readonly membership: Effect.Success<ReturnType<typeof readMembership>>
  readonly recordedSide: Role | undefined
}

/** Locks the projects in lock order, then reads. */
export const lockCommandContext = Effect.fnUntraced(function* (
  transaction: Transaction,
  {
    projectId,
    idempotencyStore,
    representative: namedRepresentative
  }: Pick<CommandTarget, "projectId" | "representative"> & {
    readonly idempotencyStore: Pick<IdempotencyStore, "read">
  },
  { relatedIds }: ProjectLockPlan,
  { personId, projectIds }: { readonly personId: string; readonly projectIds: ReadonlyArray<string> }
) {
  yield* Effect.forEach(projectIds, (id) => transaction.lock(exclusive("project", id)), { discard: true })
  const [stored, issuance, expectedCover, earlierRequest, recordedSide, representative, ...related] =
    yield* readTogether([
      readStoredProject(transaction, projectId),
      readIssuance(transaction, projectId),
      readExpectedCover(transaction.hints, projectId),
      idempotencyStore.read(transaction),
      readRecordedSide(transaction, projectId, personId),
      namedRepresentative === undefined
        ? Effect.undefined
        : readRepresentativeRows(transaction, projectId, namedRepresentative),
      ...relatedIds.map((id) => readStoredProject(transaction, id))
    ])
  if (stored === undefined) return undefined
  const isCovered = expectedCover ?? (yield* readIsCovered(transaction.hints, stored.row.buyerOrganizationId))
  const others = related.flatMap((one) => one ?? [])
  return {
    stored,
    related: others,
    issuance,
    isCovered,
    earlierRequest,
    recordedSide,
    representative
  } satisfies CommandContext
})

const readRepresentativeRows = Effect.fnUntraced(function* (
  transaction: Transaction,
  projectId: string,
  { personId, membershipId }: NamedRepresentative
) {
  const [membership, recordedSide] = yield* readTogether([
    membershipId === null ? Effect.undefined : readMembership(transaction, membershipId),
    readRecordedSide(transaction, projectId, personId)
  ])
  return { personId, membership, recordedSide } satisfies RepresentativeRows
})

/** The agreed project that the acceptance of this one supersedes. */
export const supersededBy = ({ stored, related }: CommandContext): StoredProject | undefined =>
  related.find(({ row }) => row.projectId === stored.row.supersedesProjectId)

export const relatedFactsOf = (
  target: CommandContext,
  { relatedIds, isSignerMissing }: ProjectLockPlan
): RelatedFacts => {
  const { row } = target.stored
  const revision = target.related.find((one) => one.row.projectId === row.revisionProjectId)
  const isUnplanned = row.revisionProjectId !== null && !relatedIds.includes(row.revisionProjectId)
  return {
    // A revision offered since the lock plan was read counts as open.
    hasOpenRevision: isUnplanned || (revision !== undefined && isOpenRevision(revision.row.state)),
    ...agreedProjectFacts(supersededBy(target)?.row, row.supplierActorId),
    isSignerMissing
  }
}

export const representativeFactsOf = (
  { representative, stored }: CommandContext,
  now: Instant
): RepresentativeFacts | null =>
  representative === undefined
    ? null
    : {
        isMemberOfSupplier:
          representative.membership !== undefined &&
          isInForce(representative.membership, now) &&
          representative.membership.organizationId === stored.row.supplierOrganizationId,
        tookOtherSide: representative.recordedSide === "BUYER"
      }
