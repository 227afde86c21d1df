/** The history: one chain of events on one agreement, in an order in which they could happen. */
import { allOf, fail, pass, same, type Finding } from "./ledger.ts"
import type { Enclosed, Linked } from "./objects.ts"
import type { Agreement, ProjectEvent } from "./shapes.ts"

export type History = ReadonlyArray<Linked<ProjectEvent>>

/** Each event follows the one before it: number, hash, project and time. */
export const checkLink = (
  event: Linked<ProjectEvent>,
  before: Linked<ProjectEvent> | undefined,
  index: number,
  agreement: Enclosed<Agreement>
): Finding<null> => {
  const { content } = event
  return allOf(
    null,
    [
      same("JOURNAL_SEQUENCE", "sequence", index + 1, content.sequence),
      (index === 0) === (content.kind === "CREATE")
        ? pass(null)
        : fail("JOURNAL_GENESIS", { at: "kind", actual: content.kind }),
      same("JOURNAL_PREV", "previous", before?.hash ?? agreement.digest, content.previous),
      same("JOURNAL_TRANSACTION", "projectId", agreement.content.projectId, content.projectId),
      same("JOURNAL_TIME", "issuedAt", content.occurredAt, content.issuedAt),
      before !== undefined && content.occurredAt < before.content.occurredAt
        ? fail("JOURNAL_TIME", { at: "occurredAt", expected: before.content.occurredAt, actual: content.occurredAt })
        : pass(null)
    ],
    { actual: content.previous }
  )
}

/** Every event that names an agreement names this one. */
export const checkAgreementReference = (event: ProjectEvent, agreement: Enclosed<Agreement>): Finding<null> => {
  switch (event.kind) {
    case "CREATE":
    case "RESPOND":
    case "SUBMIT":
    case "REVIEW":
    case "ISSUE":
      return same("AGREEMENT_MISMATCH", "payload.agreementDigest", agreement.digest, event.payload.agreementDigest)
    default:
      return pass(null)
  }
}

/** The agreement has criteria, each named once. */
export const checkCriteria = (agreement: Agreement): Finding<ReadonlyArray<string>> => {
  const ids = agreement.terms.criteria.map((criterion) => criterion.id)
  return ids.length > 0 && new Set(ids).size === ids.length
    ? pass(ids, { actual: ids.length })
    : fail("CRITERIA_NOT_UNIQUE", { at: "terms.criteria", actual: ids.length })
}

type State = "NONE" | "OFFERED" | "LOCKED" | "SUBMITTED" | "CONFIRMED" | "ENDED"

/** The state before and after each event whose meaning is known here; the other kinds leave it as it is. */
const moves: Readonly<Record<string, { readonly from: ReadonlyArray<State>; readonly to: State }>> = {
  CREATE: { from: ["NONE"], to: "OFFERED" },
  "RESPOND ACCEPT": { from: ["OFFERED"], to: "LOCKED" },
  "RESPOND REQUEST_CHANGES": { from: ["OFFERED"], to: "ENDED" },
  "RESPOND DECLINE": { from: ["OFFERED"], to: "ENDED" },
  SUBMIT: { from: ["LOCKED"], to: "SUBMITTED" },
  "REVIEW REQUEST_CHANGES": { from: ["SUBMITTED"], to: "LOCKED" },
  "REVIEW REQUEST_EVIDENCE": { from: ["SUBMITTED"], to: "LOCKED" },
  "REVIEW ACCEPT": { from: ["SUBMITTED"], to: "CONFIRMED" },
  "REVIEW REJECT": { from: ["SUBMITTED"], to: "ENDED" },
  ISSUE: { from: ["CONFIRMED"], to: "CONFIRMED" }
}

/** The events happened in an order that the states allow. */
export const checkMoves = (history: History): Finding<null> => {
  let state: State = "NONE"
  for (const [index, { content: event }] of history.entries()) {
    const move =
      event.kind === "RESPOND" || event.kind === "REVIEW" ? `${event.kind} ${event.payload.action}` : event.kind
    if (!Object.hasOwn(moves, move)) continue
    const { from, to } = moves[move]!
    if (!from.includes(state))
      return fail("JOURNAL_MOVE", { at: `events[${index}]`, expected: from.join(), actual: state })
    state = to
  }
  return pass(null, { actual: state })
}

/**
 * Who acted was the party whose move it was. An agreement that names no supplier is bound by the one acceptance of an
 * invitation; a named representative can change; the buyer's organization cannot.
 */
export const checkParties = (history: History, agreement: Agreement): Finding<string> => {
  const { buyer, supplier } = agreement
  // Null while nobody is named; undefined once a representative was changed for whoever acts next.
  let representative: string | null | undefined = supplier.actorId
  let responder: string | undefined
  for (const [index, { content }] of history.entries()) {
    const at = `events[${index}].actor`
    const { actor } = content
    if (content.kind === "CHANGE_REPRESENTATIVE") representative = undefined
    if (content.kind === "INVITATION_ACCEPTED") {
      const bound = checkInvited(content, representative, buyer.actorId, at)
      if (!bound.ok) return bound
      representative = bound.value
    }
    if (content.kind === "CREATE" && (actor.id !== buyer.actorId || actor.organizationId !== buyer.organizationId)) {
      return fail("PARTY_MISMATCH", { at, expected: buyer.actorId, actual: actor.id })
    }
    if (content.kind === "RESPOND" || content.kind === "SUBMIT") {
      if (actor.role !== "SUPPLIER")
        return fail("PARTY_MISMATCH", { at: `${at}.role`, expected: "SUPPLIER", actual: actor.role })
      if (representative !== undefined && representative !== actor.id) {
        return fail("PARTY_MISMATCH", { at: `${at}.id`, expected: representative, actual: actor.id })
      }
      representative = actor.id
      if (content.kind === "RESPOND" && content.payload.action === "ACCEPT") responder = actor.id
    }
    if (content.kind === "CREATE" || content.kind === "REVIEW" || content.kind === "ISSUE") {
      if (actor.role !== "BUYER" || actor.organizationId !== buyer.organizationId) {
        return fail("PARTY_MISMATCH", { at, expected: buyer.organizationId, actual: actor.organizationId })
      }
    }
  }
  return responder === undefined
    ? fail("PARTY_MISMATCH", { expected: "RESPOND" })
    : pass(responder, { actual: responder })
}

/** A person, no agent, who takes the open place of the supplier in their own name. */
const checkInvited = (
  { actor, payload }: Extract<ProjectEvent, { readonly kind: "INVITATION_ACCEPTED" }>,
  representative: string | null | undefined,
  buyerActorId: string,
  at: string
): Finding<string> =>
  allOf(payload.supplierActorId, [
    representative === null ? pass(null) : fail("PARTY_MISMATCH", { at, expected: representative ?? null }),
    same("PARTY_MISMATCH", `${at}.role`, "SUPPLIER", actor.role),
    same("PARTY_MISMATCH", `${at}.id`, payload.supplierActorId, actor.id),
    same("PARTY_MISMATCH", `${at}.execution`, null, actor.execution === null ? null : actor.execution.grantId),
    actor.id === buyerActorId ? fail("PARTY_MISMATCH", { at: `${at}.id`, actual: actor.id }) : pass(null)
  ])
