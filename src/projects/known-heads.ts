/**
 * Heads that are known outside of the database, compared with it after a restore or a failover. A project whose known head
 * is gone becomes read-only.
 */
import { Effect } from "effect"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader, type Transaction } from "../ports/storage.ts"
import { limits } from "../vocabulary/limits.ts"
import { traced } from "../vocabulary/traced.ts"
import { HistoryGaps, ProjectEvents, Projects, type HistoryGapRow } from "./store.ts"

export type { HistoryGapRow }

/** An event of a project that was the head when it was seen. */
export interface KnownHead {
  readonly projectId: string
  /** Null where a status names the head by its hash alone. */
  readonly sequence: number | null
  readonly eventHash: string
  readonly source: HistoryGapRow["source"]
}

/**
 * `KEPT`: in the history. `STATED`: lost, and a statement explains it. `LOST`: the project is read-only.
 * `LOST_WITHOUT_SEQUENCE`: gone, and without its sequence nothing is marked.
 */
export type HeadOutcome =
  | "KEPT"
  | "STATED"
  | "LOST"
  | "LOST_WITHOUT_SEQUENCE"
  | "UNKNOWN_PROJECT"
  | "IMPOSSIBLE_SEQUENCE"

/** Compares each head, and marks the projects whose head is gone. */
export const compareKnownHeads = traced("projects.compareKnownHeads")(function* (heads: ReadonlyArray<KnownHead>) {
  const compared: Array<KnownHead & { readonly outcome: HeadOutcome }> = []
  for (const head of heads) {
    const outcome = yield* inView((reader) => compare(reader, head))
    const { sequence } = head
    if (outcome === "LOST" && sequence !== null) yield* markLost({ ...head, sequence })
    compared.push({ ...head, outcome })
  }
  return compared
})

interface PlacedHead extends KnownHead {
  readonly sequence: number
}

const markLost = (head: PlacedHead) =>
  inTransaction({ locks: [exclusive("project", head.projectId)] }, function* (transaction) {
    // Another process may have marked the project since, or the operator stated its loss.
    if ((yield* compare(transaction, head)) === "LOST") yield* writeMark(transaction, head)
  })

const compare = Effect.fnUntraced(function* (reader: Reader, { projectId, sequence, eventHash }: KnownHead) {
  if ((sequence ?? 0) > limits.eventsPerProject) return "IMPOSSIBLE_SEQUENCE" satisfies HeadOutcome
  const [row, event, gaps] = yield* readTogether([
    reader.get(Projects, [projectId]),
    reader.find(ProjectEvents, "byHash", [projectId, eventHash]),
    readGaps(reader, projectId)
  ])
  if (row === undefined) return "UNKNOWN_PROJECT" satisfies HeadOutcome
  if (event !== undefined) return "KEPT" satisfies HeadOutcome
  if (sequence === null) return "LOST_WITHOUT_SEQUENCE" satisfies HeadOutcome
  const outcome: HeadOutcome = gaps.some((gap) => explains(gap, sequence)) ? "STATED" : "LOST"
  return outcome
})

/** The gaps of a project, oldest first. */
export const readGaps = (reader: Reader, projectId: string) =>
  reader.range(HistoryGaps, "key", { prefix: [projectId], limit: limits.historyGaps })

/** The statement covers a lost event of this sequence: in the gap, or on another branch where the kept one is longer. */
const explains = ({ keptSequence, lostSequence }: HistoryGapRow, sequence: number): boolean =>
  keptSequence !== null && sequence <= lostSequence && (keptSequence < sequence || lostSequence <= keptSequence)

/** The newest lost head counts: the numbers below it are lost with it. */
const writeMark = Effect.fnUntraced(function* (
  transaction: Transaction,
  { projectId, sequence, eventHash, source }: PlacedHead
) {
  const [row, gaps, foundAt] = yield* Effect.all([
    transaction.get(Projects, [projectId]),
    readGaps(transaction, projectId),
    transaction.now
  ])
  const before = row!.lostHead
  const lost = before !== null && sequence <= before.sequence ? before : { sequence, eventHash }
  const columns = { lostSequence: lost.sequence, lostEventHash: lost.eventHash, source, foundAt }
  const last = gaps.at(-1)
  if (last?.state === "OPEN") yield* transaction.update(HistoryGaps, [projectId, last.number], columns)
  else {
    yield* transaction.insert(HistoryGaps, {
      projectId,
      number: (last?.number ?? 0) + 1,
      state: "OPEN",
      ...columns,
      keptSequence: null,
      epoch: null,
      statement: null
    })
  }
  yield* transaction.update(Projects, [projectId], {
    lostHead: { sequence: lost.sequence, eventHash: lost.eventHash, epoch: null }
  })
})
