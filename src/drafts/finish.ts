/** Commits a draft as an agreement or a proposal: outcome and mark in one transaction. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import type { ActingPerson } from "../people/acting-person.ts"
import type { CreateInput } from "../projects/new-project.ts"
import { createProjectAsPerson } from "../projects/person-operations.ts"
import { exclusive } from "../ports/storage.ts"
import type { TransactionHook } from "../replay/transaction-hook.ts"
import type { IdempotentRequest } from "../replay/idempotency.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { findDraft } from "./draft-authorization.ts"
import { Drafts } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

export interface DraftCompletion {
  readonly draftId: string
  /** The revision that the person read. */
  readonly revision: number
  /** The organization and side of the outcome; the draft must belong to both. */
  readonly organizationId: string
  readonly role: Role
}

/** Marks the draft with its outcome. The operation that makes the outcome checks the authority. */
export const completionHook = ({
  draftId,
  revision,
  organizationId,
  role
}: DraftCompletion): TransactionHook<"FORBIDDEN" | "DRAFT_CHANGED"> => ({
  locks: [exclusive("draft", draftId)],
  commit: (transaction, outcomeId, now) =>
    Effect.gen(function* () {
      const row = yield* transaction.get(Drafts, [draftId])
      if (row === undefined || row.organizationId !== organizationId || row.role !== role) {
        return yield* refuse("FORBIDDEN", { detail: "The draft belongs to another organization or side." })
      }
      if (row.state !== "DRAFT" || row.revision !== revision) return yield* refuse("DRAFT_CHANGED")
      const changes = { state: "COMMITTED", outcomeId, revision: revision + 1, changedAt: now } as const
      yield* transaction.update(Drafts, [draftId], changes)
    })
})

/** Commits a buyer's draft as an agreement, on the terms that the person read. */
export const commitDraft = traced("drafts.commit")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  { draftId, revision, ...input }: CreateInput & Pick<DraftCompletion, "draftId" | "revision">
) {
  const { organizationId } = (yield* findDraft(by, draftId)).row
  const hook = completionHook({ draftId, revision, organizationId, role: "BUYER" })
  return yield* createProjectAsPerson(by, request, { organizationId, ...input }, hook)
})
