/**
 * Revised terms as a new project. Terms that nobody agreed on are replaced at once; agreed ones hold until the supplier
 * accepts the revision (decisions, "Agreement and project").
 */
import { Effect } from "effect"
import type { Transaction } from "../ports/storage.ts"
import type { Request } from "../replay/replay.ts"
import { idSeed } from "../vocabulary/ids.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import type { LegalDocument } from "./agreement.ts"
import type { Stored } from "./history.ts"
import { currentDocuments } from "./legal.ts"
import { areSignersKnown, checkInput, insertProject, type CreateInput } from "./new-project.ts"
import { takeSide } from "./one-side.ts"
import type { Entered } from "./principal.ts"
import { canMove } from "./project.ts"
import type { Decision } from "./requirements.ts"
import { Projects } from "./store.ts"
import { supersede } from "./supersede.ts"

/** What is known before the transaction: the new project's id, and what its terms are checked against. */
export interface PlannedRevision {
  readonly projectId: string
  readonly documents: ReadonlyArray<LegalDocument>
  readonly areSignersKnown: boolean
}

export const planRevision = Effect.fnUntraced(function* (terms: CreateInput, organizationId: string) {
  const ids = yield* idSeed
  return {
    projectId: ids("plan").next("delivery"),
    documents: yield* currentDocuments,
    areSignersKnown: yield* areSignersKnown(terms, organizationId)
  } satisfies PlannedRevision
})

interface Revising {
  readonly stored: Stored
  /** The other versions that are locked with it. */
  readonly related: ReadonlyArray<Stored>
  readonly entered: Entered
  readonly request: Request
  readonly planned: PlannedRevision
  readonly at: Instant
}

/** Makes the new project, and ends the old one where nobody had agreed on its terms. */
export const applyRevision = Effect.fn("projects.applyRevision")(function* (
  transaction: Transaction,
  { stored, related, entered, request, planned, at }: Revising,
  { move, terms, reason }: Extract<Decision, { readonly revision: unknown }>["revision"]
) {
  const { projectId, ...facts } = planned
  const { actor } = entered
  const superseded = agreedTerms(stored, related)
  if (superseded !== undefined && superseded.project.supplier.actorId !== terms.supplierActorId) {
    // Nobody else can end what a supplier has agreed on.
    return yield* refuse("UNKNOWN_SUPPLIER", { detail: "A revision of agreed terms names their supplier." })
  }
  const buyer = { personId: actor.id, organizationId: actor.organizationId, tenantId: stored.row.tenantId }
  yield* checkInput(transaction, terms, buyer, { ...facts, now: at })
  const revised = { project: stored.project, superseded }
  const made = yield* insertProject(transaction, { projectId, input: terms, buyer, actor, revised, now: at })
  yield* takeSide(transaction, { projectId, personId: actor.id, side: "BUYER" })
  if (superseded !== undefined) {
    yield* transaction.update(Projects, [superseded.row.projectId], { revisionProjectId: projectId })
  }
  if (move === "REPLACE_TERMS") {
    const { requestId } = request
    yield* supersede(transaction, stored, { successor: made, reason, requestId, actor, now: at })
  }
  return made
})

/** The agreed project that these terms would supersede: this one, or the one that this revision was made of. */
const agreedTerms = (stored: Stored, related: ReadonlyArray<Stored>): Stored | undefined =>
  [stored, ...related].find(
    ({ row, project }) =>
      (row.projectId === stored.row.projectId || row.projectId === stored.row.supersedesProjectId) &&
      canMove(project.state, "SUPERSEDE")
  )
