/** The statements of a report that no status changes. */
import type { Report } from "../../src/verifier/report.ts"

/** The record, the Commerce Record, or the passport without the status of its entries. */
export const provenStatements = ({ record, commerce, passport }: Report): string =>
  JSON.stringify({ record, commerce }) +
  JSON.stringify(passport, (name, value) => (ofStatus.includes(name) ? undefined : value))

const ofStatus: ReadonlyArray<string> = ["status", "statusIssuedAt", "statusExpiresAt"]
