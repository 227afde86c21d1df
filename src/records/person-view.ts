/** Credits and shared records as the workspace shows them to people. */
import type { Effect } from "effect"
import type { readCredits } from "./credits.ts"
import {
  Credits,
  type OpenedRecord,
  type RecordShare,
  type RecordShareWithOpenings,
  type SharedRecord
} from "./person-wire.ts"
import { pick } from "../vocabulary/pick.ts"
import { shareUrlOf } from "./share.ts"
import type { openSharedRecord } from "./shared-records.ts"
import type { listShares, withNames } from "./sharing.ts"

type Success<O extends (...input: never) => Effect.Effect<unknown, unknown, unknown>> = Effect.Success<ReturnType<O>>
type NamedShare = Success<typeof withNames>

export const viewCredits = ({
  organizationId,
  balance,
  entries
}: Success<typeof readCredits>): typeof Credits.Type => ({
  organizationId,
  balance,
  entries: entries.map(pick(Credits.fields.entries.value))
})

export const viewShare = (
  siteUrl: string,
  share: NamedShare & { readonly replayed?: boolean }
): typeof RecordShare.Type => ({
  ...viewSharedFields(share),
  projectId: share.projectId,
  side: share.side,
  recipientActor: { personId: share.recipientActorId, name: share.recipientName },
  url: shareUrlOf(siteUrl, share.shareId),
  openingCount: share.openingCount,
  revokedAt: share.revokedAt,
  revokedBy: share.revokedBy,
  ...(share.replayed === true ? { replayed: true } : {})
})

export const viewShareWithOpenings = (
  siteUrl: string,
  { openings, ...share }: Success<typeof listShares>[number]
): typeof RecordShareWithOpenings.Type => ({
  ...viewShare(siteUrl, share),
  openings: openings.map(({ sequence, state, at }) => ({ sequence, state, at }))
})

export const viewSharedRecord = (siteUrl: string, share: NamedShare): typeof SharedRecord.Type => ({
  ...viewSharedFields(share),
  url: shareUrlOf(siteUrl, share.shareId)
})

export const viewOpenedRecord = ({
  record,
  facts,
  current,
  ...share
}: Success<typeof openSharedRecord>): typeof OpenedRecord.Type => ({
  ...viewSharedFields(share),
  record,
  facts: {
    recordId: facts.recordId,
    issuer: facts.issuer,
    environment: facts.environment,
    issuedAt: facts.issuedAt,
    acceptedAt: facts.acceptedAt,
    agreement: facts.agreement,
    parties: facts.parties,
    submission: facts.submission,
    review: facts.review,
    confirmation: facts.confirmation
  },
  current
})

const viewSharedFields = ({ shareId, recipient, sharedBy, sharerName, sharedAt }: NamedShare) => ({
  shareId,
  recipient,
  sharedBy: { personId: sharedBy, name: sharerName },
  sharedAt
})
