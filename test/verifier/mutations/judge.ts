/** What holds for every report, whatever was given to the verifier. */
import { codes } from "../../../src/verifier/codes.ts"
import { printReport, type Report } from "../../../src/verifier/report.ts"
import { printText } from "../../../src/verifier/text.ts"
import { canary } from "./life.ts"
import type { Mutation } from "./mutation.ts"

export interface Judgement {
  readonly verdict: string
  /** The code of the first check that failed; of a verified artifact the status alone can fail. */
  readonly firstCode: string
  readonly wrong: ReadonlyArray<string>
}

export const judge = (mutation: Mutation, record: Report["record"]): Judgement => {
  let report: Report
  try {
    report = mutation.verify()
  } catch (thrown) {
    return { verdict: "THROWN", firstCode: "THROWN", wrong: [`throws ${String(thrown)}`] }
  }
  const failed = report.checks.find((check) => check.outcome === "fail")
  const rules: ReadonlyArray<readonly [broken: string, holds: boolean]> = [
    ["exit and verdict differ", exits[report.verdict] === report.exit],
    [
      "a check has a code of its own invention",
      report.checks.every((check) => check.code === null || isCode(check.code))
    ],
    ["a failed check has no code", report.checks.every((check) => check.outcome !== "fail" || check.code !== null)],
    ["a check was passed over without a reason", report.checks.every(isExplained)],
    ["refused, and no check failed", report.exit === 0 || failed !== undefined],
    ["verified, and more than the status failed", report.exit !== 0 || failed === undefined || isOfStatus(failed.id)],
    ["refused, and something is stated of the artifact", report.exit === 0 || isSilent(report)],
    ["another record verified", report.exit !== 0 || mutation.isSignedAgain || isSame(report.record, record)],
    ...printing(report)
  ]
  const wrong = rules.filter(([, holds]) => !holds).map(([broken]) => broken)
  return { verdict: report.verdict, firstCode: failed?.code ?? "none", wrong }
}

const exits: Readonly<Record<Report["verdict"], number>> = { VERIFIED_WITH_LIMITATIONS: 0, REFUSED: 1, UNREADABLE: 2 }

const isCode = (code: string): boolean => Object.hasOwn(codes, code)
const isOfStatus = (id: string): boolean => id.startsWith("status-")
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
const isExplained = ({ outcome, code, because }: Report["checks"][number]): boolean =>
  outcome !== "not-checked" || code !== null || because !== undefined

const isSilent = ({ objects, record, limits, recordedAuthority, currentStatus, completeness }: Report): boolean =>
  objects.length + limits.length + recordedAuthority.grants.length === 0 &&
  record === null &&
  currentStatus.outcome === "NOT_CHECKED" &&
  completeness.journal === "not-proven"

const printing = (report: Report): ReadonlyArray<readonly [broken: string, holds: boolean]> => {
  const [json, text] = [printReport(report), printText(report)]
  // The issuer and environment are the key file's own words, and its reader's.
  const told = { ...report, trust: { ...report.trust, issuer: null, environment: null } }
  const lines = text.split("\n")
  return [
    ["the JSON does not read back", isSame(JSON.parse(json), report)],
    ["the JSON has a raw mark", !rawMark.test(json)],
    ["the text has a raw mark", !rawMark.test(text)],
    ["the text does not begin with its verdict", lines[0] === report.verdict],
    ["the text has another verdict", lines.slice(1).every((line) => !/^\s*(?:VERIFIED|REFUSED|UNREADABLE)/.test(line))],
    [
      "a refusal speaks with the artifact's words",
      report.exit === 0 || !(printReport(told) + printText(told)).includes(canary)
    ]
  ]
}

/** Controls but the line feed, direction and zero-width marks, line separators and the byte order mark. */
const rawMark =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff]/
