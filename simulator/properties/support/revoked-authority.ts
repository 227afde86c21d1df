/** Acknowledged revocations and later reinstatements, derived from responses only. */
import { AutomationChanges } from "../../../src/projects/store.ts"
import { ProposalAutomationChanges } from "../../../src/proposals/store.ts"
import { SelfServiceAccounts } from "../../../src/people/store.ts"
import { WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import { isObject, valueAt, type Json, type JsonObject } from "../../vocabulary/json.ts"
import { type Moment, type RequestObservation, rowIn, type Rows, rowsWithPrefix } from "../property.ts"
import { revokedByResponse } from "./revoked-sessions.ts"

export type RevokedAuthority = {
  /** By project or proposal: the revision in the response to the pause. */
  readonly paused: { readonly [id: string]: number }
  /** By grant: the oldest valid generation. */
  readonly renewed: { readonly [grantId: string]: number }
  /** Ended grants, memberships, subscriptions, sessions, assistants and tasks, sorted by id. */
  readonly ended: ReadonlyArray<string>
}

export const noRevokedAuthority: RevokedAuthority = { paused: {}, renewed: {}, ended: [] }

/** The state after a response, whether or not it arrived. */
export const afterResponse = (state: RevokedAuthority, moment: Moment): RevokedAuthority => {
  const { observed, request, rows } = moment
  if (observed.kind === "answer") {
    return observed.refused === undefined && isObject(observed.body) ? afterAct(state, observed.body) : state
  }
  if (observed.kind !== "response" || observed.status >= 300 || request === undefined) return state
  const parts = partsOf(request)
  const { body = null } = observed
  const sessionless = revokedByResponse(moment)
  if (sessionless.length > 0) return sessionless.reduce(withEnded, state)
  if (parts?.verb === "remove") return withEnded(state, membershipOfAccount(rows, body))
  if (parts?.id === undefined) return state
  const { noun, verb, id } = parts
  if (verb === "pause" && noun === "subscription") {
    // A resume may have committed before this response.
    return rowIn(rows, WebhookSubscriptions, [id])?.isPaused === true ? withEnded(state, id) : state
  }
  if (verb === "pause" || verb === "handoff") {
    // A replayed response reports the current state.
    return withPause(state, id, valueAt(body, "automation"), valueAt(body, "replayed") !== true)
  }
  if (verb === "renew") {
    const generation = Number(valueAt(body, "generation"))
    return { ...state, renewed: { ...state.renewed, [id]: Math.max(state.renewed[id] ?? 0, generation) } }
  }
  return verb === "end" || verb === "revoke" ? withEnded(state, id) : state
}

/** An operator's acts are recognized by their results. */
const afterAct = (state: RevokedAuthority, body: JsonObject): RevokedAuthority => {
  if (typeof body["grantId"] === "string" && typeof body["revokedAt"] === "string") {
    return withEnded(state, body["grantId"])
  }
  if (typeof body["membershipId"] === "string" && typeof body["endedAt"] === "string") {
    return withEnded(state, body["membershipId"])
  }
  return typeof body["projectId"] === "string" ? withPause(state, body["projectId"], body["automation"]) : state
}

const withEnded = (state: RevokedAuthority, id: string | undefined): RevokedAuthority =>
  id === undefined || state.ended.includes(id) ? state : { ...state, ended: [...state.ended, id].sort() }

/** `isPromised`: a pause and a hand-off stop agents whether or not the response says so. */
const withPause = (
  state: RevokedAuthority,
  id: string,
  automation: Json | undefined,
  isPromised = false
): RevokedAuthority =>
  isObject(automation) && (isPromised || automation["paused"] === true)
    ? { ...state, paused: { ...state.paused, [id]: Number(automation["revision"]) } }
    : state

const membershipOfAccount = (rows: Rows, body: Json): string | undefined =>
  rowIn(rows, SelfServiceAccounts, [String(valueAt(body, "organizationId"))])?.membershipId

/** True if a pause was acknowledged and, up to a revision, at least one pause is still in force. */
export const isPaused = ({ paused }: RevokedAuthority, rows: Rows, id: string, upTo = Infinity): boolean => {
  const answered = paused[id]
  if (answered === undefined) return false
  const changes = [
    ...rowsWithPrefix(rows, AutomationChanges, [id]),
    ...rowsWithPrefix(rows, ProposalAutomationChanges, [id])
  ].filter(({ revision }) => revision <= upTo)
  const last = new Map(changes.map((change) => [change.side, change.paused]))
  return !changes.some(({ revision }) => revision > answered) || [...last.values()].includes(true)
}

/** A resume reinstates a subscription. */
export const afterResume = (state: RevokedAuthority, request: RequestObservation | undefined): RevokedAuthority => {
  const parts = request === undefined ? undefined : partsOf(request)
  if (parts?.verb !== "resume" || parts.noun !== "subscription") return state
  return { ...state, ended: state.ended.filter((id) => id !== parts.id) }
}

const nouns: { readonly [part: string]: string } = {
  grants: "grant",
  memberships: "membership",
  projects: "project",
  proposals: "proposal",
  webhooks: "subscription",
  "project-webhooks": "subscription"
}

/** The parts of a path such as `/…/grants/{id}/revoke`. */
const partsOf = ({ method, path }: RequestObservation) => {
  if (method !== "POST") return undefined
  if (path === "/api/workspace/account/remove") return { noun: "account", id: undefined, verb: "remove" }
  const [verb = "", id, plural = ""] = path.split("/").reverse()
  const noun = nouns[plural]
  return noun === undefined ? undefined : { noun, id, verb }
}
