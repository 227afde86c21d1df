/** The tables of issued records, their shares, and the result credits. */
import type { Role } from "../access/actions.ts"
import { instant, integer, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { State } from "../projects/project.ts"

/** One row an organization; the balance is never negative. No row means zero. */
export const OrganizationCredits = table("organization_credits", {
  columns: { organizationId: text(), balance: integer, entries: integer },
  key: ["organizationId"],
  guard: { lock: "credit", by: "organizationId" }
})

/** The append-only ledger of a balance; a confirmation is debited once. */
export const CreditEntries = table("credit_entries", {
  columns: {
    organizationId: text(),
    sequence: integer,
    change: integer,
    balance: integer,
    reference: text(),
    confirmationId: nullable(text()),
    at: instant
  },
  key: ["organizationId", "sequence"],
  guard: { lock: "credit", by: "organizationId" },
  unique: { byConfirmation: ["confirmationId"] }
})

/** Signed bytes are stored and never signed again. */
export const ResultRecords = table("result_records", {
  columns: {
    projectId: text(),
    confirmationId: text(),
    recordId: text(),
    digest: text(),
    jws: text(),
    issuedAt: instant
  },
  key: ["projectId", "confirmationId"],
  guard: { lock: "project", by: "projectId" },
  unique: { byRecord: ["recordId"] }
})

/** The shares of issued records with single persons, active until revoked. */
export const RecordShares = table("record_shares", {
  columns: {
    shareId: text(),
    projectId: text(),
    side: text<Role>(),
    /** The recipient's name in the agreement; `recipientActorId` is the person who acts for it. */
    recipient: text(),
    recipientActorId: text(),
    sharedBy: text(),
    sharedAt: instant,
    openingCount: integer,
    revokedBy: nullable(text()),
    revokedAt: nullable(instant)
  },
  key: ["shareId"],
  guard: { lock: "project", by: "projectId" },
  ordered: {
    byProject: ["projectId", "side", "sharedAt", "shareId"],
    byRecipient: ["recipientActorId", "sharedAt", "shareId"]
  }
})

/** The openings of shares, each with the project state that was shown. */
export const RecordShareOpenings = table("record_share_openings", {
  columns: { shareId: text(), sequence: integer, projectId: text(), state: text<State>(), at: instant },
  key: ["shareId", "sequence"],
  guard: { lock: "project", by: "projectId" }
})

export type ShareRow = RowOf<typeof RecordShares>
