/**
 * Revised terms as a new project. Terms that are not agreed are replaced at once; agreed ones stay in force until the
 * supplier accepts the revision (decisions, "Agreement and project").
 */
import { Effect } from "effect"
import type { Transaction } from "../ports/storage.ts"
import type { IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import type { LegalDocument } from "./terms.ts"
import type { StoredProject } from "./history.ts"
import { currentDocuments } from "./legal.ts"
import { areSignersKnown, checkInput, insertProject, type CreateInput } from "./new-project.ts"
import { recordSide } from "./side-exclusivity.ts"
import type { ActorOnProject } from "./caller.ts"
import { canMove } from "./moves.ts"
import type { Decision } from "./requirements.ts"
import { Projects } from "./store.ts"
import { supersede } from "./supersede.ts"
import { traced } from "../vocabulary/traced.ts"

/** Read before the transaction: the new project's id and the facts for checking its terms. */
export interface RevisionPlan {
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
  } satisfies RevisionPlan
})

interface RevisionContext {
  readonly stored: StoredProject
  /** The other versions locked with it. */
  readonly related: ReadonlyArray<StoredProject>
  readonly actorOnProject: ActorOnProject
  readonly request: IdempotentRequest
  readonly plan: RevisionPlan
  readonly at: Instant
}

/** Creates the new project, and supersedes the old one if its terms were not agreed. */
export const applyRevision = traced("projects.applyRevision")(function* (
  transaction: Transaction,
  { stored, related, actorOnProject, request, plan, at }: RevisionContext,
  { move, terms, reason }: Extract<Decision, { readonly revision: unknown }>["revision"]
) {
  const { projectId, ...facts } = plan
  const { actor } = actorOnProject
  const superseded = agreedTerms(stored, related)
  if (superseded !== undefined && superseded.project.supplier.actorId !== terms.supplierActorId) {
    // Only the supplier who agreed on terms can end them.
    return yield* refuse("UNKNOWN_SUPPLIER", {
      detail: "A revision of agreed terms must name their supplier in supplierActorId."
    })
  }
  const buyer = { personId: actor.id, organizationId: actor.organizationId, tenantId: stored.row.tenantId }
  yield* checkInput(transaction, terms, buyer, { ...facts, now: at })
  const revised = { project: stored.project, superseded }
  const created = yield* insertProject(transaction, { projectId, input: terms, buyer, actor, revised, now: at })
  yield* recordSide(transaction, { projectId, personId: actor.id, side: "BUYER" })
  if (superseded !== undefined) {
    yield* transaction.update(Projects, [superseded.row.projectId], { revisionProjectId: projectId })
  }
  if (move === "REPLACE_TERMS") {
    const { requestId } = request
    yield* supersede(transaction, stored, { successor: created, reason, requestId, actor, now: at })
  }
  return created
})

/** The agreed project that these terms would supersede: this one, or the one that this project revises. */
const agreedTerms = (stored: StoredProject, related: ReadonlyArray<StoredProject>): StoredProject | undefined =>
  [stored, ...related].find(
    ({ row, project }) =>
      (row.projectId === stored.row.projectId || row.projectId === stored.row.supersedesProjectId) &&
      canMove(project.state, "SUPERSEDE")
  )
