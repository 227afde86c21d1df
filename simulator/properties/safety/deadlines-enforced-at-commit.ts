/** Agreed deadlines and the expiry of a grant are enforced at the commit, not only at the request (spec 1, 5.3). */
import { Grants } from "../../../src/access/store.ts"
import type { Agreement } from "../../../src/projects/agreement.ts"
import { ProjectEvents, Projects } from "../../../src/projects/store.ts"
import { addMilliseconds } from "../../../src/vocabulary/instant.ts"
import { violation, monitoredProperty, rowIn, type Rows, rowsWithPrefix } from "../property.ts"
import { rowsWritten } from "../support/commits.ts"
import { signedEventOf } from "../support/signed-events.ts"

type Event = ReturnType<typeof rowsWritten<typeof ProjectEvents>>[number]

export const deadlinesEnforcedAtCommit = monitoredProperty<null>({
  name: "deadlines enforced at commit",
  kind: "always",
  says: "An event's timestamp is the time of its commit, within the agreed deadlines and before its grant expires.",
  judges: { kinds: [], commitsTo: [ProjectEvents] },
  initial: null,
  next: (_, { observed, rows, delayed }) => {
    if (observed.kind !== "commit") return null
    for (const event of rowsWritten(observed, rows, ProjectEvents, "insert")) {
      const { kind, sequence, occurredAt } = event
      const wrong =
        addMilliseconds(occurredAt, clockOffsetMax + delayed) < observed.at
          ? `was committed at ${observed.at}`
          : (deadlineProblem(event, rows) ?? expiryProblem(event, rows))
      if (wrong !== undefined) return violation(`${kind} ${sequence} is dated ${occurredAt} and ${wrong}`)
    }
    return null
  }
})

/** The tolerated clock offset of a process, in milliseconds, beside the injected delays: a COMMIT may run for long. */
const clockOffsetMax = 1000

const deadlineProblem = ({ kind, projectId, sequence, occurredAt }: Event, rows: Rows): string | undefined => {
  const agreement = rowIn(rows, Projects, [projectId])?.agreement
  if (agreement === undefined || (kind !== "SUBMIT" && kind !== "REVIEW")) return undefined
  const { deadline, reviewDeadline } = (JSON.parse(agreement) as Agreement).terms
  const isFirst = !rowsWithPrefix(rows, ProjectEvents, [projectId]).some(
    (earlier) => earlier.kind === "SUBMIT" && earlier.sequence < sequence
  )
  const dueAt = kind === "SUBMIT" && isFirst ? deadline : reviewDeadline
  return dueAt < occurredAt ? `was due at ${dueAt}` : undefined
}

const expiryProblem = (event: Event, rows: Rows): string | undefined => {
  const { execution } = signedEventOf(event).actor
  const grant = execution === null ? undefined : rowIn(rows, Grants, [execution.grantId])
  return grant !== undefined && grant.expiresAt <= event.occurredAt
    ? `its grant expired at ${grant.expiresAt}`
    : undefined
}
