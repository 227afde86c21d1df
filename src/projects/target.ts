/** The context of a command: every row that its decision reads, under its locks. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { readMembership } from "../people/human.ts"
import { isInForce } from "../people/membership.ts"
import { exclusive, Storage, type Transaction } from "../ports/storage.ts"
import type { Remembered } from "../replay/replay.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import type { Agreement } from "./agreement.ts"
import { agreedCircumstances, isOpenRevision, readIsSignerMissing } from "./circumstances.ts"
import type { Command } from "./decide.ts"
import { readStored, type Stored } from "./history.ts"
import { readIssuance } from "./issuance.ts"
import type { Memory } from "./memory.ts"
import type { Circumstances } from "./obstacles.ts"
import { readTakenSide } from "./one-side.ts"
import type { Principal } from "./principal.ts"
import type { Named } from "./requirements.ts"
import { Projects, type IssuanceRow } from "./store.ts"
import { isSuperseding } from "./supersede.ts"

/** The person whom a command names as representative, with their membership of the supplier, if any. */
export interface ToName {
  readonly personId: string
  readonly membershipId: string | null
}

interface CommandTarget {
  readonly by: Principal
  readonly projectId: string
  readonly command: Command
  readonly representative?: ToName
}

/** The lock plan: read before the transaction, which rechecks its mutable parts. */
export interface Planned {
  /** The other versions that the command changes or depends on. */
  readonly relatedIds: ReadonlyArray<string>
  readonly isSignerMissing: boolean
}

/** The lock plan of the project alone. */
export const alone: Planned = { relatedIds: [], isSignerMissing: false }

/** Only a revision and its acceptance lock other projects than their own. */
export const planTarget = Effect.fnUntraced(function* ({ by, projectId, command }: CommandTarget) {
  if (command.kind !== "REVISE" && !isSuperseding(command)) return alone
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const authority = yield* by.read(reader, projectId)
      const row = authority.isInScope ? yield* reader.get(Projects, [projectId]) : undefined
      if (row === undefined) return alone
      const related =
        command.kind === "REVISE" ? [row.supersedesProjectId, row.revisionProjectId] : [row.supersedesProjectId]
      const { terms } = JSON.parse(row.agreement) as Agreement
      return {
        relatedIds: related.flatMap((id) => id ?? []),
        isSignerMissing: yield* readIsSignerMissing(reader, terms, authority, now)
      } satisfies Planned
    })
  )
})

export interface Target {
  readonly stored: Stored
  readonly related: ReadonlyArray<Stored>
  readonly issuance: IssuanceRow | undefined
  readonly earlierRequest: Remembered | undefined
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
export const lockTarget = Effect.fnUntraced(function* (
  transaction: Transaction,
  {
    projectId,
    idempotencyStore,
    representative: namedRepresentative
  }: Pick<CommandTarget, "projectId" | "representative"> & { readonly idempotencyStore: Pick<Memory, "read"> },
  { relatedIds }: Planned,
  { personId, projectIds }: { readonly personId: string; readonly projectIds: ReadonlyArray<string> }
) {
  yield* Effect.forEach(projectIds, (id) => transaction.lock(exclusive("project", id)), { discard: true })
  const [stored, issuance, earlierRequest, recordedSide, representative, ...related] = yield* Effect.all(
    [
      readStored(transaction, projectId),
      readIssuance(transaction, projectId),
      idempotencyStore.read(transaction),
      readTakenSide(transaction, projectId, personId),
      namedRepresentative === undefined
        ? Effect.undefined
        : readRepresentativeRows(transaction, projectId, namedRepresentative),
      ...relatedIds.map((id) => readStored(transaction, id))
    ],
    { concurrency: "unbounded" }
  )
  if (stored === undefined) return undefined
  const others = related.flatMap((one) => one ?? [])
  return { stored, related: others, issuance, earlierRequest, recordedSide, representative } satisfies Target
})

const readRepresentativeRows = Effect.fnUntraced(function* (
  transaction: Transaction,
  projectId: string,
  { personId, membershipId }: ToName
) {
  const [membership, recordedSide] = yield* Effect.all(
    [
      membershipId === null ? Effect.undefined : readMembership(transaction, membershipId),
      readTakenSide(transaction, projectId, personId)
    ],
    { concurrency: "unbounded" }
  )
  return { personId, membership, recordedSide } satisfies RepresentativeRows
})

/** The agreed project that the acceptance of this one supersedes. */
export const supersededBy = ({ stored, related }: Target): Stored | undefined =>
  related.find(({ row }) => row.projectId === stored.row.supersedesProjectId)

export const circumstancesOf = (target: Target, { relatedIds, isSignerMissing }: Planned): Circumstances => {
  const { row } = target.stored
  const revision = target.related.find((one) => one.row.projectId === row.revisionProjectId)
  const isUnplanned = row.revisionProjectId !== null && !relatedIds.includes(row.revisionProjectId)
  return {
    // A revision offered since the lock plan was read counts as open.
    hasOpenRevision: isUnplanned || (revision !== undefined && isOpenRevision(revision.row.state)),
    ...agreedCircumstances(supersededBy(target)?.row, row.supplierActorId),
    isSignerMissing
  }
}

export const namedIn = ({ representative, stored }: Target, now: Instant): Named | null =>
  representative === undefined
    ? null
    : {
        isMemberOfSupplier:
          representative.membership !== undefined &&
          isInForce(representative.membership, now) &&
          representative.membership.organizationId === stored.row.supplierOrganizationId,
        tookOtherSide: representative.recordedSide === "BUYER"
      }
