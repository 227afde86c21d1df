/** The subjects of properties as JSON: projects as every viewer sees them, their events, answers and webhooks. */
import { storedProjectFrom } from "../../../src/projects/history.ts"
import { states } from "../../../src/projects/project.ts"
import { Issuances, ProjectEvents, Projects } from "../../../src/projects/store.ts"
import { viewAutomation } from "../../../src/projects/pause.ts"
import { viewForEveryViewer } from "../../../src/projects/view.ts"
import { eventTypes } from "../../../src/vocabulary/event-types.ts"
import { refusals } from "../../../src/vocabulary/refusal-rules.ts"
import { type Moment, type Rows, rowIn, rowsWithPrefix } from "../../properties/property.ts"
import { hasAgentToken } from "../../observation/secrets.ts"
import type { Content } from "../../storage/memory-storage/content.ts"
import { asJson, isObject, type JsonObject } from "../../vocabulary/json.ts"
import { visitorDeliveries } from "../committed-events.ts"
import type { PropertyForm } from "../format/property-form.ts"

/** The first members of paths, and the values of enumerated ones. */
interface Vocabulary {
  readonly members: ReadonlyArray<string>
  readonly values: { readonly [path: string]: ReadonlyArray<string> }
}

const projectMembers = [
  "taskId",
  "state",
  "title",
  "scope",
  "agreement",
  "parties",
  "criteria",
  "headEventHash",
  "submission",
  "review",
  "confirmation",
  "events",
  "signatures",
  "hold",
  "concern",
  "successor",
  "recordIssuance"
].map((member) => `project.${member}`)

export const vocabularies: { readonly [subject in Subject]: Vocabulary } = {
  project: {
    members: [...projectMembers, "automation.paused", "automation.revision", "automation.pausedBy"],
    values: { "project.state": states, "project.recordIssuance.status": ["PENDING", "ISSUED", "STOPPED"] }
  },
  events: {
    members: ["sequence", "hash", "previous", "kind", "requestId", "actor", "occurredAt", "payload"],
    values: {}
  },
  answers: { members: ["status", "error", "body"], values: { error: Object.keys(refusals) } },
  callbacks: {
    members: ["type", "project", "delivery", "sequence", "time", "made"],
    values: { type: eventTypes, made: ["TAKEN", "REPEATED", "OLDER", "STALE", "FORGED"] }
  },
  requests: {
    members: [
      "method",
      "path",
      "body",
      "sends",
      "changed",
      "previous",
      "unanswered",
      "paused",
      "early",
      "unauthorized",
      "invalidCredential",
      "token"
    ],
    values: {}
  },
  tells: { members: ["text", "humanUrl", "token", "unauthorized"], values: {} }
}

export const subjects = ["project", "events", "answers", "callbacks", "requests", "tells"] as const
export type Subject = (typeof subjects)[number]

export const subjectOf = (form: PropertyForm): Subject => subjects.find((one) => form[one] !== undefined) ?? "project"

/** True if the property reads rows, which are visible only in the memory store. */
export const needsRows = (form: PropertyForm): boolean => ["project", "events"].includes(subjectOf(form))

/** The view of a project that all viewers share, with the issuance of its record; undefined without one. */
export const projectIn = (rows: Rows, projectId: string): JsonObject | undefined => {
  const known = seen.get(rows.content) ?? new Map<string, JsonObject | undefined>()
  seen.set(rows.content, known)
  if (!known.has(projectId)) known.set(projectId, viewIn(rows, projectId))
  return known.get(projectId)
}

/** By content, which is immutable: each commit creates another. */
const seen = new WeakMap<Content, Map<string, JsonObject | undefined>>()

const viewIn = (rows: Rows, projectId: string): JsonObject | undefined => {
  const row = rowIn(rows, Projects, [projectId])
  if (row === undefined) return undefined
  const stored = storedProjectFrom(row, rowsWithPrefix(rows, ProjectEvents, [projectId]))
  const { status = null, continuation = null, recordId = null } = rowIn(rows, Issuances, [projectId]) ?? {}
  return asJson({
    project: { ...viewForEveryViewer(stored), recordIssuance: { status, continuation, recordId } },
    automation: viewAutomation(row.automationRevision, row.pauses)
  })
}

