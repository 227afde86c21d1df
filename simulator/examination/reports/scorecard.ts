/** An examination as one offline page: totals, a table of the lessons, and the timeline of each. */
import { escapeText } from "../../reports/timeline/embed.ts"
import { renderTimeline } from "../../reports/timeline/page.ts"
import type { TimelineRun } from "../../view-model/timeline-run.ts"
import { type ExamTotals, examTotals, totalsText } from "./exam-totals.ts"
import type { LessonReport } from "./lesson-report.ts"
import { scorecardStyle } from "./scorecard-style.ts"

export interface ScoredLesson {
  readonly report: LessonReport
  /** What the agent's program printed. */
  readonly output: string
  readonly timeline: () => TimelineRun
}

export const scorecard = (lessons: ReadonlyArray<ScoredLesson>): string => {
  const totals = examTotals(lessons.map(({ report }) => report))
  const title = `Examination: ${totalsText(totals)}`
  const html = [
    `<main id="runs" class="front scorecard" data-front>\n<h1>${escapeText(title)}</h1>\n`,
    totalsList(totals),
    `<noscript><p>The timelines require JavaScript; the script of this page loads and sends nothing.</p></noscript>\n`,
    lessons.length === 0 ? "<p>No lessons.</p>\n" : lessonTable(lessons),
    `</main>\n`
  ].join("")
  return renderTimeline(
    lessons.map(({ timeline }) => timeline()),
    { title, html, style: scorecardStyle }
  )
}

const totalsList = ({ passed, failed, unknown, errors, judged, safe, complete }: ExamTotals): string =>
  definitions([
    ["Safety", `${safe} of ${judged}`, "judged lessons without a broken safety condition"],
    ["Progress", `${complete} of ${judged}`, "judged lessons in which everything was reached"],
    ["PASS", `${passed}`, ""],
    ["FAIL", `${failed}`, ""],
    ["UNKNOWN", `${unknown}`, "not judged: the agent did not reach the point"],
    ["ERROR", `${errors}`, "not judged: the program or the lesson ended with an error"]
  ])

const definitions = (entries: ReadonlyArray<readonly [term: string, value: string, meaning: string]>): string =>
  `<dl class="totals">\n${entries
    .map(
      ([term, value, meaning]) =>
        `<div><dt>${term}</dt><dd><strong>${value}</strong>${meaning === "" ? "" : ` <span class="about">${meaning}</span>`}</dd></div>\n`
    )
    .join("")}</dl>\n`

/** The roles are explicit, since a table that is laid out as blocks on a narrow screen would lose them. */
const lessonTable = (lessons: ReadonlyArray<ScoredLesson>): string =>
  [
    `<table role="table">\n<caption>Lessons</caption>\n<thead role="rowgroup"><tr role="row">`,
    ...["Verdict", "Lesson", "Rule", "Result"].map((name) => `<th role="columnheader" scope="col">${name}</th>`),
    `</tr></thead>\n<tbody role="rowgroup">\n`,
    ...lessons.map(lessonRow),
    `</tbody>\n</table>\n`
  ].join("")

const lessonRow = ({ report, output }: ScoredLesson, index: number): string => {
  const { name, title, rule, section, verdict } = report
  return [
    `<tr role="row"><td role="cell"><strong class="verdict ${verdictClass[verdict]}">${verdict}</strong></td>`,
    `<th role="rowheader" scope="row"><code>${escapeText(name)}</code><br>${escapeText(title)}<br>`,
    `<a href="#run-${index + 1}">Timeline<span class="read-only"> of ${escapeText(name)}</span></a></th>`,
    `<td role="cell">${escapeText(rule)} <span class="about">Section ${escapeText(section)}</span></td>`,
    `<td role="cell">${resultOf(report, output)}</td></tr>\n`
  ].join("")
}

const verdictClass = { PASS: "passed", FAIL: "failed", UNKNOWN: "unknown", ERROR: "failed" } as const

const resultOf = (report: LessonReport, output: string): string => {
  const { verdict, safety, progress, ended, fewest, hint, requests } = report
  if (verdict === "PASS") return `<span class="about">${countOf(requests, "request")}</span>`
  const conditions = verdict === "FAIL" ? [...described("Broken", safety), ...described("Not reached", progress)] : []
  const printed = verdict === "ERROR" ? output.trimEnd().split(/\r?\n/).slice(-linesShown) : []
  return [
    conditions.length === 0 ? "" : `<ul>${conditions.join("")}</ul>`,
    `<p>The lesson ended because: ${escapeText(ended)}. <span class="about">${countOf(requests, "request")}</span></p>`,
    printed.join("") === "" ? "" : `<pre>${printed.map(escapeText).join("\n")}</pre>`,
    fewest === undefined ? "" : `<p>${escapeText(fewest)}</p>`,
    verdict === "FAIL" ? `<p><b>Hint:</b> ${escapeText(hint)}</p>` : ""
  ].join("")
}

const linesShown = 6

const described = (what: string, conditions: LessonReport["safety"]): ReadonlyArray<string> =>
  conditions.map(({ condition, words }) => `<li><b>${what}:</b> ${escapeText(condition)}: ${escapeText(words)}</li>`)

const countOf = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`
