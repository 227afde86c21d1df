/** The tables of issued records and of the result credits that cover them. */
import { instant, integer, nullable, table, text } from "../ports/table.ts"

/** One row an organization; the balance never goes below zero. No row is a balance of zero. */
export const OrganizationCredits = table("organization_credits", {
  columns: { organizationId: text(), balance: integer, entries: integer },
  key: ["organizationId"],
  guard: { root: "credit", by: "organizationId" }
})

/** The append-only ledger behind a balance; a confirmation is debited once. */
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
  guard: { root: "credit", by: "organizationId" },
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
  guard: { root: "project", by: "projectId" },
  unique: { byRecord: ["recordId"] }
})
