/** The test oracle: rules that hold for every report on any input. */
import { codes } from "../../../src/verifier/codes.ts"
import { printReport, type Report } from "../../../src/verifier/report.ts"
import { printText } from "../../../src/verifier/text.ts"
import { canary } from "./base-sample.ts"
import { provenStatements } from "../proven-statements.ts"
import type { Mutation } from "./mutation.ts"

export interface OracleResult {
  readonly verdict: string
  /** The code of the first failed check; in a verified artifact only checks of the status can fail. */
  readonly firstCode: string
  readonly violations: ReadonlyArray<string>
}

export const checkReport = (mutation: Mutation): OracleResult => {
  let report: Report
  try {
    report = mutation.verify()
  } catch (thrown) {
    return { verdict: "THROWN", firstCode: "THROWN", violations: [`throws ${String(thrown)}`] }
  }
  const failed = report.checks.find((check) => check.outcome === "fail")
  const rules: ReadonlyArray<readonly [broken: string, holds: boolean]> = [
    ["exit and verdict differ", exits[report.verdict] === report.exit],
    ["a check has an unknown code", report.checks.every((check) => check.code === null || isCode(check.code))],
    ["a failed check has no code", report.checks.every((check) => check.outcome !== "fail" || check.code !== null)],
    ["a check did not run, without a reason", report.checks.every(isExplained)],
    ["refused, and no check failed", report.exit === 0 || failed !== undefined],
    [
      "verified, although a check other than the status failed",
      report.exit !== 0 || failed === undefined || isOfStatus(failed.id)
    ],
    ["refused, and the report states content of the artifact", report.exit === 0 || isSilent(report)],
    [
      "another record, passport, payment or closure verified",
      report.exit !== 0 || mutation.isSignedAgain || provenStatements(report) === mutation.statements
    ],
    ...printing(report)
  ]
  const violations = rules.filter(([, holds]) => !holds).map(([broken]) => broken)
  return { verdict: report.verdict, firstCode: failed?.code ?? "none", violations }
}

const exits: Readonly<Record<Report["verdict"], number>> = { VERIFIED_WITH_LIMITATIONS: 0, REFUSED: 1, UNREADABLE: 2 }

const isCode = (code: string): boolean => Object.hasOwn(codes, code)
const isOfStatus = (id: string): boolean => /^(?:commerce-)?status-|^publication-status$/.test(id)
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
const isExplained = ({ outcome, code, because }: Report["checks"][number]): boolean =>
  outcome !== "not-checked" || code !== null || because !== undefined

const isSilent = (report: Report): boolean =>
  report.objects.length + report.limits.length + report.recordedAuthority.grants.length === 0 &&
  report.record === null &&
  report.passport === null &&
  report.commerce === null &&
  report.closure === null &&
  report.currentStatus.outcome === "NOT_CHECKED" &&
  report.completeness.journal === "not-proven"

const printing = (report: Report): ReadonlyArray<readonly [broken: string, holds: boolean]> => {
  const [json, text] = [printReport(report), printText(report)]
  // Issuer and environment come from the trusted key file.
  const withoutIssuer = { ...report, trust: { ...report.trust, issuer: null, environment: null } }
  const lines = text.split("\n")
  return [
    ["the JSON does not read back", isSame(JSON.parse(json), report)],
    ["the JSON has a raw mark", !rawMark.test(json)],
    ["the text has a raw mark", !rawMark.test(text)],
    ["the text does not begin with its verdict", lines[0] === report.verdict],
    ["the text has another verdict", lines.slice(1).every((line) => !/^\s*(?:VERIFIED|REFUSED|UNREADABLE)/.test(line))],
    [
      "a refusal repeats a text of the artifact",
      report.exit === 0 || !(printReport(withoutIssuer) + printText(withoutIssuer)).includes(canary)
    ]
  ]
}

/** Controls but the line feed, direction and zero-width marks, line separators and the byte order mark. */
const rawMark =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff]/
