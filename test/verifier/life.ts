/** What else can happen in an agreement's life: steps that go into the sample's history or after its issuance. */
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
/** Somebody else of each organization. */
export const mia = { ...supplier, id: `person_${uuid(15)}` }
export const dan = { ...buyer, id: `person_${uuid(16)}` }

/** A person, or the agent under one of the grants. */
export type By = Members | Grant
export type Step = readonly [by: By, kind: string, payload: Members]

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

/** The places of the sample's own events. */
export const places = { RESPOND: 1, SUBMIT: 2, REVIEW: 3, SUBMIT_AGAIN: 4, ACCEPT: 5, ISSUE: 6 } as const

/** Steps directly before one of the sample's events. */
export const before = (place: keyof typeof places, ...steps: ReadonlyArray<Step>): Forgery => ({
  history: (events, agents) => {
    const index = places[place]
    const time = events[index - 1]!["occurredAt"]
    events.splice(index, 0, ...steps.map((step) => stepAt(time, events[0]!, agents, step)))
  }
})

export const afterwards = (...steps: ReadonlyArray<Step>): Forgery => ({
  later: (events, agents) => steps.map((step) => stepAt(at(19), events[0]!, agents, step))
})

/** Forgeries one after another; the places of a later one are those of the sample if it comes before the others. */
export const together = (...forgeries: ReadonlyArray<Forgery>): Forgery => ({
  agreement: (value) => forgeries.forEach((one) => void one.agreement?.(value)),
  history: (events, agents) => forgeries.forEach((one) => void one.history?.(events, agents)),
  record: (value) => forgeries.forEach((one) => void one.record?.(value)),
  content: (value) => forgeries.forEach((one) => void one.content?.(value)),
  authority: (event, grant, index) => forgeries.forEach((one) => void one.authority?.(event, grant, index)),
  later: (events, agents) => forgeries.flatMap((one) => one.later?.(events, agents) ?? [])
})

const reason = "It is so"
const onConfirmation = { confirmationId: ids.confirmation, reason }

export const hold = (by: By, purpose: string): Step => [by, "DATE_REVISION", { purpose, reason }]
export const lift = (by: By, purpose: string): Step => [by, "LIFT_HOLD", { purpose, reason }]
export const concern = (by: By): Step => [by, "CONCERN", { ...onConfirmation, kind: "MATERIALS" }]
export const dismiss = (by: By): Step => [by, "RESOLVE_CONCERN", { ...onConfirmation, resolution: "DISMISSED" }]
export const uphold = (by: By): Step => [by, "RESOLVE_CONCERN", { ...onConfirmation, resolution: "UPHELD" }]
export const withdraw = (by: By): Step => [by, "WITHDRAW_CONFIRMATION", onConfirmation]
export const rename = (by: By, supplierActorId: string, previousActorId = ids.supplier): Step => [
  by,
  "CHANGE_REPRESENTATIVE",
  { previousActorId, supplierActorId, reason }
]
export const supersede = (by: By, projectId = ids.successor): Step => [
  by,
  "SUPERSEDE",
  { successor: { projectId, digest: digest("the terms of the successor") }, reason }
]

/** The same step, with members of its payload changed. */
export const altered = ([by, kind, payload]: Step, changes: Members): Step => [by, kind, { ...payload, ...changes }]

/** From that event of the sample on, another person acts for the supplier, without an agent. */
export const suppliedBy = (actor: Members, from: "RESPOND" | "SUBMIT" | "SUBMIT_AGAIN"): Forgery => ({
  history: (events) => {
    const own = [places.RESPOND, places.SUBMIT, places.SUBMIT_AGAIN].filter((place) => place >= places[from])
    for (const place of own) events[place]!["actor"] = actor
  }
})

export const certifying = (supplierActorId: string): Forgery => ({
  record: (record) => void (record["parties"].supplier.actorId = supplierActorId)
})

/** Terms that ask for signatures by dates after everything in the sample. */
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

/** One side signs the agreement, with `changes` to what it signs. */
export const signs = (actor: Members, method: "NATIVE" | "EXTERNAL", changes: Members = {}): Forgery => ({
  history: (events, agents) => {
    const over = events[0]!["payload"].agreementDigest
    const signature = { ...(method === "NATIVE" ? native(actor["id"], over) : external(over)), ...changes }
    const step: Step = [actor, "SIGN", { party: actor["role"], signature }]
    const index = events.findIndex(({ kind }) => kind === "SUBMIT")
    events.splice(index, 0, stepAt(events[index - 1]!["occurredAt"], events[0]!, agents, step))
  }
})

/** The accepting review carries the buyer's signature, by the person who decides. */
export const acceptanceSigned = (method: "NATIVE" | "EXTERNAL", changes: Members = {}): Forgery => ({
  history: (events) => {
    const { payload, actor } = events.findLast(({ kind }) => kind === "REVIEW")! as Members
    const over = payload.confirmationDigest
    payload.signature = { ...(method === "NATIVE" ? native(actor.id, over) : external(over)), ...changes }
  }
})
