/** Inserts a new draft of an agent or a person; its specification is pinned. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { checkPin } from "../discovery/pin.ts"
import type { Reader, Transaction } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { DraftContent } from "./content.ts"
import { DraftContents, Drafts, type DraftRow } from "./store.ts"

/** The owner of a draft, and who prepared it. */
export interface Preparation {
  readonly draftId: string
  readonly tenantId: string
  readonly organizationId: string
  readonly role: Role
  readonly preparedBy: string
  /** Null if a person prepared it without an agent. */
  readonly agent: { readonly grantId: string; readonly agentName: string } | null
}

/** Queues the draft. */
export const insertDraft = Effect.fnUntraced(function* (
  transaction: Transaction,
  { agent, ...preparation }: Preparation,
  content: DraftContent,
  now: Instant
) {
  const pinnedContent = yield* pinSpecification(transaction, content)
  const row: DraftRow = {
    ...preparation,
    title: pinnedContent.title ?? null,
    revision: 1,
    state: "DRAFT",
    grantId: agent?.grantId ?? null,
    agentName: agent?.agentName ?? null,
    outcomeId: null,
    createdAt: now,
    changedAt: now
  }
  yield* transaction.insert(Drafts, row)
  yield* transaction.insert(DraftContents, { draftId: row.draftId, content: pinnedContent })
  return row
})

/** The content with its specification pinned to one version by digest. */
export const pinSpecification = Effect.fnUntraced(function* (reader: Reader, content: DraftContent) {
  const { specification } = content
  if (specification === undefined) return content
  const digest = yield* checkPin(reader, specification)
  return { ...content, specification: { ...specification, digest } } satisfies DraftContent
})
