/**
 * Events that were lost with an earlier database: known outside of it, and not in the history. Until the operator states
 * the loss, the project is read-only, and nothing is signed about its head. Pure.
 */
import { Effect } from "effect"
import { refusal } from "../vocabulary/refusals.ts"
import type { Project } from "./project.ts"

/** The newest lost event that is known. */
export interface LostHead {
  readonly sequence: number
  readonly eventHash: string
  /** The epoch of the signed statement that explains the gap; null while the project is read-only. */
  readonly epoch: string | null
}

/** 409 while a known loss is not stated. */
export const readOnlyGuard = ({ lostHead }: { readonly lostHead: LostHead | null }) =>
  lostHead !== null && lostHead.epoch === null ? readOnly : undefined

export const readOnly = refusal("PROJECT_READ_ONLY", { requiredHumanAction: "ASK_OPERATOR" })

export const requireWholeHistory = (subject: { readonly lostHead: LostHead | null }) => {
  const refused = readOnlyGuard(subject)
  return refused === undefined ? Effect.void : Effect.fail(refused)
}

/**
 * True where the project does not continue a history of it that was seen before, and no statement explains it. Only for a
 * project that was read under its lock: a snapshot can be older.
 */
export const lacksEventsOf = (seen: Project, project: Project): boolean =>
  project.events[seen.events.length - 1]?.hash !== seen.head && !isStatedLost(seen, project.lostHead)

/** True where the last event of this history is one of those that a statement gives as lost. */
export const isStatedLost = (seen: Project, lostHead: LostHead | null): boolean =>
  lostHead !== null && lostHead.epoch !== null && lastSequence(seen) <= lostHead.sequence

/** The sequence of the last event of the history; 0 before the first. */
export const lastSequence = ({ events }: Pick<Project, "events">): number => events.at(-1)?.sequence ?? 0

/** The highest sequence that was ever signed, as far as is known: the next event takes the one after it. */
export const usedSequence = (project: Pick<Project, "events" | "lostHead">): number =>
  Math.max(lastSequence(project), project.lostHead?.sequence ?? 0)
