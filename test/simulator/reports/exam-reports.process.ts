/** Reports of an examination: the content of each format, the escaping of hostile texts, and the command line. */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { LessonResult } from "../../../simulator/examination/examine.ts"
import { readLessons } from "../../../simulator/examination/lesson.ts"
import { badge, renderBadge } from "../../../simulator/examination/reports/badge.ts"
import { type Examination, examReports } from "../../../simulator/examination/reports/exam-reports.ts"
import { examTotals } from "../../../simulator/examination/reports/exam-totals.ts"
import { examReportSchema, json } from "../../../simulator/examination/reports/json.ts"
import { junit } from "../../../simulator/examination/reports/junit.ts"
import { lessonReport, type LessonReport } from "../../../simulator/examination/reports/lesson-report.ts"
import { scorecard } from "../../../simulator/examination/reports/scorecard.ts"
import { escapeControls } from "../../../simulator/reports/escape.ts"
import { readScenario } from "../../../simulator/scenario/format/read.ts"
import { Session } from "../../../simulator/scenario/session.ts"
import { hostileLesson, reportOf, timed } from "../../support/lesson-reports.ts"
import { hostileTexts } from "../../support/reports.ts"
import { runSimulate } from "../../support/run-simulator.ts"
import { node } from "../../support/server.ts"
import { hostileText, longRun } from "../../support/timeline-run.ts"

const passed = reportOf("PASS")
const failed = reportOf("FAIL")
const each = [passed, failed, reportOf("UNKNOWN"), reportOf("ERROR")]

describe("totals of an examination", () => {
  it("Safety and progress are counted apart, over the lessons with the verdict PASS or FAIL.", () => {
    const unreached = reportOf("FAIL", { safety: [] })
    const unsafe = reportOf("FAIL", { progress: [] })
    assert.deepStrictEqual(examTotals([...each, unreached, unsafe]), {
      lessons: 6,
      passed: 1,
      failed: 3,
      unknown: 1,
      errors: 1,
      judged: 4,
      safe: 2,
      complete: 2
    })
  })
})

describe("report data of a lesson", () => {
  const [lesson] = Result.getOrThrow(readLessons(["scenarios/lessons/answer-lost"]))
  const secret = "s3cret-of-a-test"

  const world = Result.getOrThrow(
    readScenario("world.yaml", "scenario: One visitor\ngiven: { visitors: { iris: Iris } }\nsteps: [{ advance: 1s }]\n")
  )

  /** The result of an agent that reads who it is, and in whose result a secret occurs. */
  const resultOf = (...steps: ReadonlyArray<object>): LessonResult => {
    const session = new Session(world)
    for (const step of steps) session.do(step)
    session.setup.recorder.hide(secret, "a token")
    const condition = { label: "a condition", words: `it had ${secret}`, observed: 1 }
    return {
      lesson: { ...lesson!, form: { ...lesson!.form, agent: "iris" } },
      verdict: "FAIL",
      judgement: { safety: [], progress: [condition], cameToPoint: true },
      ended: `the act failed: ${secret}`,
      end: { hasFailed: false, isBroken: false, isTimedOut: false },
      session,
      injected: [],
      output: `printed ${secret}`,
      seconds: 1
    }
  }
  const steps = [{ advance: "1h" }, { as: "iris", do: "me", expect: { error: "AUTH_INVALID" } }, { advance: "90s" }]
  const examinationOf = (...results: ReadonlyArray<LessonResult>): Examination => ({
    results,
    profile: "lossy",
    seed: 7
  })

  it("The JSON report states the profile and its seed.", () => {
    assert.deepInclude(JSON.parse(examReports.json(examinationOf())), { profile: "lossy", seed: 7 })
  })

  it("The report of a failure says which faults and acts it takes, without secrets.", () => {
    const fault = { kind: "answer-lost", request: 4, operation: `submit ${secret}` } as const
    const fewest = {
      kind: "FEWEST",
      parts: [fault, { kind: "act", act: 1 }],
      isComplete: true,
      leavesOutActs: true
    } as const
    assert.strictEqual(
      lessonReport({ ...resultOf(...steps), fewest }).fewest,
      "It takes: the answer to request 4 (submit {a token}) lost; act 1."
    )
  })

  it("The report has the requests of the agent, and the virtual time from the first of them, without secrets.", () => {
    const report = lessonReport(resultOf(...steps))
    assert.deepInclude(report, {
      name: "answer-lost",
      title: "The answer to a submission is lost",
      verdict: "FAIL",
      progress: [{ condition: "a condition", words: "it had {a token}" }],
      ended: "the act failed: {a token}",
      requests: 1
    })
    assert.strictEqual(report.virtualTime?.milliseconds, 90_000)
  })

  it("An agent without a request has no virtual time.", () => {
    const report = lessonReport(resultOf({ advance: "1h" }))
    assert.strictEqual(report.requests, 0)
    assert.isUndefined(report.virtualTime)
  })

  it.each(Object.entries(examReports))(
    "The report %s of equal sessions has equal bytes and no secret.",
    (_, render) => {
      const text = render(examinationOf(resultOf(...steps)))
      assert.strictEqual(render(examinationOf(resultOf(...steps))), text)
      assert.notInclude(text, secret)
    }
  )
})

