/** The refusals of connections, invitations, grants and items. Part of the table of refusals. */
import { limits } from "./limits.ts"
import type { RefusalRule } from "./refusal-rule.ts"

const minute = 60_000

export const accessRefusals = {
  CONNECTION_EXPIRED: {
    status: 409,
    section: "2.3",
    detail: "The connection has expired, or its credential can no longer be collected; start a new connection.",
    nextAction: "START_NEW_CONNECTION"
  },
  CONNECTION_DENIED: {
    status: 409,
    section: "2.3",
    detail: "A person denied the connection or revoked its grant; start a new connection.",
    nextAction: "START_NEW_CONNECTION"
  },
  USER_CODE_UNKNOWN: {
    status: 404,
    section: "2.3",
    detail: "The code is invalid or expired, or its connection belongs to another session; check the code.",
    nextAction: "CHECK_CODE"
  },
  INVITATION_UNKNOWN: {
    status: 404,
    section: "5",
    detail: "The invitation code is invalid, expired, used or revoked; ask for a new invitation.",
    nextAction: "ASK_FOR_NEW_INVITATION"
  },
  GENERATION_STALE: {
    status: 409,
    section: "5",
    detail: "The grant has been renewed since its generation was read; read the grant again.",
    nextAction: "REREAD_GRANT"
  },
  GRANT_REVOKED: {
    status: 409,
    section: "5",
    detail: "A revoked grant cannot be renewed; create a new grant.",
    nextAction: "CREATE_NEW_GRANT"
  },
  SECRET_ALREADY_SHOWN: {
    status: 409,
    section: "4.6",
    detail: `The secret has been used, or is older than ${limits.secretRecovery / minute} minutes, and cannot be shown again; create a new one.`,
    nextAction: "CREATE_NEW_ONE"
  },
  AUTHORITY_HISTORY_LIMIT: {
    status: 409,
    section: "8",
    detail: `Limit reached: ${limits.authorityEvents} events in the authority history of this grant; revoke it and create a new grant.`,
    nextAction: "CREATE_NEW_GRANT"
  },
  ITEM_ENDED: {
    status: 409,
    section: "5",
    detail: "The item has ended; ask its owner for a new one.",
    nextAction: "ASK_OWNER"
  },
  NOTE_LIMIT: {
    status: 409,
    section: "8",
    detail: `Limit reached: ${limits.notesPerItem} notes of one item; ask its owner for a new one.`,
    nextAction: "ASK_OWNER"
  }
} as const satisfies { readonly [code: string]: RefusalRule }
