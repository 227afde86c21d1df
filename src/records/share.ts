/** A share: access of one person to an issued record, given by a side, for a recipient that the terms name. */
import type { Project } from "../projects/project.ts"
import { refusal } from "../vocabulary/refusals.ts"
import { limits } from "../vocabulary/limits.ts"
import type { ShareRow } from "./store.ts"

export interface ShareInput {
  readonly projectId: string
  /** Exactly one of the agreement's `sharingRecipients`. */
  readonly recipient: string
  /** The person who opens it for that recipient. */
  readonly recipientActorId: string
}

/** The page on which the recipient opens it. The address alone grants no access. */
export const shareUrlOf = (siteUrl: string, shareId: string): string => `${siteUrl}/workspace/shared-records/${shareId}`

export const isActiveShare = ({ revokedAt }: ShareRow): boolean => revokedAt === null

/** The guard of sharing; `earlier` are the previous shares of the same side. */
export const sharingGuard = (
  project: Project,
  { recipient, recipientActorId, sharedBy }: ShareInput & { readonly sharedBy: string },
  earlier: ReadonlyArray<ShareRow>
) => {
  if (project.recordId === null) return refusal("RESULT_NOT_ISSUED")
  if (project.state !== "BUYER_CONFIRMED") return refusal("STATE_CONFLICT")
  if (!project.agreement.terms.termsPolicy.sharingRecipients.includes(recipient)) return refusal("RECIPIENT_NOT_NAMED")
  if (recipientActorId === sharedBy) {
    return refusal("SAME_PARTY", { detail: "You cannot share a record with yourself." })
  }
  if (earlier.some((one) => isActiveShare(one) && isSame(one, recipient, recipientActorId))) {
    return refusal("ALREADY_EXISTS", { detail: "The record is already shared with this person for this recipient." })
  }
  return earlier.length < limits.sharesPerSide ? undefined : refusal("SHARE_LIMIT")
}

const isSame = (share: ShareRow, recipient: string, recipientActorId: string): boolean =>
  share.recipient === recipient && share.recipientActorId === recipientActorId
