/** A buyer accepts: the final agreement is made, and whoever held the proposal reaches it, in one transaction. */
import { Effect } from "effect"
import { canTakeProject, linkProject, saveScope } from "../access/grant.ts"
import { readHeldGrant } from "../access/operations.ts"
import { rangeAll } from "../ports/range-all.ts"
import { checkInput, insertProject } from "../projects/new-project.ts"
import { takeSide as takeProjectSide } from "../projects/one-side.ts"
import { moveProposal, named } from "./change.ts"
import type { Doing } from "./doing.ts"
import type { AnswerInput } from "./decide.ts"
import { refuseSupplier, requireCarried } from "./offer.ts"
import { takeSide } from "./one-side.ts"
import { acceptanceHolders, sideOfProposal } from "./proposal.ts"
import { ProposalSides } from "./store.ts"

export const acceptProposal = Effect.fn("proposals.accept")(function* (doing: Doing, input: AnswerInput) {
  const { transaction, stored, standing, by, request, planned, at } = doing
  const { document, digest } = stored.current
  const { action, reason, confirmationDigest } = input
  const { projectId, isSupplierKnown, ...facts } = planned.acceptance!
  const { personId, organizationId, tenantId } = standing
  const buyer = { personId, organizationId, tenantId }
  if (!isSupplierKnown) return yield* refuseSupplier
  // What binds everything made under the buyer's grant stands in the terms, beside what the supplier asked for.
  yield* requireCarried(document.terms, standing.subjectRequirements)
  const creation = {
    ...document.terms,
    requestId: request.requestId,
    ...(confirmationDigest === undefined ? {} : { confirmationDigest })
  }
  yield* checkInput(transaction, creation, buyer, { ...facts, now: at })
  const sides = yield* readSides(doing)
  const accepting = yield* linkHolders(doing, sides, projectId)
  const agreement = yield* insertProject(transaction, {
    projectId,
    input: creation,
    buyer,
    actor: standing.actorAs(by, accepting),
    revised: null,
    proposed: { proposalDigest: digest, supplierOrganizationId: document.supplier.organizationId },
    now: at
  })
  yield* takeSide(doing)
  yield* keepSides(doing, sides, projectId)
  const payload = {
    ...named(stored.current),
    action,
    reason,
    ...(confirmationDigest === undefined ? {} : { confirmationDigest }),
    agreement: { projectId, digest: agreement.row.agreementDigest }
  }
  const asAccepting = { ...doing, standing: { ...standing, grant: accepting } }
  const changes = { projectId, buyerOrganizationId: organizationId }
  const accepted = yield* moveProposal(asAccepting, "ACCEPT", { kind: "RESPOND", payload }, changes)
  return { stored: accepted, agreement }
})

/** The side that each person and organization has on the proposal. */
const readSides = Effect.fnUntraced(function* ({ transaction, stored }: Doing) {
  const rows = yield* rangeAll(transaction, ProposalSides, "byProposal", { prefix: [stored.row.proposalId] })
  return new Map(rows.map(({ party, role }) => [party, role]))
})

type SidesTaken = Effect.Success<ReturnType<typeof readSides>>

/**
 * Puts the agreement into the scope of each active grant that holds the proposal and stands on its side there, and of no
 * other. Whose is full or has ended is passed over; only the grant that accepts must have room. Answers with that one.
 */
const linkHolders = Effect.fnUntraced(function* (
  { transaction, stored, standing, ids, at }: Doing,
  sides: SidesTaken,
  projectId: string
) {
  // Who accepts is the buyer with this organization from here on.
  const accepted = { ...stored.row, buyerOrganizationId: standing.organizationId }
  const grants = yield* Effect.forEach(
    acceptanceHolders(stored.row),
    ({ grantId }) => readHeldGrant(transaction, grantId),
    { concurrency: "unbounded" }
  )
  let accepting = standing.grant
  for (const grant of grants) {
    if (grant === undefined) continue
    const isAccepting = grant.grantId === standing.grant?.grantId
    const stands = sideOfProposal(accepted, grant, sides.get(grant.personId)) === grant.role
    if (!isAccepting && !(stands && canTakeProject(grant, at))) continue
    const scope = yield* linkProject(transaction, grant, projectId, ids.secret(), at)
    yield* saveScope(transaction, grant.grantId, scope)
    if (isAccepting) accepting = { ...grant, ...scope }
  }
  return accepting
})

/** Whoever acted for the author stands for the supplier of the agreement too, and never for its buyer. */
const keepSides = Effect.fnUntraced(function* ({ transaction, stored }: Doing, sides: SidesTaken, projectId: string) {
  for (const [party, side] of sides) {
    if (side !== "SUPPLIER" || party === stored.row.organizationId) continue
    yield* takeProjectSide(transaction, { projectId, personId: party, side })
  }
})
