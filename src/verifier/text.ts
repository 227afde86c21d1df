/** Prints the report as text for people, line by line. */
import { describeTransaction } from "./closure-text.ts"
import { codes, limits } from "./codes.ts"
import type { FileSummary } from "./file-summary.ts"
import type { Check } from "./ledger.ts"
import { shortenRuns, escapeForText } from "./escape.ts"
import type { Report } from "./report.ts"

export const printText = (report: Report): string =>
  [
    ...headline(report),
    "",
    ...closure(report),
    ...record(report),
    ...passport(report),
    ...commerce(report),
    "Checks",
    ...groupPasses(report.checks).map(printGroup),
    "",
    ...currentStatus(report),
    ...authority(report),
    ...(report.limits.length === 0 ? [] : ["Limits", ...report.limits.map((limit) => `  ${limit}: ${limits[limit]}`)])
  ]
    .map((line) => `${escapeForText(line).trimEnd()}\n`)
    .join("")

const headline = (report: Report): ReadonlyArray<string> => [
  report.verdict,
  `  checked at   ${report.checkedAt ?? "no valid time"}`,
  `  artifact     ${report.artifact.kind ?? "unknown kind"}, ${file(report.artifact)}`,
  `  key file     ${file(report.trust)}`,
  ...(report.trust.issuer === null
    ? []
    : [
        `  issuer       ${shortenRuns(report.trust.issuer)}, environment ${shortenRuns(report.trust.environment ?? "")}`
      ])
]

const file = ({ bytes, sha256 }: FileSummary): string =>
  sha256 === null ? "no file" : `${bytes} bytes, SHA-256 ${sha256}`

const closure = ({ closure }: Report): ReadonlyArray<string> =>
  closure === null ? [] : [...transaction(closure), "Closure", ...members(closure), ""]

const transaction = (closure: NonNullable<Report["closure"]>): ReadonlyArray<string> =>
  closure.version === 1 ? [] : ["Transaction", ...describeTransaction(closure), ""]

const record = ({ record, completeness }: Report): ReadonlyArray<string> =>
  record === null ? [] : ["Record", ...members({ ...record, history: completeness }), ""]

const passport = ({ passport }: Report): ReadonlyArray<string> => {
  if (passport === null) return []
  const { entries, ...manifest } = passport
  return [
    "Passport",
    ...members(manifest),
    "",
    ...entries.flatMap((entry, index) => [`Result ${index + 1} of ${entries.length}`, ...members(entry), ""])
  ]
}

const commerce = ({ commerce }: Report): ReadonlyArray<string> => {
  if (commerce === null) return []
  const { observations, status, ...record } = commerce
  return [
    "Commerce Record",
    ...members(record),
    "",
    ...observations.flatMap((one, index) => [
      `Observation ${index + 1} of ${observations.length}`,
      ...members(one),
      ""
    ]),
    ...(status === null ? [] : commerceStatus(status))
  ]
}

const commerceStatus = ({ components, ...status }: CommerceStatusReport): ReadonlyArray<string> => [
  "Commerce status",
  ...members(status),
  "",
  ...components.flatMap((one) => [`Status of ${one.component}`, ...members(one), ""])
]

type CommerceStatusReport = NonNullable<NonNullable<Report["commerce"]>["status"]>

/** Prints each member on its own line, under its path in the report. */
const members = (value: unknown, place = ""): ReadonlyArray<string> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, member]) => members(member, place === "" ? name : `${place}.${name}`))
    : [`  ${place.padEnd(31)}  ${shortenRuns(String(value ?? "not stated"))}`]

interface Group {
  readonly check: Check
  count: number
}

/** Groups consecutive passes of one check on many objects; every other check has its own line. */
const groupPasses = (checks: ReadonlyArray<Check>): ReadonlyArray<Group> => {
  const groups: Array<Group> = []
  for (const check of checks) {
    const last = groups.at(-1)
    if (last !== undefined && check.outcome === "pass" && last.check.outcome === "pass" && last.check.id === check.id) {
      last.count++
    } else {
      groups.push({ check, count: 1 })
    }
  }
  return groups
}

const printGroup = ({ check, count }: Group): string => {
  const head = `  ${check.outcome.padEnd(11)}  ${check.id}`
  if (check.outcome === "pass") return count === 1 ? head : `${head} (${count})`
  const location = `${check.object}${check.at === undefined || check.at === "" ? "" : ` at ${check.at}`}`
  if (check.because !== undefined) return `${head}, ${location}: ${check.because} failed`
  const sentence = check.code === null ? "" : ` ${check.code}. ${codes[check.code]}`
  const sides = [
    ...(check.expected === undefined ? [] : [`expected ${check.expected}`]),
    ...(check.actual === undefined ? [] : [`found ${check.actual}`])
  ]
  return `${head}, ${location}:${sentence}${sides.length === 0 ? "" : ` (${sides.join(", ")})`}`
}

const currentStatus = ({ currentStatus, freshness }: Report): ReadonlyArray<string> => [
  "Current status",
  ...members({ ...currentStatus, freshness }),
  ""
]

const authority = ({ recordedAuthority: { policy, grants } }: Report): ReadonlyArray<string> =>
  policy.outcome === "NOT_GIVEN" && grants.length === 0
    ? []
    : ["Recorded authority", ...members({ policy }), ...grants.flatMap((grant) => members(grant)), ""]
