/** The report of a verification as a part of the page: the verdict, every check in plain words, and the limits. */
import { codes, limits } from "../../verifier/codes.ts"
import { escapeForText } from "../../verifier/escape.ts"
import type { Check } from "../../verifier/ledger.ts"
import { printReport, type Report } from "../../verifier/report.ts"
import { printText } from "../../verifier/text.ts"
import { textOfCheck } from "./check-texts.ts"
import { element, foldedText, list, styled } from "./elements.ts"

export const showReport = (report: Report): ReadonlyArray<HTMLElement> => {
  const json = printReport(report)
  return [
    verdictNotice(report),
    facts(report),
    element("h3", "What was checked"),
    list(groupsOf(report.checks).map(showGroup)),
    ...(report.limits.length === 0
      ? []
      : [element("h3", "What this does not prove"), list(report.limits.map((limit) => element("li", limits[limit])))]),
    element("h3", "The report of verify-result"),
    foldedText("The whole report as text", "report-text", printText(report)),
    foldedText("The whole report as JSON, byte for byte as the command line prints it", "report-json", json),
    download(json)
  ]
}

/** The verdict as one sentence. */
export const verdictText = ({ verdict, checks }: Report): string => {
  const failed = checks.filter(({ outcome }) => outcome === "fail").length
  switch (verdict) {
    case "VERIFIED_WITH_LIMITATIONS":
      return failed === 0
        ? "Verified, with the limits below: no check failed."
        : "Verified, with the limits below. The current status is not proven: see the checks of the status."
    case "REFUSED":
      return `Refused: ${failed === 1 ? "one check" : `${failed} checks`} failed. Do not rely on anything in this file.`
    case "UNREADABLE":
      return "Unreadable: the time, the keys or the file is not valid input. Nothing was verified."
  }
}

const verdictNotice = (report: Report): HTMLElement => {
  const isVerified = report.verdict === "VERIFIED_WITH_LIMITATIONS"
  return styled(
    "div",
    `notice ${isVerified ? "done" : "warning"}`,
    element("p", element("strong", verdictText(report))),
    element("p", "Verdict ", element("code", report.verdict))
  )
}

const facts = ({ artifact, trust, checkedAt }: Report): HTMLElement => {
  const rows: ReadonlyArray<readonly [string, string | null]> = [
    ["Kind of file", artifact.kind],
    ["SHA-256 of the file", artifact.sha256],
    ["Issuer in your key file", trust.issuer],
    ["Checked at", checkedAt]
  ]
  return styled(
    "dl",
    "facts",
    ...rows.map(([term, detail]) =>
      element("div", element("dt", term), element("dd", untrusted(detail ?? "not known")))
    )
  )
}

interface Group {
  readonly check: Check
  readonly count: number
}

/** Passes of one check on many objects are one line. */
const groupsOf = (checks: ReadonlyArray<Check>): ReadonlyArray<Group> =>
  checks.reduce<ReadonlyArray<Group>>((groups, check) => {
    const last = groups.at(-1)
    const isSame = last?.check.id === check.id && last.check.outcome === "pass" && check.outcome === "pass"
    return isSame ? [...groups.slice(0, -1), { check, count: last.count + 1 }] : [...groups, { check, count: 1 }]
  }, [])

const outcomes = {
  pass: ["good", "holds"],
  fail: ["bad", "failed"],
  "not-checked": ["ended", "not checked"]
} as const

const showGroup = ({ check, count }: Group): HTMLElement => {
  const [kind, text] = outcomes[check.outcome]
  const tested = textOfCheck(check.id)
  return element(
    "li",
    styled("span", `badge ${kind}`, text),
    " ",
    tested ?? "",
    " ",
    styled("span", "hint", element("code", check.id), count === 1 ? ` (${check.object})` : ` (${count} objects)`),
    check.outcome === "pass" ? undefined : element("p", ...meaningOf(check))
  )
}

/** Why a check did not pass, and what it found. */
const meaningOf = ({ code, because, at, expected, actual }: Check): ReadonlyArray<string | Node> => [
  ...(because === undefined ? [] : [`It needs what the check ${because} did not prove. `]),
  ...(code === null ? [] : [codes[code], " ", element("code", code)]),
  ...(at === undefined || at === "" ? [] : [" At ", untrusted(at), "."]),
  ...(expected === undefined ? [] : [" Expected ", untrusted(String(expected)), "."]),
  ...(actual === undefined ? [] : [" Found ", untrusted(String(actual)), "."])
]

const untrusted = (text: string): HTMLElement => styled("bdi", "untrusted", escapeForText(text))

/** The report as a file. It is made in the page, and leaves the browser only by the person's own act. */
const download = (json: string): HTMLElement => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([json], { type: "application/json" }))
  link.download = "verification-report.json"
  link.textContent = "Save the report as JSON"
  return element("p", link)
}
