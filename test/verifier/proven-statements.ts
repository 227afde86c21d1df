/** The statements of a report that no status changes. */
import type { Report } from "../../src/verifier/report.ts"

/** The record; the passport, the Commerce Record and the closure without their current status. */
export const provenStatements = ({ record, commerce, passport, closure }: Report): string =>
  JSON.stringify({ record, commerce, passport, closure }, (name, value) =>
    ofStatus.includes(name) ? undefined : value
  )

const ofStatus: ReadonlyArray<string> = ["status", "statusIssuedAt", "statusExpiresAt", "currentStatus"]
