/** Who sends a request, as what it shows says at the moment at which it leaves, and under which request id. */
import { Credentials, Grants } from "../../../src/access/store.ts"
import { ParticipationCredentials } from "../../../src/participation/store.ts"
import { Memberships, Sessions } from "../../../src/people/store.ts"
import { tokenHash } from "../../../src/vocabulary/token.ts"
import { isObject, type Json } from "../../script/json.ts"
import { type Moment, type RequestSeen, rowIn } from "../invariant.ts"

/** Whose request ids these are: a grant over all its renewals, a person, or a task that an assistant was given. */
export interface Asker {
  readonly owner: string
  readonly credential: ShownCredential | undefined
  /** A person's session, or an assistant's credential by its hash: what is over with either is over for this one. */
  readonly session?: string
  readonly assistant?: string
}

/** An agent's, as the rows have it when it is shown. */
export interface ShownCredential {
  readonly grantId: string
  readonly generation: number
  /** False where it was replaced, or its grant or the membership behind it was ended, before it was shown. */
  readonly opens: boolean
}

/**
 * Undefined where nothing known is shown, or nothing has to be. An invariant that asks at a commit or an answer has to
 * ask at the request, too: by then an agent may hold another token.
 */
export const askerOf = (moment: Moment): Asker | undefined => {
  const { request } = moment
  if (request === undefined) return undefined
  if (!known.has(request)) known.set(request, findAsker(request, moment))
  return known.get(request)
}

const known = new WeakMap<RequestSeen, Asker | undefined>()

const findAsker = (request: RequestSeen, moment: Moment): Asker | undefined => {
  const { actor, path } = request
  if (isOpenToAll(path)) return undefined
  if (path.startsWith(agentPaths) || path.startsWith(assistantPaths)) return byToken(request, moment)
  const person = moment.directory.people.get(actor)
  // Whose cookie it is that a request to the letter shows is not known here.
  const isSignedIn = person?.session !== undefined && request.headers?.["cookie"] === undefined
  if (!isSignedIn) return undefined
  const session = moment.rows.of(Sessions).find((row) => row.tokenHash === tokenHash(person.session ?? ""))?.sessionId
  return { owner: person.id, credential: undefined, ...(session === undefined ? {} : { session }) }
}

const byToken = ({ actor, with: shown, headers }: RequestSeen, { directory, rows }: Moment): Asker | undefined => {
  const token = bearerIn(headers?.["authorization"]) ?? shown ?? directory.agents.get(actor)?.token
  if (token === undefined) return undefined
  const hash = tokenHash(token)
  const credential = rowIn(rows, Credentials, [hash])
  if (credential === undefined) {
    const assistant = rowIn(rows, ParticipationCredentials, [hash])
    return assistant === undefined ? undefined : { owner: assistant.itemId, credential: undefined, assistant: hash }
  }
  const { grantId, generation, membershipId } = credential
  const grant = rowIn(rows, Grants, [grantId])
  const opens =
    grant !== undefined &&
    grant.revokedAt === null &&
    grant.generation === generation &&
    rowIn(rows, Memberships, [membershipId])?.endedAt === null
  return { owner: grantId, credential: { grantId, generation, opens } }
}

const agentPaths = "/api/agents/v1/"
const assistantPaths = "/api/participation/"

/** Whether no credential is needed there. */
const isOpenToAll = (path: string): boolean =>
  path.startsWith(`${agentPaths}connections`) ||
  path === `${agentPaths}capabilities` ||
  path.startsWith("/api/discover")

export const isOfAgents = ({ path }: RequestSeen): boolean => path.startsWith(agentPaths) && !isOpenToAll(path)

const bearerIn = (header: string | undefined): string | undefined => /^bearer (.+)$/i.exec(header ?? "")?.[1]

/** As it was read, if it was JSON. */
export const bodyOf = ({ body }: RequestSeen): Json | undefined => {
  if (typeof body !== "string") return body
  try {
    return JSON.parse(body) as Json
  } catch {
    return undefined
  }
}

/** A job that is prepared keeps an id for its submission in a space of its own. */
export const requestIdOf = (request: RequestSeen): string | undefined => {
  const body = bodyOf(request)
  if (!isObject(body)) return undefined
  const inner = body["input"]
  const id = body["requestId"] ?? (isObject(inner) ? inner["requestId"] : undefined)
  if (typeof id !== "string") return undefined
  return request.path === `${agentPaths}jobs` ? `job ${id}` : id
}

/** Whose request id a request goes under, and which. */
export const askedUnder = (moment: Moment): string | undefined => {
  const owner = askerOf(moment)?.owner
  const requestId = moment.request === undefined ? undefined : requestIdOf(moment.request)
  return owner === undefined || requestId === undefined ? undefined : `${owner} ${requestId}`
}
