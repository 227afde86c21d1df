/** What a person or an operator was told that they ended, and what was given back since: from answers alone. */
import { AutomationChanges } from "../../../src/projects/store.ts"
import { ProposalAutomationChanges } from "../../../src/proposals/store.ts"
import { SelfServiceAccounts } from "../../../src/people/store.ts"
import { WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import { isObject, valueAt, type Json, type JsonObject } from "../../script/json.ts"
import { type Moment, type RequestSeen, rowIn, type Rows, rowsUnder } from "../invariant.ts"
import { endedByAnswer } from "./over-sessions.ts"

export type Over = {
  /** By project or proposal, the revision that the pause was answered with. */
  readonly paused: { readonly [id: string]: number }
  /** By grant, the oldest generation that opens anything. */
  readonly renewed: { readonly [grantId: string]: number }
  /** Grants, memberships, subscriptions, sessions, assistants and their tasks, in the order of their ids. */
  readonly ended: ReadonlyArray<string>
}

export const nothingOver: Over = { paused: {}, renewed: {}, ended: [] }

/** After an answer, whether or not it arrived. */
export const afterAnswer = (over: Over, moment: Moment): Over => {
  const { observed, request, rows } = moment
  if (observed.kind === "answer") {
    return observed.refused === undefined && isObject(observed.body) ? afterAct(over, observed.body) : over
  }
  if (observed.kind !== "response" || observed.status >= 300 || request === undefined) return over
  const asked = partsOf(request)
  const { body = null } = observed
  const without = endedByAnswer(moment)
  if (without.length > 0) return without.reduce(withEnded, over)
  if (asked?.verb === "remove") return withEnded(over, membershipOfAccount(rows, body))
  if (asked?.id === undefined) return over
  const { noun, verb, id } = asked
  if (verb === "pause" && noun === "subscription") {
    // The answer may have been overtaken by a resume.
    return rowIn(rows, WebhookSubscriptions, [id])?.isPaused === true ? withEnded(over, id) : over
  }
  if (verb === "pause" || verb === "handoff") {
    // What is answered once more tells how things stand now.
    return withPause(over, id, valueAt(body, "automation"), valueAt(body, "replayed") !== true)
  }
  if (verb === "renew") {
    const generation = Number(valueAt(body, "generation"))
    return { ...over, renewed: { ...over.renewed, [id]: Math.max(over.renewed[id] ?? 0, generation) } }
  }
  return verb === "end" || verb === "revoke" ? withEnded(over, id) : over
}

/** An operator's acts are known by what they answer. */
const afterAct = (over: Over, body: JsonObject): Over => {
  if (typeof body["grantId"] === "string" && typeof body["revokedAt"] === "string") {
    return withEnded(over, body["grantId"])
  }
  if (typeof body["membershipId"] === "string" && typeof body["endedAt"] === "string") {
    return withEnded(over, body["membershipId"])
  }
  return typeof body["projectId"] === "string" ? withPause(over, body["projectId"], body["automation"]) : over
}

const withEnded = (over: Over, id: string | undefined): Over =>
  id === undefined || over.ended.includes(id) ? over : { ...over, ended: [...over.ended, id].sort() }

/** Whether or not the answer says so: to pause and to hand over is promised to stop agents. */
const withPause = (over: Over, id: string, automation: Json | undefined, isPromised = false): Over =>
  isObject(automation) && (isPromised || automation["paused"] === true)
    ? { ...over, paused: { ...over.paused, [id]: Number(automation["revision"]) } }
    : over

const membershipOfAccount = (rows: Rows, body: Json): string | undefined =>
  rowIn(rows, SelfServiceAccounts, [String(valueAt(body, "organizationId"))])?.membershipId

/** True where a side was told that agents stand still, and not every pause was lifted since, up to a revision. */
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

/** A subscription calls again once its owner resumed it. */
export const afterResume = (over: Over, request: RequestSeen | undefined): Over => {
  const asked = request === undefined ? undefined : partsOf(request)
  if (asked?.verb !== "resume" || asked.noun !== "subscription") return over
  return { ...over, ended: over.ended.filter((id) => id !== asked.id) }
}

const nouns: { readonly [part: string]: string } = {
  grants: "grant",
  memberships: "membership",
  projects: "project",
  proposals: "proposal",
  webhooks: "subscription",
  "project-webhooks": "subscription"
}

/** What a request asks for: `/…/grants/{id}/revoke`. */
const partsOf = ({ method, path }: RequestSeen) => {
  if (method !== "POST") return undefined
  if (path === "/api/workspace/account/remove") return { noun: "account", id: undefined, verb: "remove" }
  const [verb = "", id, plural = ""] = path.split("/").reverse()
  const noun = nouns[plural]
  return noun === undefined ? undefined : { noun, id, verb }
}
