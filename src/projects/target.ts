/** What a command is decided on: everything that is read once the project may be looked at, under its roots. */
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

/** The person whom a command names as the supplier, with their membership there, if they have one. */
export interface ToName {
  readonly personId: string
  readonly membershipId: string | null
}

interface Wanted {
  readonly by: Principal
  readonly projectId: string
  readonly command: Command
  readonly named?: ToName
}

/** What is known before the transaction begins; what of it can change is looked at again. */
export interface Planned {
  /** The versions beside the project that the command changes or depends on. */
  readonly relatedIds: ReadonlyArray<string>
  readonly isSignerMissing: boolean
}

/** Nothing but the project itself. */
export const alone: Planned = { relatedIds: [], isSignerMissing: false }

/** Only a revision and its acceptance touch other projects than their own. */
export const planTarget = Effect.fnUntraced(function* ({ by, projectId, command }: Wanted) {
  if (command.kind !== "REVISE" && !isSuperseding(command)) return alone
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const standing = yield* by.read(reader, projectId)
      const row = standing.reaches ? yield* reader.get(Projects, [projectId]) : undefined
      if (row === undefined) return alone
      const related =
        command.kind === "REVISE" ? [row.supersedesProjectId, row.revisionProjectId] : [row.supersedesProjectId]
      const { terms } = JSON.parse(row.agreement) as Agreement
      return {
        relatedIds: related.flatMap((id) => id ?? []),
        isSignerMissing: yield* readIsSignerMissing(reader, terms, standing, now)
      } satisfies Planned
    })
  )
})

export interface Target {
  readonly stored: Stored
  readonly related: ReadonlyArray<Stored>
  readonly issuance: IssuanceRow | undefined
  readonly earlier: Remembered | undefined
  /** The side that the person took before, by themselves or through an agent. */
  readonly takenSide: Role | undefined
  readonly named: NamedPerson | undefined
}

interface NamedPerson {
  readonly personId: string
  readonly membership: Effect.Success<ReturnType<typeof readMembership>>
  readonly takenSide: Role | undefined
}

/** Locks the projects in their order, then reads. */
export const lockTarget = Effect.fnUntraced(function* (
  transaction: Transaction,
  { projectId, memory, named: toName }: Pick<Wanted, "projectId" | "named"> & { readonly memory: Pick<Memory, "read"> },
  { relatedIds }: Planned,
  { personId, projectIds }: { readonly personId: string; readonly projectIds: ReadonlyArray<string> }
) {
  yield* Effect.forEach(projectIds, (id) => transaction.lock(exclusive("project", id)), { discard: true })
  const [stored, issuance, earlier, takenSide, named, ...related] = yield* Effect.all(
    [
      readStored(transaction, projectId),
      readIssuance(transaction, projectId),
      memory.read(transaction),
      readTakenSide(transaction, projectId, personId),
      toName === undefined ? Effect.undefined : readNamed(transaction, projectId, toName),
      ...relatedIds.map((id) => readStored(transaction, id))
    ],
    { concurrency: "unbounded" }
  )
  if (stored === undefined) return undefined
  const others = related.flatMap((one) => one ?? [])
  return { stored, related: others, issuance, earlier, takenSide, named } satisfies Target
})

const readNamed = Effect.fnUntraced(function* (
  transaction: Transaction,
  projectId: string,
  { personId, membershipId }: ToName
) {
  const [membership, takenSide] = yield* Effect.all(
    [
      membershipId === null ? Effect.undefined : readMembership(transaction, membershipId),
      readTakenSide(transaction, projectId, personId)
    ],
    { concurrency: "unbounded" }
  )
  return { personId, membership, takenSide } satisfies NamedPerson
})

/** The agreed project that the acceptance of this one supersedes. */
export const supersededBy = ({ stored, related }: Target): Stored | undefined =>
  related.find(({ row }) => row.projectId === stored.row.supersedesProjectId)

export const circumstancesOf = (target: Target, { relatedIds, isSignerMissing }: Planned): Circumstances => {
  const { row } = target.stored
  const revision = target.related.find((one) => one.row.projectId === row.revisionProjectId)
  const isUnplanned = row.revisionProjectId !== null && !relatedIds.includes(row.revisionProjectId)
  return {
    // A revision that came since this was planned counts as open.
    hasOpenRevision: isUnplanned || (revision !== undefined && isOpenRevision(revision.row.state)),
    ...agreedCircumstances(supersededBy(target)?.row, row.supplierActorId),
    isSignerMissing
  }
}

export const namedIn = ({ named, stored }: Target, now: Instant): Named | null =>
  named === undefined
    ? null
    : {
        isMemberOfSupplier:
          named.membership !== undefined &&
          isInForce(named.membership, now) &&
          named.membership.organizationId === stored.row.supplierOrganizationId,
        tookOtherSide: named.takenSide === "BUYER"
      }