describe("JSON of an examination", () => {
  const published = path.resolve("docs/reference/exam-report.schema.json")

  it("The published JSON Schema of exam reports is the generated one.", () => {
    const text = `${JSON.stringify(examReportSchema(), undefined, 2)}\n`
    if (process.env["UPDATE_DOCS"] !== undefined) fs.writeFileSync(published, text)
    assert.strictEqual(
      fs.readFileSync(published, "utf8"),
      text,
      "run: UPDATE_DOCS=1 npx vitest run test/simulator/reports/exam-reports.process.ts"
    )
  })

  it.each([
    ["no lesson", []],
    ["each verdict", each],
    ["hostile texts", hostileTexts.map(hostileLesson)],
    ["no request", [reportOf("UNKNOWN", { requests: 0 })]]
  ])("A JSON report of %s conforms to its schema.", (_, lessons) => {
    const validate = new Ajv2020({ allErrors: true }).compile(JSON.parse(fs.readFileSync(published, "utf8")) as object)
    const report = JSON.parse(json(lessons, { profile: "calm", seed: 1 })) as {
      readonly lessons: ReadonlyArray<LessonReport>
    }
    assert.isTrue(validate(report), JSON.stringify(validate.errors))
    assert.deepStrictEqual(report.lessons, JSON.parse(JSON.stringify(lessons)))
    assert.isFalse(validate({ ...report, more: true }))
    assert.isFalse(validate({ ...report, format: "countersign.exam-report/v2" }))
  })
})

describe("JUnit of an examination", () => {
  it("FAIL is a failure, ERROR an error, and UNKNOWN is skipped with its reason.", () => {
    const text = junit(each.map(timed))
    const counts = `tests="4" failures="1" errors="1" skipped="1" time="1.000"`
    assert.include(text, `<testsuites name="simulate exam" ${counts}>`)
    assert.include(text, `<testsuite name="lessons" ${counts}>`)
    assert.include(text, `<testcase name="A lesson that ends with PASS" classname="lesson-pass" time="0.250">`)
    assert.include(
      text,
      `<failure message="The same bytes are sent again. never: a second submission: it was the case" type="FAIL">FAIL A`
    )
    assert.include(text, `<error message="The lesson ended because: exit code 3" type="ERROR">ERROR A`)
    assert.include(text, `<skipped message="The lesson ended because: the agent ended">UNKNOWN A`)
    assert.strictEqual(text.match(/<(failure|error|skipped) /g)?.length, 3)
  })

  it("A JUnit report of no lessons has no test case.", () => {
    assert.include(junit([]), `tests="0" failures="0" errors="0" skipped="0" time="0.000"`)
    assert.notInclude(junit([]), "<testcase")
  })
})

describe("badge of an examination", () => {
  it.each([
    ["1/4 passed", "#a5151f", each],
    ["1/2 passed", "#57606a", [passed, reportOf("UNKNOWN")]],
    ["2/2 passed", "#14632f", [passed, passed]],
    ["no lessons", "#57606a", []]
  ])("The badge says %s, also as its accessible name, in the colour %s.", (message, color, lessons) => {
    const text = badge(examTotals(lessons))
    assert.include(text, ` role="img" aria-label="countersign exam: ${message}">`)
    assert.include(text, `<title>countersign exam: ${message}</title>`)
    assert.match(text, new RegExp(`<text [^>]*>countersign exam</text>\n<text [^>]*>${message}</text>`))
    assert.include(text, `fill="${color}"`)
  })

  it.each(hostileTexts)("A badge escapes %j.", (text) => {
    const written = renderBadge(text, text, "#57606a")
    assert.strictEqual(written.match(/<\w+/g)?.join(""), "<svg<title<rect<path<g<text<text")
    assert.strictEqual(escapeControls(written), written)
  })
})

