/** The use cases of people on drafts. */
import { Effect } from "effect"
import { roles, type Role } from "../access/actions.ts"
import { membershipsOf, requireMembershipIn, type ActingPerson } from "../people/acting-person.ts"
import { readNewestPage, type NewestPageRequest } from "../ports/storage/newest-page.ts"
import { inReplicaView, inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import type { Transaction } from "../ports/storage.ts"
import { isReplay, readStoredRequest, recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import { refuse, type Refusal } from "../vocabulary/refusals.ts"
import type { DraftContent } from "./content.ts"
import type { DraftState } from "./draft.ts"
import { findDraft, draftLocks, mayAccessDraft, requireDraft, requireDraftAuthority } from "./draft-authorization.ts"
import { insertDraft, pinSpecification } from "./new-draft.ts"
import { DraftContents, Drafts, type DraftRow } from "./store.ts"
import { viewDraft, viewDrafts } from "./view.ts"
import { traced } from "../vocabulary/traced.ts"

/** Which drafts are listed; all that the person may access where nothing is given. */
export interface DraftFilter {
  readonly organizationId?: string | undefined
  readonly role?: Role | undefined
  readonly state?: DraftState | undefined
}

/** The newest drafts of all organizations and sides that the person may access, newest first. */
export const listDrafts = (by: ActingPerson) =>
  Effect.map(listDraftPage(by, {}, { limit: limits.draftsListed }), ({ items }) => items)

/** A page of these drafts. */
export const listDraftPage = traced("drafts.listPage")(function* (
  by: ActingPerson,
  { organizationId, role, state }: DraftFilter,
  request: NewestPageRequest
) {
  const now = yield* currentTime
  const page = yield* inReplicaView(function* (reader) {
    const memberships = yield* membershipsOf(reader, by.personId)
    const sides = memberships
      .filter((membership) => organizationId === undefined || membership.organizationId === organizationId)
      .flatMap((membership) =>
        roles
          .filter((one) => (role === undefined || one === role) && mayAccessDraft(membership, { role: one }, now))
          .map((one) => ({ index: "bySide", prefix: [membership.organizationId, one] }) as const)
      )
    return yield* readNewestPage(
      reader,
      {
        table: Drafts,
        ranges: sides,
        positionOf: ({ createdAt, draftId }: DraftRow) => ({ at: createdAt, id: draftId }),
        ...(state === undefined ? {} : { matching: { own: [{ column: "state", among: [state] }] } })
      },
      request
    )
  })
  return { ...page, items: yield* viewDrafts(page.items) }
})

export const readDraftAsPerson = traced("drafts.readAsPerson")(function* (by: ActingPerson, draftId: string) {
  const now = yield* currentTime
  const { row, content } = yield* inView(function* (reader) {
    const { row } = yield* requireDraft(reader, by, draftId, now)
    return { row, content: (yield* reader.get(DraftContents, [draftId]))!.content }
  })
  return yield* viewDraft(row, content)
})

export interface NewDraft {
  readonly organizationId: string
  readonly role: Role
  readonly content: DraftContent
}

/** Creates a draft for one of the person's organizations. */
export const createDraftAsPerson = traced("drafts.createAsPerson")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  { organizationId, role, content }: NewDraft
) {
  const ids = yield* idSeed
  const start = yield* currentTime
  const draftId = ids("plan").next("draft")
  const { membershipId } = yield* inView((reader) => requireMembershipIn(reader, by.personId, organizationId, start))
  const created = yield* inTransaction({ locks: draftLocks(by, membershipId, draftId) }, function* (transaction) {
    const earlier = yield* readStoredRequest(transaction, request)
    const now = yield* transaction.now
    const { tenantId } = yield* requireDraftAuthority(transaction, by, { role }, membershipId, now)
    if (yield* isReplay(earlier, request)) return { draftId: earlier!.target, replayed: true }
    const preparation = { draftId, tenantId, organizationId, role, preparedBy: by.personId, agent: null }
    yield* insertDraft(transaction, preparation, content, now)
    yield* recordRequest(transaction, request, draftId, now)
    return { draftId, replayed: false }
  })
  return withReplayMark(yield* readDraftAsPerson(by, created.draftId), created.replayed)
})

export interface DraftChange {
  readonly draftId: string
  /** The revision that the person read. */
  readonly revision: number
  readonly content: DraftContent
}

/** Replaces the content of a draft. */
export const saveDraft = traced("drafts.save")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  { draftId, revision, content }: DraftChange
) {
  return yield* change(by, request, { draftId, revision }, (transaction) =>
    Effect.gen(function* () {
      const pinnedContent = yield* pinSpecification(transaction, content)
      yield* transaction.update(DraftContents, [draftId], { content: pinnedContent })
      return { title: pinnedContent.title ?? null }
    })
  )
})

/** Discards a draft. */
export const discardDraft = traced("drafts.discard")(function* (
  by: ActingPerson,
  request: IdempotentRequest,
  draft: Pick<DraftChange, "draftId" | "revision">
) {
  return yield* change(by, request, draft, () => Effect.succeed({ state: "DISCARDED" as const }))
})

/** Changes a draft whose revision the person read; idempotent by request id. */
const change = Effect.fnUntraced(function* <Code extends RefusalCode = never>(
  by: ActingPerson,
  request: IdempotentRequest,
  { draftId, revision }: Pick<DraftChange, "draftId" | "revision">,
  changesOf: (transaction: Transaction, now: Instant) => Effect.Effect<Partial<DraftRow>, Refusal<Code>>
) {
  const { membershipId } = yield* findDraft(by, draftId)
  const replayed = yield* inTransaction({ locks: draftLocks(by, membershipId, draftId) }, function* (transaction) {
    const [row, earlier] = yield* readTogether([
      transaction.get(Drafts, [draftId]),
      readStoredRequest(transaction, request)
    ])
    const now = yield* transaction.now
    yield* requireDraftAuthority(transaction, by, row!, membershipId, now)
    if (yield* isReplay(earlier, request)) return true
    if (row!.state !== "DRAFT" || row!.revision !== revision) return yield* refuse("DRAFT_CHANGED")
    const changes = yield* changesOf(transaction, now)
    yield* transaction.update(Drafts, [draftId], { ...changes, revision: revision + 1, changedAt: now })
    yield* recordRequest(transaction, request, draftId, now)
    return false
  })
  return withReplayMark(yield* readDraftAsPerson(by, draftId), replayed)
})

const withReplayMark = <V extends object>(view: V, replayed: boolean) => (replayed ? { ...view, replayed } : view)
