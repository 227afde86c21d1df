/** The automation log of a project: each pause and resume increments the revision and leaves the head unchanged. */
import { Effect } from "effect"
import { inView } from "../ports/storage/run.ts"
import type { Transaction } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { Actor } from "./event.ts"
import type { StoredProject } from "./history.ts"
import type { AutomationChange, Pause } from "./pause.ts"
import { AutomationChanges, Projects, type ProjectRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/**
 * The newest changes of a project, at most `limit`, each with its revision; with `before` only those of earlier revisions.
 * The caller has found its person to be a party.
 */
export const readNewestChanges = traced("projects.readNewestChanges")(function* (
  projectId: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number }
) {
  const page = { prefix: [projectId], direction: "descending", limit } as const
  return yield* inView((reader) =>
    reader.range(AutomationChanges, "key", before === undefined ? page : { ...page, after: [before] })
  )
})

/** Writes the pauses after a change; returns the changed columns. */
export const writeAutomation = Effect.fnUntraced(function* (
  transaction: Transaction,
  { projectId, automationRevision }: ProjectRow,
  pauses: ReadonlyArray<Pause>,
  change: AutomationChange
) {
  const revision = automationRevision + 1
  const changes = { automationRevision: revision, pauses }
  yield* transaction.update(Projects, [projectId], changes)
  yield* transaction.insert(AutomationChanges, { projectId, revision, ...change })
  return changes
})

/** A hand-off: a pause for the side of the agent that requests a person. */
export const pauseForAgent = Effect.fnUntraced(function* (
  transaction: Transaction,
  { row, project }: StoredProject,
  { role: side, id, execution }: Actor,
  { reason }: { readonly reason: string },
  at: Instant
) {
  const pause = { side, by: execution?.agentId ?? id, at, reason }
  const changes = yield* writeAutomation(transaction, row, [...row.pauses, pause], { paused: true, ...pause })
  return { project, row: { ...row, ...changes } } satisfies StoredProject
})
