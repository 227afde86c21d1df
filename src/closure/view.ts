/** A history reference as its buyer sees it; the link is part of no view. */
import type { Effect } from "effect"
import type { recordHistoryReference } from "./refer.ts"

export const viewHistoryReference = ({
  reference: { referenceId, digest, madeAt },
  replayed
}: Effect.Success<ReturnType<typeof recordHistoryReference>>) => ({
  referenceId,
  digest,
  madeAt,
  ...(replayed ? { replayed } : {})
})
