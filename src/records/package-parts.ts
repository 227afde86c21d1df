/** The parts of a project's package, read from the store: the same for every caller. */
import { Effect } from "effect"
import { readChain } from "../access/operations.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { readEvents, type StoredProject } from "../projects/history.ts"
import { readGaps, type HistoryGapRow } from "../projects/known-heads.ts"
import { requireWholeHistory } from "../projects/lost-head.ts"
import type { Project } from "../projects/project.ts"
import type { PackageParts } from "./package.ts"
import type { IssuedRecord } from "./status.ts"

export const readPackageParts = Effect.fnUntraced(function* (
  reader: Reader,
  { project }: StoredProject,
  record: IssuedRecord & { readonly jws: string }
) {
  yield* requireWholeHistory(project)
  const { projectId } = project.agreement
  const grantIds = new Set(project.events.flatMap(({ actor }) => actor.execution?.grantId ?? []))
  const [events, gaps, authority] = yield* readTogether([
    readEvents(reader, projectId),
    // Only a project that lost events has gaps.
    project.lostHead === null ? Effect.succeed([]) : readGaps(reader, projectId),
    readTogether([...grantIds].sort().map((grantId) => readChain(reader, grantId, projectsLinkedBy(project, grantId))))
  ])
  return {
    agreement: project.agreement,
    events: events.map(({ hash, jws }) => ({ id: hash, jws })),
    gaps: statementsOf(gaps),
    ...acceptedPayloads(project),
    record: { id: record.recordId, jws: record.jws },
    authority
  } satisfies PackageParts
})

/** Of several statements after one kept event, the newest explains the gap. */
const statementsOf = (gaps: ReadonlyArray<HistoryGapRow>) => {
  const newest = new Map(gaps.map((gap) => [gap.keptSequence, gap]))
  return [...newest.values()].flatMap(({ epoch, statement }) =>
    epoch === null || statement === null ? [] : { id: epoch, jws: statement }
  )
}

/** This project, and its successor if the supplier accepted the successor under this grant. */
const projectsLinkedBy = ({ agreement, events }: Project, grantId: string): ReadonlyArray<string> => [
  agreement.projectId,
  ...events.flatMap((one) =>
    one.kind === "SUPERSEDE" && one.actor.execution?.grantId === grantId ? one.payload.successor.projectId : []
  )
]

/** The payloads of the accepted submission and its review, as they were signed. */
const acceptedPayloads = ({ events, confirmation }: Project) => {
  const { submissionId, reviewId } = confirmation!
  const submission = events.flatMap((one) => (one.kind === "SUBMIT" ? one.payload : []))
  const review = events.flatMap((one) => (one.kind === "REVIEW" && one.payload.action === "ACCEPT" ? one.payload : []))
  return {
    submission: submission.find((one) => one.submissionId === submissionId)!,
    review: review.find((one) => one.reviewId === reviewId)!
  }
}
