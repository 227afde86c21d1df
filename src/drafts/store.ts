/** The tables of drafts. */
import type { Role } from "../access/actions.ts"
import { instant, integer, json, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { DraftContent } from "./content.ts"
import type { DraftState } from "./draft.ts"

export const Drafts = table("drafts", {
  columns: {
    draftId: text(),
    tenantId: text(),
    organizationId: text(),
    role: text<Role>(),
    /** For lists, which do not read the content. */
    title: nullable(text()),
    /** Incremented by each saved change. */
    revision: integer,
    state: text<DraftState>(),
    /** The person who prepared it, or for whom the agent acted. */
    preparedBy: text(),
    grantId: nullable(text()),
    agentName: nullable(text()),
    /** The agreement or the proposal that it became. */
    outcomeId: nullable(text()),
    createdAt: instant,
    changedAt: instant
  },
  key: ["draftId"],
  guard: { lock: "draft", by: "draftId" },
  ordered: { bySide: ["organizationId", "role", "createdAt", "draftId"] }
})

/** The contents of drafts, which can be as large as a request body. */
export const DraftContents = table("draft_contents", {
  columns: { draftId: text(), content: json<DraftContent>() },
  key: ["draftId"],
  guard: { lock: "draft", by: "draftId" }
})

export type DraftRow = RowOf<typeof Drafts>
