/** Checks the clients' log against the commit times in Postgres. */
import { ProjectEvents } from "../../src/projects/store.ts"
import type { LoggedRequest } from "./postgres-clients.ts"
import type { CommittedTransaction } from "./postgres-history.ts"

/** From its acknowledgement until it is lifted, no command of it may commit. Times are milliseconds since 1970. */
export interface StopInterval {
  readonly kind: "pause" | "revocation"
  /** The paused project, or the revoked grant. */
  readonly of: string
  readonly answered: number
  readonly until: number | undefined
}

export const checkLog = (
  asked: ReadonlyArray<LoggedRequest>,
  endings: ReadonlyArray<StopInterval>,
  history: ReadonlyArray<CommittedTransaction>
): { readonly events: number; readonly wrong: ReadonlyArray<string> } => {
  const events = eventsIn(history)
  const byRequest = Map.groupBy(events, ({ projectId, requestId }) => `${projectId} ${requestId}`)
  const twice = [...byRequest].filter(([, effects]) => effects.length > 1).map(([id]) => `${id} had two effects`)
  const wrong = asked.flatMap((one) => checkResponse(one, byRequest))
  return {
    events: events.length,
    wrong: [...twice, ...wrong, ...endings.flatMap((ending) => commitsAfter(ending, events))]
  }
}

interface CommittedEvent {
  readonly projectId: string
  readonly requestId: string
  readonly grantId: string | undefined
  readonly kind: string
  readonly committed: number
}

/** Events of requests; the issuance of a record is not requested directly. */
const eventsIn = (history: ReadonlyArray<CommittedTransaction>): ReadonlyArray<CommittedEvent> =>
  history.flatMap(({ at, changes }) =>
    changes
      .filter(({ table, change }) => table === ProjectEvents && change === "insert")
      .map(({ row }) => ({ row, signed: signedPayload(String(row["jws"])) }))
      .filter(({ signed }) => signed.kind !== "ISSUE")
      .map(({ row, signed }) => ({
        projectId: String(row["projectId"]),
        requestId: String(signed.requestId),
        grantId: signed.actor?.execution?.grantId,
        kind: String(signed.kind),
        committed: at
      }))
  )

const signedPayload = (jws: string) => JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString("utf8"))

/** A successful command was committed before its response; a refused one was never committed. */
const checkResponse = (
  { path, requestId, status, error, invoked, answered, sends }: LoggedRequest,
  byRequest: ReadonlyMap<string, ReadonlyArray<CommittedEvent>>
): ReadonlyArray<string> => {
  const [, projectId, operation] = /\/projects\/([^/]+)\/(respond|submit|review)$/.exec(path) ?? []
  if (projectId === undefined) return []
  const [effect] = byRequest.get(`${projectId} ${requestId}`) ?? []
  if (status === 200) {
    if (effect === undefined) return [`${operation} ${requestId} was answered 200 and never committed`]
    return effect.committed > answered ? [`${operation} ${requestId} was answered before its commit`] : []
  }
  // A request that was sent more than once may have committed before its agent was stopped or replaced.
  if (effect === undefined || sends > 1 || effect.committed < invoked) return []
  return effect.committed < answered && status !== 401
    ? [`${operation} ${requestId} was answered ${status} ${error} and was committed`]
    : []
}

/** Commits after the acknowledgement under the paused project or the revoked grant. */
const commitsAfter = (ending: StopInterval, events: ReadonlyArray<CommittedEvent>): ReadonlyArray<string> => {
  const { kind, of, answered, until = Number.POSITIVE_INFINITY } = ending
  return events
    .filter((event) => (kind === "pause" ? event.projectId === of : event.grantId === of))
    .filter(({ committed }) => committed > answered && committed < until)
    .map(
      (event) => `${event.kind} was committed ${(event.committed - answered).toFixed(3)} ms after the ${kind} of ${of}`
    )
}
