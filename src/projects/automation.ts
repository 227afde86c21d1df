/** Pause and resume: people stop and restart the agents of a project. Neither moves the head nor counts an event. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { holds, type Validity } from "../people/membership.ts"
import { membershipsOf, readMembership } from "../people/operations.ts"
import { exclusive, shared, Storage } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse, requireText } from "../vocabulary/refusals.ts"
import { AutomationChanges, Projects, type Pause, type ProjectRow } from "./store.ts"

export interface AutomationInput {
  readonly personId: string
  readonly projectId: string
  readonly reason: string
}

/** Stops the agents of both sides. When this has answered, no command of an agent commits on the project. */
export const pauseProject = (input: AutomationInput) =>
  changeAutomation(input, true, (pauses, side, at) =>
    pauses.some((pause) => pause.side === side)
      ? undefined
      : [...pauses, { side, by: input.personId, at, reason: input.reason }]
  )

/** Lifts the own side's pause; agents run again once neither side holds one. */
export const resumeProject = (input: AutomationInput) =>
  changeAutomation(input, false, (pauses, side) =>
    pauses.some((pause) => pause.side === side) ? pauses.filter((pause) => pause.side !== side) : undefined
  )

const changeAutomation = Effect.fn("projects.changeAutomation")(function* (
  { personId, projectId, reason }: AutomationInput,
  paused: boolean,
  change: (pauses: ReadonlyArray<Pause>, side: Role, at: Instant) => ReadonlyArray<Pause> | undefined
) {
  yield* requireText("The reason", reason, limits.textCharacters)
  const storage = yield* Storage
  const { membershipId, side } = yield* findSide(personId, projectId)
  const roots = [shared("membership", membershipId), exclusive("project", projectId)]
  return yield* storage.transaction({ roots, urgent: true }, (transaction) =>
    Effect.gen(function* () {
      const [membership, row] = yield* Effect.all(
        [readMembership(transaction, membershipId), transaction.get(Projects, [projectId])],
        { concurrency: "unbounded" }
      )
      const now = yield* transaction.now
      if (row === undefined || membership === undefined || sideOf(row, membership, now) !== side) {
        return yield* refuse("FORBIDDEN")
      }
      const pauses = change(row.pauses, side, now)
      if (pauses === undefined) {
        return yield* refuse("STATE_CONFLICT", {
          detail: paused ? "This side has already paused the project." : "This side holds no pause."
        })
      }
      const revision = row.automationRevision + 1
      yield* transaction.update(Projects, [projectId], { automationRevision: revision, pauses })
      yield* transaction.insert(AutomationChanges, { projectId, revision, paused, side, by: personId, reason, at: now })
      return { projectId, automation: { revision, paused: pauses.length > 0, pausedBy: pauses } }
    })
  )
})

/** The membership with which a person stands on one side of the project. */
const findSide = Effect.fnUntraced(function* (personId: string, projectId: string) {
  const storage = yield* Storage
  const now = yield* currentTime
  const found = yield* storage.view((reader) =>
    Effect.gen(function* () {
      const row = yield* reader.get(Projects, [projectId])
      if (row === undefined) return undefined
      for (const membership of yield* membershipsOf(reader, personId)) {
        const side = sideOf(row, membership, now)
        if (side !== undefined) return { membershipId: membership.membershipId, side }
      }
      return undefined
    })
  )
  return found ?? (yield* refuse("FORBIDDEN"))
})

/** Any member of a side who may delegate speaks for it about its agents. */
const sideOf = (
  row: ProjectRow,
  membership: Validity & { readonly organizationId: string; readonly personId: string },
  now: Instant
): Role | undefined => {
  if (!holds(membership, "DELEGATE", now)) return undefined
  // The representative is the supplier, whatever else that person is a member of: nobody speaks for both sides.
  if (membership.personId === row.supplierActorId) return "SUPPLIER"
  if (membership.organizationId === row.buyerOrganizationId) return "BUYER"
  return membership.organizationId === row.supplierOrganizationId ? "SUPPLIER" : undefined
}