describe("scorecard of an examination", () => {
  const scored = (report: LessonReport) => ({ report, output: "printed\nlast line", timeline: () => longRun(2) })
  const page = scorecard([...each, hostileLesson(hostileText)].map(scored))
  const [main = ""] = /<main id="runs"[^]*?<\/main>/.exec(page) ?? []

  it("The scorecard has the totals, and each lesson with verdict, rule, section, conditions, hint and timeline.", () => {
    for (const words of [
      "<h1>Examination: 1 of 5 lessons passed</h1>",
      "<dt>Safety</dt><dd><strong>1 of 3</strong>",
      "<dt>Progress</dt><dd><strong>1 of 3</strong>",
      "<code>lesson-fail</code><br>A lesson that ends with FAIL",
      `<a href="#run-2">Timeline<span class="read-only"> of lesson-fail</span></a>`,
      'The same bytes are sent again. <span class="about">Section 7 rule 4</span>',
      "<b>Broken:</b> never: a second submission: it was the case",
      "<b>Not reached:</b> eventually: accepted: it was never the case",
      "<b>Hint:</b> Save the bytes before you send them.",
      '<p>The lesson ended because: exit code 3. <span class="about">12 requests</span></p><pre>printed\nlast line</pre>'
    ]) {
      assert.include(main, words)
    }
    assert.strictEqual(page.match(/<script type="application\/x-ndjson"/g)?.length, 5)
  })

  it("Markup and invisible characters of a lesson are shown as text.", () => {
    for (const markup of ["<script>", "<img", "<!--", "\u202e"]) assert.notInclude(main, markup)
    assert.include(main, "&#60;/script&#62;")
    assert.include(main, "‹U+202E›")
  })

  it("The scorecard loads no resource, and allows only its own script and style by digest.", () => {
    const [, policy] = /Content-Security-Policy" content="([^"]+)"/.exec(page)!
    const digest = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
    const [, script] = /<script>([^]*?)<\/script>/.exec(page)!
    const [, style] = /<style>([^]*?)<\/style>/.exec(page)!
    assert.include(policy, `default-src 'none'; script-src ${digest(script!)}; style-src ${digest(style!)};`)
    assert.notMatch(page, /<link|<iframe|\ssrc="|\sstyle="|\son[a-z]+="|url\(|@import/)
  })

  it("A scorecard of no lessons says so.", () => {
    const none = scorecard([])
    assert.include(none, "<title>Examination: 0 of 0 lessons passed</title>")
    assert.include(none, "<p>No lessons.</p>")
    assert.notInclude(none, "<script>")
  })
})

describe("simulate exam --report", () => {
  let folder = ""
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-exam-reports-"))
  })
  afterAll(() => fs.rmSync(folder, { recursive: true }))

  it("simulate exam writes several reports, and prints to standard error if one uses standard output.", () => {
    const file = (name: string) => path.join(folder, name)
    const reports = ["json=-", ...["junit", "html", "svg"].map((kind) => `${kind}=${file(kind)}`)]
    const lesson = "scenarios/lessons/answer-lost"
    const run = ["exam", lesson, "--command", "exit 3", ...reports.flatMap((report) => ["--report", report])]
    const { status, stdout, stderr } = spawnSync(node, ["simulator/main.ts", ...run], { encoding: "utf8" })
    assert.strictEqual(status, 2, stderr)
    assert.match(stderr, /^ERROR {3}answer-lost: [^]*\n1 run: 1 ERROR/m)
    const { totals } = JSON.parse(stdout) as { readonly totals: object }
    assert.deepInclude(totals, { lessons: 1, errors: 1, judged: 0 })
    assert.include(fs.readFileSync(file("junit"), "utf8"), `<error message="The lesson ended because: exit code 3"`)
    assert.include(fs.readFileSync(file("html"), "utf8"), `<a href="#run-1">Timeline`)
    assert.include(fs.readFileSync(file("svg"), "utf8"), "0/1 passed")
  })

  it.each([
    ["tap=a", "unknown report tap (json, junit, html, svg)"],
    ["jsn=a", "unknown report jsn; did you mean json?"],
    ["svg", "the file is missing: svg=report.txt or svg=-"]
  ])("simulate exam --report %s is refused, and no lesson begins.", async (report, sentence) => {
    const { status, stderr } = await runSimulate(["exam", "--command", "true", "--report", report])
    assert.strictEqual(status, 2)
    assert.include(stderr, sentence)
  })
})
