/** Room on the page of a project for its updates, and an index of due issuance requests that holds nothing else. */
import type { Step } from "./migration.ts"

export const roomForUpdates: ReadonlyArray<Step> = [
  // No index of projects has a column that changes: an update that finds room writes no index, and half of the log.
  { kind: "transaction", statements: ["alter table projects set (fillfactor = 80)"] },
  // Beside issuances_by_due, which the previous version claims by.
  {
    kind: "index",
    name: "issuances_due",
    on: "issuances (due_at, project_id) where due_at < '9999-12-31T23:59:59.999Z'"
  }
]
