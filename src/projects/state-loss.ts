/** The operator states which projects may have lost events: each statement is signed, and its project continues after it. */
import { Effect } from "effect"
import { Signer } from "../ports/signer.ts"
import { inTransaction, inView } from "../ports/storage/run.ts"
import { exclusive, type Transaction } from "../ports/storage.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { later } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import type { HistoryGap } from "./history-gap.ts"
import { readGaps } from "./known-heads.ts"
import { HistoryGaps, Projects } from "./store.ts"

/** States the loss of every read-only project. Interrupted, it is repeated for those that are left. */
export const beginHistoryEpoch = traced("projects.beginHistoryEpoch")(function* (reason: string) {
  const ids = yield* idSeed
  const epoch = ids("plan").next("epoch")
  const stated: Array<Omit<HistoryGap, "schema" | "reason">> = []
  for (;;) {
    const open = yield* readOpenGaps
    for (const { projectId } of open) {
      const statement = yield* inTransaction({ locks: [exclusive("project", projectId)] }, (transaction) =>
        stateLoss(transaction, projectId, { epoch, reason })
      )
      if (statement !== undefined) stated.push(statement)
    }
    if (open.length < limits.historyGaps) break
  }
  if (stated.length === 0) {
    return yield* refuse("STATE_CONFLICT", { detail: "No project is read-only: run `admin known-heads FILES…` first." })
  }
  return { epoch, projects: stated }
})

const readOpenGaps = inView((reader) =>
  reader.range(HistoryGaps, "byState", { prefix: ["OPEN"], limit: limits.historyGaps })
)

/** The next event takes the sequence after the lost one, and is not earlier than the statement. */
const stateLoss = Effect.fnUntraced(function* (
  transaction: Transaction,
  projectId: string,
  { epoch, reason }: { readonly epoch: string; readonly reason: string }
) {
  const [row, gaps, now] = yield* Effect.all([
    transaction.get(Projects, [projectId]),
    readGaps(transaction, projectId),
    transaction.now
  ])
  const gap = gaps.at(-1)
  if (row === undefined || gap?.state !== "OPEN") return undefined
  const issuedAt = later(now, row.lastEventAt)
  const payload: HistoryGap = {
    schema: "service.history-gap/v1",
    issuedAt,
    epoch,
    projectId,
    reason,
    kept: { sequence: row.eventCount, eventHash: row.headEventHash },
    lost: { sequence: gap.lostSequence, eventHash: gap.lostEventHash }
  }
  const signer = yield* Signer
  const statement = yield* signer
    .sign("EVENT", payload)
    .pipe(Effect.catchTag("IssuerNotConfigured", () => refuse("ISSUER_NOT_CONFIGURED")))
  yield* transaction.update(HistoryGaps, [projectId, gap.number], {
    state: "STATED",
    keptSequence: row.eventCount,
    epoch,
    statement
  })
  const { sequence, eventHash } = payload.lost
  yield* transaction.update(Projects, [projectId], { lostHead: { sequence, eventHash, epoch }, lastEventAt: issuedAt })
  return { issuedAt, epoch, projectId, kept: payload.kept, lost: payload.lost }
})
