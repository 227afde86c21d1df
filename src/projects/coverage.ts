/** Whether the buyer's organization of a project has a result credit: a hint of its view. */
import { Effect } from "effect"
import type { Reader } from "../ports/storage.ts"
import { recentFold } from "./history.ts"
import { RecordIssuance } from "./issuance.ts"

/** For a project that was read lately, together with its other rows; undefined where its buyer is not known yet. */
export const readExpectedCover = Effect.fnUntraced(function* (reader: Reader, projectId: string) {
  const recent = yield* recentFold(projectId)
  return recent === undefined ? undefined : yield* readIsCovered(reader, recent.agreement.buyer.organizationId)
})

export const readIsCovered = (reader: Reader, organizationId: string) =>
  Effect.flatMap(RecordIssuance, (records) => records.isCovered(reader, organizationId))
