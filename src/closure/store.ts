/** The table of history references. */
import { instant, table, text, type RowOf } from "../ports/table.ts"

/**
 * The history reference of a next agreement, with the link that was signed with it. The link names the original project and
 * is shown in closures only.
 */
export const HistoryReferences = table("history_references", {
  columns: {
    projectId: text(),
    referenceId: text(),
    /** The digest of the reference's payload. */
    digest: text(),
    /** The reference and the link as compact JWS. */
    reference: text(),
    link: text(),
    madeAt: instant
  },
  key: ["projectId"],
  guard: { lock: "project", by: "projectId" },
  provesCommit: true
})
export type HistoryReferenceRow = RowOf<typeof HistoryReferences>
