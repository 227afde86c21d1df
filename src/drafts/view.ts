/** The views of drafts on the wire: for agents without the content, for people with it. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { readNames } from "../people/operations.ts"
import { Installation } from "../ports/installation.ts"
import type { DraftContent } from "./content.ts"
import { finishPath, missingFields } from "./draft.ts"
import type { DraftView, OwnDraft } from "./person-wire.ts"
import type { DraftRow } from "./store.ts"

/** The prepared draft and the page where a person continues it. */
export const viewPreparedDraft = (draftId: string, role: Role) =>
  Effect.map(Installation, ({ siteUrl }) => ({ draftId, humanUrl: `${siteUrl}${finishPath(role, draftId)}` }))

export const viewDraft = (row: DraftRow, content: DraftContent) =>
  Effect.map(readCommonFields([row]), ([fields]): typeof DraftView.Type => ({
    ...fields!,
    revision: row.revision,
    content,
    missing: missingFields(content, row.role)
  }))

/** The list entries of drafts. */
export const viewDrafts = (rows: ReadonlyArray<DraftRow>) =>
  Effect.map(readCommonFields(rows), (drafts) =>
    drafts.map((fields, index): typeof OwnDraft.Type => ({ ...fields, title: rows[index]!.title }))
  )

const readCommonFields = Effect.fnUntraced(function* (rows: ReadonlyArray<DraftRow>) {
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
