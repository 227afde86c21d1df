/** The use case of agents on drafts. */
import { Caller } from "../access/authorize.ts"
import { inView } from "../ports/storage/run.ts"
import type { IdempotentRequest } from "../replay/idempotency.ts"
import { prepareDraft as prepare, type PrepareInput } from "./create.ts"
import { Drafts } from "./store.ts"
import { viewPreparedDraft } from "./view.ts"
import { traced } from "../vocabulary/traced.ts"

/** Prepares a draft; a replay returns the draft of the first request in its current state. */
export const prepareDraft = traced("drafts.prepareAndView")(function* (
  request: IdempotentRequest,
  input: PrepareInput
) {
  const by = yield* Caller
  const { draftId, role, replayed } = yield* prepare(by, request, input)
  const view = yield* viewPreparedDraft(draftId, role)
  if (!replayed) return { ...view, state: "DRAFT" as const }
  const stored = yield* inView((reader) => reader.get(Drafts, [draftId]))
  return { ...view, state: stored!.state, replayed: true }
})
