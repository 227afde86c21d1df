/** The caller of a request, from the credential that it presents when it is sent, and its request id. */
import { Credentials, Grants } from "../../../src/access/store.ts"
import { ParticipationCredentials } from "../../../src/participation/store.ts"
import { Memberships, Sessions } from "../../../src/people/store.ts"
import { tokenHash } from "../../../src/vocabulary/token.ts"
import { isObject, type Json } from "../../vocabulary/json.ts"
import { type Moment, type RequestObservation, rowIn } from "../property.ts"

/** `owner` is the scope of request ids: a grant across renewals, a person, or an assistant's task. */
export interface Caller {
  readonly owner: string
  readonly credential: PresentedCredential | undefined
  /** A person's session, or the hash of an assistant's credential: the caller's authority ends with it. */
  readonly session?: string
  readonly assistant?: string
}

/** An agent's credential in the rows at the time of the request. */
export interface PresentedCredential {
  readonly grantId: string
  readonly generation: number
  /** False if the credential was replaced, or its grant or membership had ended, before the request. */
  readonly isValid: boolean
}

/**
 * Undefined without a known credential, or if none is required. A property that calls this at a commit or a response
 * must also call it at the request, since the agent may have another token later.
 */
export const callerOf = (moment: Moment): Caller | undefined => {
  const { request } = moment
  if (request === undefined) return undefined
  if (!cache.has(request)) cache.set(request, findCaller(request, moment))
  return cache.get(request)
}

const cache = new WeakMap<RequestObservation, Caller | undefined>()

const findCaller = (request: RequestObservation, moment: Moment): Caller | undefined => {
  const { actor, path } = request
  if (isPublic(path)) return undefined
  if (path.startsWith(agentPaths) || path.startsWith(assistantPaths)) return byToken(request, moment)
  const person = moment.directory.people.get(actor)
  // The owner of a cookie in a raw request is unknown here.
  const isSignedIn = person?.session !== undefined && request.headers?.["cookie"] === undefined
  if (!isSignedIn) return undefined
  const session = moment.rows.of(Sessions).find((row) => row.tokenHash === tokenHash(person.session ?? ""))?.sessionId
  return { owner: person.id, credential: undefined, ...(session === undefined ? {} : { session }) }
}

const byToken = (
  { actor, with: presented, headers }: RequestObservation,
  { directory, rows }: Moment
): Caller | undefined => {
  const token = bearerIn(headers?.["authorization"]) ?? presented ?? directory.agents.get(actor)?.token
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
  return { owner: grantId, credential: { grantId, generation, isValid: opens } }
}

const agentPaths = "/api/agents/v1/"
const assistantPaths = "/api/participation/"

/** True if the path needs no credential. */
const isPublic = (path: string): boolean =>
  path.startsWith(`${agentPaths}connections`) ||
  path === `${agentPaths}capabilities` ||
  path.startsWith("/api/discover") ||
  path.startsWith("/api/public/")

export const isAgentRequest = ({ path }: RequestObservation): boolean => path.startsWith(agentPaths) && !isPublic(path)

const bearerIn = (header: string | undefined): string | undefined => /^bearer (.+)$/i.exec(header ?? "")?.[1]

/** The parsed JSON body; undefined if it is not JSON. */
export const bodyOf = ({ body }: RequestObservation): Json | undefined => {
  if (typeof body !== "string") return body
  try {
    return JSON.parse(body) as Json
  } catch {
    return undefined
  }
}

/** A job that is prepared stores the request id of its submission in a separate scope. */
export const requestIdOf = (request: RequestObservation): string | undefined => {
  const body = bodyOf(request)
  if (!isObject(body)) return undefined
  const inner = body["input"]
  const id = body["requestId"] ?? (isObject(inner) ? inner["requestId"] : undefined)
  if (typeof id !== "string") return undefined
  return request.path === `${agentPaths}jobs` ? `job ${id}` : id
}

/** The idempotency key of a request: its owner and request id. */
export const idempotencyKeyOf = (moment: Moment): string | undefined => {
  const owner = callerOf(moment)?.owner
  const requestId = moment.request === undefined ? undefined : requestIdOf(moment.request)
  return owner === undefined || requestId === undefined ? undefined : `${owner} ${requestId}`
}
