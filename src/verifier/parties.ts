/** Checks of the actors: each event is by the party whose move it is, and by a person where agents are excluded. */
import { allOf, fail, pass, same, type Finding } from "./ledger.ts"
import type { CheckInputs } from "./check-inputs.ts"
import { moveOf } from "./moves.ts"
import type { Agreement, ProjectEvent, Role } from "./schemas.ts"

/** The parties as of the events so far. */
interface PartyState {
  readonly sides: Map<string, Role>
  /** Null until an event names one. */
  representative: string | null
  /** The supplier's organization, known from its proposal or its first event. */
  organizationId: string | null
  isAgreed: boolean
  raisedBy: Role
}

/**
 * Returns the supplier's representative as of the issuance. An agreement without a named supplier gets one by a single
 * accepted invitation; only the supplier's organization changes the representative; the buyer's organization does not
 * change; and no person acts for both sides.
 */
export const checkParties = ({
  history,
  agreement: { content: agreement }
}: CheckInputs<"history" | "agreement">): Finding<string> => {
  const { buyer, supplier } = agreement
  const state: PartyState = {
    sides: new Map([[buyer.actorId, "BUYER"]]),
    representative: supplier.actorId,
    organizationId: null,
    isAgreed: false,
    raisedBy: "BUYER"
  }
  let atIssuance: string | null = null
  for (const [index, { content }] of history.entries()) {
    const finding = checkParty(content, state, agreement, `events[${index}]`)
    if (!finding.ok) return finding
    const { actor, kind, payload } = content
    state.sides.set(actor.id, actor.role)
    if (kind === "CREATE") state.organizationId = payload.supplierOrganizationId ?? null
    if (actor.role === "SUPPLIER") state.organizationId = actor.organizationId
    if (kind === "INVITATION_ACCEPTED" || kind === "CHANGE_REPRESENTATIVE") {
      state.representative = payload.supplierActorId
      state.sides.set(payload.supplierActorId, "SUPPLIER")
    }
    if (kind === "RESPOND") state.isAgreed = payload.action === "ACCEPT"
    if (kind === "CONCERN") state.raisedBy = actor.role
    if (kind === "ISSUE") atIssuance = state.representative
  }
  const named = atIssuance ?? state.representative
  return named === null || !state.isAgreed ? fail(code, "", "RESPOND") : pass(named, named)
}

const code = "PARTY_MISMATCH"

const checkParty = (event: ProjectEvent, state: PartyState, agreement: Agreement, at: string): Finding<null> => {
  const { actor, kind, payload } = event
  const { sides, representative, organizationId } = state
  const side = sideOf(event, state)
  const ownOrganization = side === "BUYER" ? agreement.buyer.organizationId : (organizationId ?? actor.organizationId)
  const person = personFor(event, side, representative, agreement)
  const mustBePerson =
    moveOf(event).isPersonOnly === true || (kind === "SUPERSEDE" && side === "BUYER") || "signature" in payload
  const findings: Array<Finding<null>> = [
    same(code, `${at}.actor.role`, side, actor.role),
    same(code, `${at}.actor.organizationId`, ownOrganization, actor.organizationId),
    same(code, `${at}.actor.id`, person === undefined ? actor.id : person, actor.id),
    same(code, `${at}.actor.id`, side, sides.get(actor.id) ?? side),
    same(code, `${at}.actor.execution`, null, mustBePerson ? (actor.execution?.grantId ?? null) : null)
  ]
  if (kind === "INVITATION_ACCEPTED") findings.push(same(code, at, null, representative))
  if (kind === "CHANGE_REPRESENTATIVE") {
    const { previousActorId, supplierActorId } = payload
    const isFree = supplierActorId !== representative && sides.get(supplierActorId) !== "BUYER"
    findings.push(
      same(code, `${at}.payload.previousActorId`, representative, previousActorId),
      // In a revision of agreed terms, the supplier's organization is known before its first event.
      agreement.previous === null
        ? same(code, `${at}.actor.organizationId`, organizationId, actor.organizationId)
        : pass(null),
      isFree ? pass(null) : fail(code, `${at}.payload.supplierActorId`, "SOMEBODY_ELSE", supplierActorId)
    )
  }
  return allOf(null, findings)
}

/** The side whose move it is. */
const sideOf = (event: ProjectEvent, { isAgreed, raisedBy }: PartyState): Role => {
  const { by } = moveOf(event)
  switch (by) {
    case "EITHER":
      return event.actor.role
    case "SIGNER":
      return event.kind === "SIGN" ? event.payload.party : event.actor.role
    case "RAISER":
      return raisedBy
    case "REPLACER":
      return isAgreed ? "SUPPLIER" : "BUYER"
    default:
      return by
  }
}

/** The only person who may make this move; undefined where any member of the organization may. */
const personFor = (
  { kind, payload }: ProjectEvent,
  side: Role,
  representative: string | null,
  { buyer, terms: { signing } }: Agreement
): string | null | undefined => {
  if (kind === "CREATE") return buyer.actorId
  if (kind === "INVITATION_ACCEPTED") return payload.supplierActorId
  if (kind === "CHANGE_REPRESENTATIVE") return undefined
  const signsHere = "signature" in payload && payload.signature?.method === "NATIVE"
  if (side === "BUYER") return signsHere ? signing?.principal : undefined
  return (signsHere ? signing?.counterparty : undefined) ?? representative
}
