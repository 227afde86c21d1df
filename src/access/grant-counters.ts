/** Counters of a grant's stored resources, across its renewals. */
import type { Transaction } from "../ports/storage.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { Grants } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** Counts one job, under the exclusive lock of the grant, and returns its number from 1. */
export const countJob = traced("access.countJob")(function* (transaction: Transaction, grantId: string) {
  const grant = yield* transaction.get(Grants, [grantId])
  const saved = grant?.jobCount ?? 0
  if (saved >= limits.jobsPerGrant) return yield* refuse("SAVED_JOB_LIMIT")
  yield* transaction.update(Grants, [grantId], { jobCount: saved + 1 })
  return saved + 1
})

/** Counts one draft, under the exclusive lock of the grant. */
export const countDraft = traced("access.countDraft")(function* (transaction: Transaction, grantId: string) {
  const grant = yield* transaction.get(Grants, [grantId])
  const prepared = grant?.draftCount ?? 0
  if (prepared >= limits.draftsPerGrant) return yield* refuse("DRAFT_LIMIT")
  yield* transaction.update(Grants, [grantId], { draftCount: prepared + 1 })
})
