/** What a person ends of what acts for them without a grant: sessions, assistants and the tasks that these are for. */
import { ParticipationCredentials, ParticipationItems } from "../../../src/participation/store.ts"
import { Sessions } from "../../../src/people/store.ts"
import { tokenHash } from "../../../src/vocabulary/token.ts"
import { valueAt } from "../../script/json.ts"
import { type Moment, type RequestSeen, rowIn, type Rows } from "../invariant.ts"
import { type Asker, askerOf } from "./asker.ts"

/**
 * The ids of what is over once this was answered with success: of all that stood when it was sent. Whoever asks at an
 * answer has to ask at the request, too.
 */
export const endedByAnswer = (moment: Moment): ReadonlyArray<string> => {
  const { observed, request } = moment
  if (request === undefined) return []
  if (!known.has(request)) known.set(request, endedBy(request, askerOf(moment), moment.rows))
  const shown = observed.kind === "response" ? valueAt(observed.body ?? null, "token") : undefined
  const hash = typeof shown === "string" ? tokenHash(shown) : undefined
  return (known.get(request) ?? []).filter((id) => id !== hash)
}

const known = new WeakMap<RequestSeen, ReadonlyArray<string>>()

const endedBy = ({ method, path }: RequestSeen, asker: Asker | undefined, rows: Rows): ReadonlyArray<string> => {
  if (method !== "POST" || asker === undefined) return []
  if (path === "/api/workspace/session/sign-out") return asker.session === undefined ? [] : [asker.session]
  if (path === "/api/workspace/session/end-others") {
    const own = rows.of(Sessions).filter(({ personId }) => personId === asker.owner)
    return own.map(({ sessionId }) => sessionId).filter((sessionId) => sessionId !== asker.session)
  }
  const [, itemId, act] = /^\/api\/workspace\/items\/([^/]+)\/(.+)$/.exec(path) ?? []
  if (itemId === undefined) return []
  if (act === "done" || act === "withdraw") return [itemId]
  // A new credential takes the place of the one that the task had.
  const hash = rowIn(rows, ParticipationItems, [itemId])?.credentialHash
  return (act === "credentials" || act === "credentials/end") && hash != null ? [hash] : []
}

/** All that a request without a grant is sent under: with any of it, it is over. */
export const standsOn = ({ session, assistant }: Asker, rows: Rows): ReadonlyArray<string> => {
  if (session !== undefined) return [session]
  const credential = assistant === undefined ? undefined : rowIn(rows, ParticipationCredentials, [assistant])
  return credential === undefined ? [] : [credential.tokenHash, credential.itemId, credential.sessionId]
}
