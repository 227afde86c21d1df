/** Further events of a project: steps that a test inserts into the sample's history or appends after its issuance. */
import type { Agents, Grant } from "./sample-authority.ts"
import { ids, salt } from "./sample-ids.ts"
import type { Forgery } from "./sample.ts"
import { at, digest, type Members, uuid } from "./signing.ts"

export const buyer = { id: ids.buyer, organizationId: ids.buyerOrganization, role: "BUYER", execution: null }
export const supplier = {
  id: ids.supplier,
  organizationId: ids.supplierOrganization,
  role: "SUPPLIER",
  execution: null
}
/** Another person of each organization. */
export const mia = { ...supplier, id: `person_${uuid(15)}` }
export const dan = { ...buyer, id: `person_${uuid(16)}` }

/** A person, or the agent under one of the grants. */
export type StepActor = Members | Grant
export type Step = readonly [by: StepActor, kind: string, payload: Members]

export const stepAt = (time: string, created: Members, agents: Agents, [by, kind, payload]: Step): Members => ({
  schema: "service.project-event/v1",
  projectId: ids.project,
  kind,
  requestId: uuid(70),
  actor: typeof by === "string" ? agents[by as Grant] : by,
  payload: { agreementDigest: created["payload"].agreementDigest, ...payload },
  occurredAt: time,
  issuedAt: time
})

/** The indexes of the sample's own events. */
export const places = { RESPOND: 1, SUBMIT: 2, REVIEW: 3, SUBMIT_AGAIN: 4, ACCEPT: 5, ISSUE: 6 } as const

/** Steps directly before one of the sample's events. */
export const before = (place: keyof typeof places, ...steps: ReadonlyArray<Step>): Forgery => ({
  history: (events, agents) => {
    const index = places[place]
    const time = events[index - 1]!["occurredAt"]
    events.splice(index, 0, ...steps.map((step) => stepAt(time, events[0]!, agents, step)))
  }
})

export const afterIssuance = (...steps: ReadonlyArray<Step>): Forgery => ({
  later: (events, agents) => steps.map((step) => stepAt(at(19), events[0]!, agents, step))
})

/** Applies forgeries in order; each one sees the indexes that the ones before it left. */
export const composeForgeries = (...forgeries: ReadonlyArray<Forgery>): Forgery => ({
  agreement: (value) => forgeries.forEach((one) => void one.agreement?.(value)),
  history: (events, agents) => forgeries.forEach((one) => void one.history?.(events, agents)),
  record: (value) => forgeries.forEach((one) => void one.record?.(value)),
  content: (value) => forgeries.forEach((one) => void one.content?.(value)),
  authority: (event, grant, index) => forgeries.forEach((one) => void one.authority?.(event, grant, index)),
  later: (events, agents) => forgeries.flatMap((one) => one.later?.(events, agents) ?? [])
})

const reason = "It is so"
const onConfirmation = { confirmationId: ids.confirmation, reason }

export const hold = (by: StepActor, purpose: string): Step => [by, "DATE_REVISION", { purpose, reason }]
export const lift = (by: StepActor, purpose: string): Step => [by, "LIFT_HOLD", { purpose, reason }]
export const concern = (by: StepActor): Step => [by, "CONCERN", { ...onConfirmation, kind: "MATERIALS" }]
export const dismiss = (by: StepActor): Step => [by, "RESOLVE_CONCERN", { ...onConfirmation, resolution: "DISMISSED" }]
export const uphold = (by: StepActor): Step => [by, "RESOLVE_CONCERN", { ...onConfirmation, resolution: "UPHELD" }]
export const withdraw = (by: StepActor): Step => [by, "WITHDRAW_CONFIRMATION", onConfirmation]
export const rename = (by: StepActor, supplierActorId: string, previousActorId = ids.supplier): Step => [
  by,
  "CHANGE_REPRESENTATIVE",
  { previousActorId, supplierActorId, reason }
]
export const supersede = (by: StepActor, projectId = ids.successor): Step => [
  by,
  "SUPERSEDE",
  { successor: { projectId, digest: digest("the terms of the successor") }, reason }
]

/** The same step, with members of its payload changed. */
export const withPayload = ([by, kind, payload]: Step, changes: Members): Step => [by, kind, { ...payload, ...changes }]

/** From this event of the sample on, another person acts for the supplier, without an agent. */
export const suppliedBy = (actor: Members, from: "RESPOND" | "SUBMIT" | "SUBMIT_AGAIN"): Forgery => ({
  history: (events) => {
    const own = [places.RESPOND, places.SUBMIT, places.SUBMIT_AGAIN].filter((place) => place >= places[from])
    for (const place of own) events[place]!["actor"] = actor
  }
})

export const recordNaming = (supplierActorId: string): Forgery => ({
  record: (record) => void (record["parties"].supplier.actorId = supplierActorId)
})

/** Terms that require signatures, with dates after every event of the sample. */
export const signing = (method: "NATIVE" | "EXTERNAL", changes: Members = {}): Forgery => ({
  agreement: ({ terms }) => {
    const dates = { agreementSignBy: at(40), acceptanceSignBy: at(45) }
    terms.signing = { enabled: true, method, principal: ids.buyer, ...dates, ...changes }
  }
})

export const native = (personId: string, over: string): Members => ({
  method: "NATIVE",
  personId,
  digest: over,
  statement: "I sign"
})

export const external = (over: string, signedAt: string = at(5)): Members => ({
  method: "EXTERNAL",
  digest: over,
  evidence: { provider: "Sign & Co", reference: "S-1", fileName: "signed.pdf", sha256: salt(9), signedAt },
  label: "RECORDED_NOT_VERIFIED"
})

/** One side signs the agreement, with `changes` to its signature. */
export const signs = (actor: Members, method: "NATIVE" | "EXTERNAL", changes: Members = {}): Forgery => ({
  history: (events, agents) => {
    const over = events[0]!["payload"].agreementDigest
    const signature = { ...(method === "NATIVE" ? native(actor["id"], over) : external(over)), ...changes }
    const step: Step = [actor, "SIGN", { party: actor["role"], signature }]
    const index = events.findIndex(({ kind }) => kind === "SUBMIT")
    events.splice(index, 0, stepAt(events[index - 1]!["occurredAt"], events[0]!, agents, step))
  }
})

/** The accepting review carries the buyer's signature, by its actor. */
export const acceptanceSigned = (method: "NATIVE" | "EXTERNAL", changes: Members = {}): Forgery => ({
  history: (events) => {
    const { payload, actor } = events.findLast(({ kind }) => kind === "REVIEW")! as Members
    const over = payload.confirmationDigest
    payload.signature = { ...(method === "NATIVE" ? native(actor.id, over) : external(over)), ...changes }
  }
})
