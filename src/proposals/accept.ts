/** A buyer accepts: one transaction makes the final agreement and links it to the grants that hold the proposal. */
import { Effect } from "effect"
import { hasRoomForProject, linkProject, saveScope } from "../access/grant.ts"
import { readLockedGrant } from "../access/operations.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import { readTogether } from "../ports/storage/run.ts"
import { checkInput, insertProject } from "../projects/new-project.ts"
import { recordSide as recordProjectSide } from "../projects/side-exclusivity.ts"
import { moveProposal, versionPayload } from "./change.ts"
import type { CommandContext } from "./command-context.ts"
import type { AnswerInput } from "./input.ts"
import { refuseUnknownSupplier, requireSubjectRequirements } from "./offer.ts"
import { recordProposalSide } from "./side-exclusivity.ts"
import { acceptanceHolders, sideOfProposal } from "./proposal.ts"
import { ProposalSides } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

export const acceptProposal = traced("proposals.accept")(function* (
  context: CommandContext,
  input: typeof AnswerInput.Type
) {
  const { transaction, stored, authority, by, request, plan, at } = context
  const { document, digest } = stored.current
  const { action, reason, confirmationDigest } = input
  const { projectId, isSupplierKnown, ...facts } = plan.acceptance!
  const { personId, organizationId, tenantId } = authority
  const buyer = { personId, organizationId, tenantId }
  if (!isSupplierKnown) return yield* refuseUnknownSupplier
  // The terms must include the requirements of the buyer's grant.
  yield* requireSubjectRequirements(document.terms, authority.subjectRequirements)
  const creation = {
    ...document.terms,
    requestId: request.requestId,
    ...(confirmationDigest === undefined ? {} : { confirmationDigest })
  }
  yield* checkInput(transaction, creation, buyer, { ...facts, now: at })
  const sides = yield* readSides(context)
  const acceptingGrant = yield* linkHolders(context, sides, projectId)
  const agreement = yield* insertProject(transaction, {
    projectId,
    input: creation,
    buyer,
    actor: authority.actorAs(by, acceptingGrant),
    revised: null,
    proposed: { proposalDigest: digest, supplierOrganizationId: document.supplier.organizationId },
    now: at
  })
  yield* recordProposalSide(context)
  yield* recordSupplierSides(context, sides, projectId)
  const payload = {
    ...versionPayload(stored.current),
    action,
    reason,
    ...(confirmationDigest === undefined ? {} : { confirmationDigest }),
    agreement: { projectId, digest: agreement.row.agreementDigest }
  }
  const contextAfterLink = { ...context, authority: { ...authority, grant: acceptingGrant } }
  const changes = { projectId, buyerOrganizationId: organizationId }
  const accepted = yield* moveProposal(contextAfterLink, "ACCEPT", { kind: "RESPOND", payload }, changes)
  return { stored: accepted, agreement }
})

/** The recorded side of each person and organization on the proposal. */
const readSides = Effect.fnUntraced(function* ({ transaction, stored }: CommandContext) {
  const rows = yield* rangeAll(transaction, ProposalSides, "byProposal", { prefix: [stored.row.proposalId] })
  return new Map(rows.map(({ party, role }) => [party, role]))
})

type RecordedSides = Effect.Success<ReturnType<typeof readSides>>

/**
 * Links the agreement to each active grant that holds the proposal and acts for its side there, and to no other. Ended
 * and full grants are skipped; only the accepting grant must have room. Returns the accepting grant.
 */
const linkHolders = Effect.fnUntraced(function* (
  { transaction, stored, authority, ids, at }: CommandContext,
  sides: RecordedSides,
  projectId: string
) {
  // The acceptance fixes the buyer's organization.
  const accepted = { ...stored.row, buyerOrganizationId: authority.organizationId }
  const grants = yield* readTogether(
    acceptanceHolders(stored.row).map(({ grantId }) => readLockedGrant(transaction, grantId))
  )
  let acceptingGrant = authority.grant
  for (const grant of grants) {
    if (grant === undefined) continue
    const isAcceptingGrant = grant.grantId === authority.grant?.grantId
    const isOnItsSide = sideOfProposal(accepted, grant, sides.get(grant.personId)) === grant.role
    if (!isAcceptingGrant && !(isOnItsSide && hasRoomForProject(grant, at))) continue
    const scope = yield* linkProject(transaction, grant, projectId, ids.secret(), at)
    yield* saveScope(transaction, grant.grantId, scope)
    if (isAcceptingGrant) acceptingGrant = { ...grant, ...scope }
  }
  return acceptingGrant
})

/** Persons who acted for the author are on the supplier's side of the agreement too, and never on the buyer's. */
const recordSupplierSides = Effect.fnUntraced(function* (
  { transaction, stored }: CommandContext,
  sides: RecordedSides,
  projectId: string
) {
  for (const [party, side] of sides) {
    if (side !== "SUPPLIER" || party === stored.row.organizationId) continue
    yield* recordProjectSide(transaction, { projectId, personId: party, side })
  }
})
