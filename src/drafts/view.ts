/** Drafts as the wire shows them: to an agent that one is prepared, to people whatever stands in it. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { readNames } from "../people/operations.ts"
import { Installation } from "../ports/installation.ts"
import type { DraftContent } from "./content.ts"
import { finishPath, missingIn } from "./draft.ts"
import type { DraftView, OwnDraft } from "./human-wire.ts"
import type { DraftRow } from "./store.ts"

/** Where a person goes on with it. */
export const prepared = (draftId: string, role: Role) =>
  Effect.map(Installation, ({ siteUrl }) => ({ draftId, humanUrl: `${siteUrl}${finishPath(role, draftId)}` }))

export const viewDraft = (row: DraftRow, content: DraftContent) =>
  Effect.map(factsOf([row]), ([facts]): typeof DraftView.Type => ({
    ...facts!,
    revision: row.revision,
    content,
    missing: missingIn(content, row.role)
  }))

/** As a list shows them. */
export const viewDrafts = (rows: ReadonlyArray<DraftRow>) =>
  Effect.map(factsOf(rows), (drafts) =>
    drafts.map((facts, index): typeof OwnDraft.Type => ({ ...facts, title: rows[index]!.title }))
  )

const factsOf = Effect.fnUntraced(function* (rows: ReadonlyArray<DraftRow>) {
  const { siteUrl } = yield* Installation
  const personIds = [...new Set(rows.map(({ preparedBy }) => preparedBy))]
  const names = yield* readNames(personIds)
  return rows.map(
    ({ draftId, organizationId, role, state, preparedBy, agentName, createdAt, changedAt, outcomeId }) => ({
      draftId,
      organizationId,
      role,
      state,
      preparedBy: { personId: preparedBy, name: names[personIds.indexOf(preparedBy)]!, agentName },
      createdAt,
      changedAt,
      outcomeId,
      humanUrl: `${siteUrl}${finishPath(role, draftId)}`
    })
  )
})