/** The committed events of a project; undefined if it does not exist. */
export const eventsIn = (rows: Rows, projectId: string): ReadonlyArray<JsonObject> | undefined => {
  const project = projectIn(rows, projectId)?.["project"]
  const events = isObject(project) ? project["events"] : undefined
  return Array.isArray(events) ? events.filter(isObject) : undefined
}

/** One selected observation or row, and a description of it for messages. */
export interface Item {
  readonly value: JsonObject
  readonly words: string
}

export const answerIn = ({ observed }: Moment, selector: NonNullable<PropertyForm["answers"]>): Item | undefined => {
  const { step, as, do: operation } = selector
  // A request of a visitor to a receiver is answered by the receiver.
  if (observed.kind === "answer" && operation !== undefined && visitorDeliveries.has(operation)) {
    const { actor, body, ofRequest } = observed
    if ((as ?? actor) !== actor || ofRequest?.operation !== operation) return undefined
    return { value: { status: 200, body }, words: `the receiver answered the ${operation} of ${actor}` }
  }
  if (observed.kind !== "response" || observed.lost) return undefined
  const { actor, status, body, ofRequest } = observed
  if ((as ?? actor) !== actor) return undefined
  if (step !== undefined && ofRequest?.id !== step) return undefined
  if (operation !== undefined && ofRequest?.operation !== operation) return undefined
  const error = isObject(body) && typeof body["error"] === "string" ? body["error"] : undefined
  return {
    value: { status, ...(error === undefined ? {} : { error }), ...(body === undefined ? {} : { body }) },
    words: `${actor}'s ${ofRequest?.operation ?? "request"} was answered with ${[status, error].filter((one) => one !== undefined).join(" ")}`
  }
}

/** `project` is the id of the selected project; undefined for any. */
export const callbackIn = (
  { observed }: Moment,
  selector: NonNullable<PropertyForm["callbacks"]>,
  project: string | undefined
): Item | undefined => {
  if (observed.kind !== "received" || observed.receiver !== selector.receiver) return undefined
  const { type, delivery, sequence, time, made, ofProject = "" } = observed
  if ((selector.type ?? type) !== type || (project ?? ofProject) !== ofProject) return undefined
  const value = { type, project: ofProject, delivery, sequence, time }
  return {
    value: made === undefined ? value : { ...value, made },
    words: `${observed.receiver} received ${type}, sequence ${sequence}, for the ${ordinal(time)} time`
  }
}

export const requestIn = ({ observed }: Moment, selector: NonNullable<PropertyForm["requests"]>): Item | undefined => {
  if (observed.kind !== "request" || observed.actor !== selector.as) return undefined
  const { actor, method, path, body, ofSend } = observed
  if (ofSend === undefined || (selector.do ?? ofSend.operation) !== ofSend.operation) return undefined
  const { operation = `${method} ${path}`, ...facts } = ofSend
  return {
    value: {
      method,
      path,
      ...(body === undefined ? {} : { body }),
      ...facts,
      token: hasAgentToken([path, body ?? null])
    },
    words: `${actor} sent ${operation} for the ${ordinal(facts.sends)} time`
  }
}

export const tellIn = ({ observed }: Moment, selector: NonNullable<PropertyForm["tells"]>): Item | undefined => {
  if (observed.kind !== "act" || observed.operation !== "tell" || observed.actor !== selector.as) return undefined
  const input = isObject(observed.input) ? observed.input : {}
  const unauthorized = observed.isUnauthorized === true
  return {
    value: { ...input, token: hasAgentToken(input), unauthorized },
    words: `${observed.actor} told its person something`
  }
}

const ordinal = (count: number): string => {
  const ending = count % 100 > 10 && count % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th")
  return `${count}${ending}`
}
