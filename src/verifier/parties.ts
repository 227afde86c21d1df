/** Who acted was the party whose move it was, in person where only people move. */
import { allOf, fail, pass, same, type Finding } from "./ledger.ts"
import type { Given } from "./parts.ts"
import type { Agreement, ProjectEvent, Role } from "./shapes.ts"

/** What the events so far say about the parties. */
interface Known {
  readonly sides: Map<string, Role>
  /** Null while nobody is named. */
  representative: string | null
  /** The supplier's organization, from its proposal or its first act on. */
  organizationId: string | null
  isAgreed: boolean
  raisedBy: Role
}

/**
 * Finds the supplier's representative as of the issuance. An agreement that names no supplier is bound by the one
 * acceptance of an invitation; a representative is followed by another one alone whom the supplier's organization named;
 * the buyer's organization stays; and nobody acts on both sides.
 */
export const checkParties = ({
  history,
  agreement: { content: agreement }
}: Given<"history" | "agreement">): Finding<string> => {
  const { buyer, supplier } = agreement
  const known: Known = {
    sides: new Map([[buyer.actorId, "BUYER"]]),
    representative: supplier.actorId,
    organizationId: null,
    isAgreed: false,
    raisedBy: "BUYER"
  }
  let certified: string | null = null
  for (const [index, { content }] of history.entries()) {
    const found = checkParty(content, known, agreement, `events[${index}]`)
    if (!found.ok) return found
    const { actor, kind, payload } = content
    known.sides.set(actor.id, actor.role)
    if (kind === "CREATE") known.organizationId = payload.supplierOrganizationId ?? null
    if (actor.role === "SUPPLIER") known.organizationId = actor.organizationId
    if (kind === "INVITATION_ACCEPTED" || kind === "CHANGE_REPRESENTATIVE") {
      known.representative = payload.supplierActorId
      known.sides.set(payload.supplierActorId, "SUPPLIER")
    }
    if (kind === "RESPOND") known.isAgreed = payload.action === "ACCEPT"
    if (kind === "CONCERN") known.raisedBy = actor.role
    if (kind === "ISSUE") certified = known.representative
  }
  const named = certified ?? known.representative
  return named === null || !known.isAgreed ? fail(code, "", "RESPOND") : pass(named, named)
}

const code = "PARTY_MISMATCH"

const checkParty = (event: ProjectEvent, known: Known, agreement: Agreement, at: string): Finding<null> => {
  const { actor, kind, payload } = event
  const { sides, representative, organizationId } = known
  const side = sideOf(event, known)
  const ownOrganization = side === "BUYER" ? agreement.buyer.organizationId : (organizationId ?? actor.organizationId)
  const person = personFor(event, side, representative, agreement)
  const isInPerson = personal.has(kind) || (kind === "SUPERSEDE" && side === "BUYER") || "signature" in payload
  const found: Array<Finding<null>> = [
    same(code, `${at}.actor.role`, side, actor.role),
    same(code, `${at}.actor.organizationId`, ownOrganization, actor.organizationId),
    same(code, `${at}.actor.id`, person === undefined ? actor.id : person, actor.id),
    same(code, `${at}.actor.id`, side, sides.get(actor.id) ?? side),
    same(code, `${at}.actor.execution`, null, isInPerson ? (actor.execution?.grantId ?? null) : null)
  ]
  if (kind === "INVITATION_ACCEPTED") found.push(same(code, at, null, representative))
  if (kind === "CHANGE_REPRESENTATIVE") {
    const { previousActorId, supplierActorId } = payload
    const isFree = supplierActorId !== representative && sides.get(supplierActorId) !== "BUYER"
    found.push(
      same(code, `${at}.payload.previousActorId`, representative, previousActorId),
      // A revision of agreed terms has the supplier's organization before its first act there.
      agreement.previous === null
        ? same(code, `${at}.actor.organizationId`, organizationId, actor.organizationId)
        : pass(null),
      isFree ? pass(null) : fail(code, `${at}.payload.supplierActorId`, "SOMEBODY_ELSE", supplierActorId)
    )
  }
  return allOf(null, found)
}

/** What no agent does, whatever it was granted, besides signing. */
const personal: ReadonlySet<string> = new Set([
  "INVITATION_ACCEPTED",
  "LIFT_HOLD",
  "RESOLVE_CONCERN",
  "WITHDRAW_CONFIRMATION",
  "CHANGE_REPRESENTATIVE"
])

/** The side whose move it is. */
const sideOf = ({ kind, payload, actor }: ProjectEvent, { isAgreed, raisedBy }: Known): Role => {
  switch (kind) {
    case "CREATE":
    case "REVIEW":
    case "ISSUE":
    case "WITHDRAW_CONFIRMATION":
      return "BUYER"
    case "SIGN":
      return payload.party
    case "DATE_REVISION":
    case "LIFT_HOLD":
    case "CONCERN":
      return actor.role
    case "RESOLVE_CONCERN":
      return payload.resolution === "UPHELD" ? "BUYER" : raisedBy
    case "SUPERSEDE":
      // Agreed terms end when the supplier accepts others; the buyer replaces terms that nobody has agreed on.
      return isAgreed ? "SUPPLIER" : "BUYER"
    default:
      return "SUPPLIER"
  }
}

/** The one person whose move it is; undefined where it is any member's of the organization. */
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
