/** Authority without a grant that a person can end: sessions, assistants and their tasks. */
import { ParticipationCredentials, ParticipationItems } from "../../../src/participation/store.ts"
import { Sessions } from "../../../src/people/store.ts"
import { tokenHash } from "../../../src/vocabulary/token.ts"
import { valueAt } from "../../vocabulary/json.ts"
import { type Moment, type RequestObservation, rowIn, type Rows } from "../property.ts"
import { type Caller, callerOf } from "./caller.ts"

/**
 * The ids of the authorities that this request ends if it succeeds, among those that existed when it was sent. A
 * property that calls this at a response must also call it at the request.
 */
export const revokedByResponse = (moment: Moment): ReadonlyArray<string> => {
  const { observed, request } = moment
  if (request === undefined) return []
  if (!cache.has(request)) cache.set(request, revokedBy(request, callerOf(moment), moment.rows))
  const shown = observed.kind === "response" ? valueAt(observed.body ?? null, "token") : undefined
  const hash = typeof shown === "string" ? tokenHash(shown) : undefined
  return (cache.get(request) ?? []).filter((id) => id !== hash)
}

const cache = new WeakMap<RequestObservation, ReadonlyArray<string>>()

const revokedBy = (
  { method, path }: RequestObservation,
  asker: Caller | undefined,
  rows: Rows
): ReadonlyArray<string> => {
  if (method !== "POST" || asker === undefined) return []
  if (path === "/api/workspace/session/sign-out") return asker.session === undefined ? [] : [asker.session]
  if (path === "/api/workspace/session/end-others") {
    if (asker.session === undefined) return []
    const own = rows.of(Sessions).filter(({ personId }) => personId === asker.owner)
    return own.map(({ sessionId }) => sessionId).filter((sessionId) => sessionId !== asker.session)
  }
  const [, itemId, act] = /^\/api\/workspace\/items\/([^/]+)\/(.+)$/.exec(path) ?? []
  if (itemId === undefined) return []
  if (act === "done" || act === "withdraw") return [itemId]
  // A new credential replaces the task's previous one.
  const hash = rowIn(rows, ParticipationItems, [itemId])?.credentialHash
  return (act === "credentials" || act === "credentials/end") && hash != null ? [hash] : []
}

/** The ids of all authorities that a request without a grant depends on. */
export const authorityIdsOf = ({ session, assistant }: Caller, rows: Rows): ReadonlyArray<string> => {
  if (session !== undefined) return [session]
  const credential = assistant === undefined ? undefined : rowIn(rows, ParticipationCredentials, [assistant])
  return credential === undefined ? [] : [credential.tokenHash, credential.itemId, credential.sessionId]
}
