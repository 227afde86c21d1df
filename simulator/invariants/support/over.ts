/** Acknowledged revocations and later reinstatements, derived from responses only. */
import { AutomationChanges } from "../../../src/projects/store.ts"
import { ProposalAutomationChanges } from "../../../src/proposals/store.ts"
import { SelfServiceAccounts } from "../../../src/people/store.ts"
import { WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import { isObject, valueAt, type Json, type JsonObject } from "../../script/json.ts"
import { type Moment, type RequestSeen, rowIn, type Rows, rowsUnder } from "../invariant.ts"
import { endedByAnswer } from "./over-sessions.ts"

export type Over = {
  /** By project or proposal: the revision in the response to the pause. */
  readonly paused: { readonly [id: string]: number }
  /** By grant: the oldest valid generation. */
  readonly renewed: { readonly [grantId: string]: number }
  /** Ended grants, memberships, subscriptions, sessions, assistants and tasks, sorted by id. */
  readonly ended: ReadonlyArray<string>
}

export const nothingOver: Over = { paused: {}, renewed: {}, ended: [] }

/** The state after a response, whether or not it arrived. */
export const afterAnswer = (state: Over, moment: Moment): Over => {
  const { observed, request, rows } = moment
  if (observed.kind === "answer") {
    return observed.refused === undefined && isObject(observed.body) ? afterAct(state, observed.body) : state
  }
  if (observed.kind !== "response" || observed.status >= 300 || request === undefined) return state
  const parts = partsOf(request)
  const { body = null } = observed
  const sessionless = endedByAnswer(moment)
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
const afterAct = (state: Over, body: JsonObject): Over => {
  if (typeof body["grantId"] === "string" && typeof body["revokedAt"] === "string") {
    return withEnded(state, body["grantId"])
  }
  if (typeof body["membershipId"] === "string" && typeof body["endedAt"] === "string") {
    return withEnded(state, body["membershipId"])
  }
  return typeof body["projectId"] === "string" ? withPause(state, body["projectId"], body["automation"]) : state
}

const withEnded = (state: Over, id: string | undefined): Over =>
  id === undefined || state.ended.includes(id) ? state : { ...state, ended: [...state.ended, id].sort() }

/** `isPromised`: a pause and a hand-off stop agents whether or not the response says so. */
const withPause = (state: Over, id: string, automation: Json | undefined, isPromised = false): Over =>
  isObject(automation) && (isPromised || automation["paused"] === true)
    ? { ...state, paused: { ...state.paused, [id]: Number(automation["revision"]) } }
    : state

const membershipOfAccount = (rows: Rows, body: Json): string | undefined =>
  rowIn(rows, SelfServiceAccounts, [String(valueAt(body, "organizationId"))])?.membershipId

/** True if a pause was acknowledged and, up to a revision, at least one pause is still in force. */
export const isStopped = ({ paused }: Over, rows: Rows, id: string, upTo = Infinity): boolean => {
  const answered = paused[id]
  if (answered === undefined) return false
  const changes = [
    ...rowsUnder(rows, AutomationChanges, [id]),
    ...rowsUnder(rows, ProposalAutomationChanges, [id])
  ].filter(({ revision }) => revision <= upTo)
  const last = new Map(changes.map((change) => [change.side, change.paused]))
  return !changes.some(({ revision }) => revision > answered) || [...last.values()].includes(true)
}

/** A resume reinstates a subscription. */
export const afterResume = (state: Over, request: RequestSeen | undefined): Over => {
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
const partsOf = ({ method, path }: RequestSeen) => {
  if (method !== "POST") return undefined
  if (path === "/api/workspace/account/remove") return { noun: "account", id: undefined, verb: "remove" }
  const [verb = "", id, plural = ""] = path.split("/").reverse()
  const noun = nouns[plural]
  return noun === undefined ? undefined : { noun, id, verb }
}
