/** The next action of stored projects, from their rows and those of related projects: no history is read. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { hasIssuanceRequest, readIssuance } from "./issuance.ts"
import { nextActionFor } from "./next-action.ts"
import { storedProgress } from "./progress.ts"
import { agreedProjectFacts } from "./related-projects.ts"
import { Projects, type ProjectRow } from "./store.ts"

/** A project, and the side that views it. */
export interface ViewedRow {
  readonly row: ProjectRow
  readonly side: Role
}

/** The next actions of several projects, in their order; at most two statements. */
export const readNextActionsOf = (reader: Reader, viewed: ReadonlyArray<ViewedRow>, now: Instant) =>
  readTogether(viewed.map((one) => readNextActionOf(reader, one, now)))

const readNextActionOf = Effect.fnUntraced(function* (reader: Reader, { row, side }: ViewedRow, now: Instant) {
  const [issuance, agreed] = yield* readTogether([
    row.state === "BUYER_CONFIRMED" ? readIssuance(reader, row.projectId) : Effect.undefined,
    row.state === "AWAITING_SUPPLIER" && row.supersedesProjectId !== null
      ? reader.get(Projects, [row.supersedesProjectId])
      : Effect.undefined
  ])
  const context = {
    project: storedProgress(row, issuance),
    isIssuanceRequested: hasIssuanceRequest(issuance),
    relatedFacts: agreedProjectFacts(agreed, row.supplierActorId),
    now
  }
  return nextActionFor(context, side)
})

/** The next action of one project for the side that `readSide` finds; undefined without a side, or a project. */
export const readNextAction = Effect.fnUntraced(function* (
  reader: Reader,
  projectId: string,
  readSide: Effect.Effect<Role | undefined>,
  now: Instant
) {
  const [row, side] = yield* readTogether([reader.get(Projects, [projectId]), readSide])
  return row === undefined || side === undefined ? undefined : yield* readNextActionOf(reader, { row, side }, now)
})
