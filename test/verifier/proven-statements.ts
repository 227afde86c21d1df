/** The statements of a report that no status changes. */
import type { Report } from "../../src/verifier/report.ts"

/** The record, or the passport without the status of its entries. */
export const provenStatements = ({ record, passport }: Report): string =>
  JSON.stringify({ record, passport }, (name, value) => (ofStatus.includes(name) ? undefined : value))

const ofStatus: ReadonlyArray<string> = ["status", "statusIssuedAt", "statusExpiresAt"]
