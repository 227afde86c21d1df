/** What clients were told, held against the moments at which Postgres committed. */
import { ProjectEvents } from "../../src/projects/store.ts"
import type { Asked } from "./postgres-clients.ts"
import type { Committed } from "./postgres-history.ts"

/** From its answer on, until it was lifted, nothing may happen there any more. Moments are milliseconds since 1970. */
export interface Ending {
  readonly kind: "pause" | "revocation"
  /** The project that was paused, or the grant that was revoked. */
  readonly of: string
  readonly answered: number
  readonly until: number | undefined
}

export const judgeLog = (
  asked: ReadonlyArray<Asked>,
  endings: ReadonlyArray<Ending>,
  history: ReadonlyArray<Committed>
): { readonly events: number; readonly wrong: ReadonlyArray<string> } => {
  const events = eventsIn(history)
  const byRequest = Map.groupBy(events, ({ projectId, requestId }) => `${projectId} ${requestId}`)
  const twice = [...byRequest].filter(([, effects]) => effects.length > 1).map(([id]) => `${id} had two effects`)
  const wrong = asked.flatMap((one) => wrongInAnswer(one, byRequest))
  return { events: events.length, wrong: [...twice, ...wrong, ...endings.flatMap((ending) => after(ending, events))] }
}

interface EventSeen {
  readonly projectId: string
  readonly requestId: string
  readonly grantId: string | undefined
  readonly kind: string
  readonly committed: number
}

/** Those that somebody asked for: the issuance of a record follows from one. */
const eventsIn = (history: ReadonlyArray<Committed>): ReadonlyArray<EventSeen> =>
  history.flatMap(({ at, changes }) =>
    changes
      .filter(({ table, change }) => table === ProjectEvents && change === "insert")
      .map(({ row }) => ({ row, signed: signedIn(String(row["jws"])) }))
      .filter(({ signed }) => signed.kind !== "ISSUE")
      .map(({ row, signed }) => ({
        projectId: String(row["projectId"]),
        requestId: String(signed.requestId),
        grantId: signed.actor?.execution?.grantId,
        kind: String(signed.kind),
        committed: at
      }))
  )

const signedIn = (jws: string) => JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString("utf8"))

/** A command that succeeded was committed while it was asked for; one that was refused never was. */
const wrongInAnswer = (
  { path, requestId, status, error, invoked, answered, sends }: Asked,
  byRequest: ReadonlyMap<string, ReadonlyArray<EventSeen>>
): ReadonlyArray<string> => {
  const [, projectId, operation] = /\/projects\/([^/]+)\/(respond|submit|review)$/.exec(path) ?? []
  if (projectId === undefined) return []
  const [effect] = byRequest.get(`${projectId} ${requestId}`) ?? []
  if (status === 200) {
    if (effect === undefined) return [`${operation} ${requestId} was answered 200 and is nowhere`]
    return effect.committed > answered ? [`${operation} ${requestId} was answered before its commit`] : []
  }
  // Sent more than once, it may have had its effect before its agent was stopped or replaced.
  if (effect === undefined || sends > 1 || effect.committed < invoked) return []
  return effect.committed < answered && status !== 401
    ? [`${operation} ${requestId} was answered ${status} ${error} and had its effect`]
    : []
}

/** What was committed after the answer under what had ended. */
const after = (ending: Ending, events: ReadonlyArray<EventSeen>): ReadonlyArray<string> => {
  const { kind, of, answered, until = Number.POSITIVE_INFINITY } = ending
  return events
    .filter((event) => (kind === "pause" ? event.projectId === of : event.grantId === of))
    .filter(({ committed }) => committed > answered && committed < until)
    .map(
      (event) => `${event.kind} was committed ${(event.committed - answered).toFixed(3)} ms after the ${kind} of ${of}`
    )
}
