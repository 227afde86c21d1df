/** Reports of runs: the content of each format, and the escaping of hostile texts. */
import { readFileSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Console, Effect, Result } from "effect"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import { endWith, print } from "../../../simulator/commands/exit.ts"
import { paintStory } from "../../../simulator/commands/narration.ts"
import { readDestinations } from "../../../simulator/reports/destinations.ts"
import { finishRun, unreadableScript } from "../../../simulator/reports/finish-run.ts"
import type { FinishedRun } from "../../../simulator/reports/finished-run.ts"
import { github } from "../../../simulator/reports/github.ts"
import { html } from "../../../simulator/reports/html.ts"
import { json, reportSchema } from "../../../simulator/reports/json.ts"
import { junit } from "../../../simulator/reports/junit.ts"
import { replayCommand } from "../../../simulator/reports/replay-command.ts"
import { runReports } from "../../../simulator/reports/run-reports.ts"
import { tap } from "../../../simulator/reports/tap.ts"
import { escapeControls, escapeLine, escapeForTerminal } from "../../../simulator/reports/escape.ts"
import { xmlAttribute, xmlText } from "../../../simulator/reports/xml.ts"
import { readScenario } from "../../../simulator/scenario/format/read.ts"
import { simulate } from "../../../simulator/scenario/simulate.ts"
import { hostileRun, hostileTexts } from "../../support/reports.ts"

const script = (answer: string) => `
scenario: A stranger asks
given: { visitors: { iris: Iris } }
steps:
  - { as: iris, do: me, expect: { error: AUTH_INVALID } }
  - advance: 90s
  - { as: iris, do: me, expect: { error: ${answer} } }
`

const finished = (text: string): FinishedRun => {
  const file = "stories/stranger.yaml"
  const scenario = Result.getOrThrow(readScenario(file, text))
  const replay = replayCommand(file, { storage: "memory", check: false })
  return finishRun({ file, scenario, simulated: simulate(scenario, { file }), replay, laterFailures: [] })
}

const passed = finished(script("AUTH_INVALID"))
const failed = finished(script("FORBIDDEN_AGENT_ACTION"))
const unusable = unreadableScript(
  "stories/odd.yaml",
  "stories/odd.yaml:3:11: unknown actor iris\n  a line\n  ^",
  "replay"
)

describe("report data of a run", () => {
  it("The report data of a run has the counts of its trace", () => {
    const { failures, ...rest } = passed
    assert.deepStrictEqual(failures, [])
    assert.deepStrictEqual(rest, {
      file: "stories/stranger.yaml",
      title: "A stranger asks",
      verdict: "PASSED",
      seed: 1,
      virtualTime: { from: "2026-01-05T09:00:00.000Z", until: "2026-01-05T09:01:30.000Z", milliseconds: 90_000 },
      steps: { begun: 3, planned: 3 },
      requests: 2,
      commits: 0,
      callbacks: 0,
      faults: 0,
      refusals: { AUTH_INVALID: 2 },
      replay: "npm run -s simulate -- run stories/stranger.yaml"
    })
  })

  it("A failure has its place, its differences and the trace around it", () => {
    assert.strictEqual(failed.verdict, "FAILED")
    const [failure] = failed.failures
    assert.deepInclude(failure, { file: "stories/stranger.yaml", line: 7, reason: "unexpected response" })
    assert.deepInclude(failure!.differences, {
      path: "error",
      expected: "FORBIDDEN_AGENT_ACTION",
      actual: "AUTH_INVALID"
    })
    assert.include(failure!.trace.at(-1), `"kind":"verdict"`)
    assert.isTrue(failure!.trace.some((line) => line.includes(`"step":3`)))
  })

  it("The failure of an unreadable script has the place of the first problem", () => {
    assert.deepInclude(unusable.failures[0], { line: 3, details: ["  a line", "  ^"] })
  })

  it("A run that passed is reported as failed if a later check found a failure", () => {
    const found = { file: "a", line: 1, reason: "r", differences: [], details: [], trace: [] }
    const file = "s.yaml"
    const scenario = Result.getOrThrow(readScenario(file, script("AUTH_INVALID")))
    const simulated = simulate(scenario, { file })
    assert.strictEqual(finishRun({ file, scenario, simulated, replay: "", laterFailures: [found] }).verdict, "FAILED")
  })

  it("The replay command of a run is quoted for the shell", () => {
    assert.strictEqual(
      replayCommand("it's $HOME.yaml", { storage: "postgres", seed: 7, check: true }),
      String.raw`npm run -s simulate -- run 'it'\''s $HOME.yaml' --storage postgres --seed 7 --check`
    )
    assert.include(replayCommand("--update", { storage: "memory", check: false }), " ./--update")
  })
})

describe("JUnit", () => {
  it("A JUnit report has a suite per folder, and failures with message, differences and replay command", () => {
    const text = junit([passed, failed, { ...passed, file: "other/one.yaml" }].map((run) => ({ run, seconds: 0.25 })))
    assert.include(text, `<testsuites name="simulate" tests="3" failures="1" errors="0" skipped="0" time="0.750">`)
    assert.include(text, `<testsuite name="stories" tests="2" failures="1" errors="0" skipped="0" time="0.500">`)
    assert.include(text, `<testsuite name="other" tests="1" failures="0"`)
    assert.include(
      text,
      `<failure message="unexpected response" type="FAILED">stories/stranger.yaml:7: unexpected response`
    )
    assert.include(text, `error: expected "FORBIDDEN_AGENT_ACTION", got "AUTH_INVALID"`)
    assert.include(text, "\n\nreplay: npm run -s simulate -- run stories/stranger.yaml</system-out>")
  })

  it("A JUnit report lists an unreadable script as an error", () => {
    const text = junit([{ run: unusable, seconds: 0 }])
    assert.include(text, `errors="1"`)
    assert.include(text, `<error message="stories/odd.yaml:3:11: unknown actor iris" type="UNUSABLE">`)
  })

  it.each([
    ["a & b < c > d", "a &amp; b &lt; c &gt; d", "a &amp; b &lt; c &gt; d"],
    ["]]>", "]]&gt;", "]]&gt;"],
    [`"it's"`, `"it's"`, "&quot;it's&quot;"],
    ["a\tb\nc\rd", "a\tb\nc&#13;d", "a&#9;b&#10;c&#13;d"],
    ["\u0000\u001B[31m\u007F\u0085\uFFFE\uFFFF", ...both(String.raw`\u0000\u001B[31m\u007F\u0085\uFFFE\uFFFF`)],
    ["\uD800 and \uDC00", ...both(String.raw`\uD800 and \uDC00`)],
    ["\u{1F600} é \u2028", ...both("\u{1F600} é \u2028")]
  ])("XML output escapes %j", (text, between, attribute) => {
    assert.strictEqual(xmlText(text), between)
    assert.strictEqual(xmlAttribute(text), attribute)
  })
})

describe("TAP", () => {
  const pointsOf = (text: string) => text.split("\n").filter((line) => /^(not )?ok\b/.test(line))
  const diagnosticsOf = (text: string) =>
    [...text.matchAll(/^ {2}---\n([\s\S]*?)\n {2}\.\.\.$/gm)].map(([, block]) => parse(block!) as unknown)

  it("A TAP report has a plan, a test point per run, and YAML diagnostics", () => {
    const text = tap([passed, failed, unusable])
    assert.strictEqual(text.split("\n").slice(0, 2).join("\n"), "TAP version 14\n1..3")
    assert.deepStrictEqual(pointsOf(text), [
      "ok 1 - A stranger asks",
      "not ok 2 - A stranger asks",
      "not ok 3 - stories/odd.yaml"
    ])
    const [first, second] = diagnosticsOf(text)
    assert.deepInclude(first, { seed: 1, requests: 2, virtualMilliseconds: 90_000, refusals: "AUTH_INVALID 2" })
    const failures = [{ at: "stories/stranger.yaml:7", message: "unexpected response" }]
    assert.containSubset(second, { verdict: "FAILED", failures })
  })

  it.each(hostileTexts)("A TAP report escapes %j", (text) => {
    const written = tap([hostileRun(text)])
    assert.strictEqual(pointsOf(written).length, 1)
    assert.match(pointsOf(written)[0]!, /^not ok 1 - /)
    assert.notMatch(pointsOf(written)[0]!, /[^\\]#/)
    assert.containSubset(diagnosticsOf(written), [{ failures: [{ message: escapeControls(text) }] }])
    // The YAML subset of harnesses: one key or list item per line, and double-quoted strings.
    for (const line of written.trimEnd().split("\n").slice(4, -1)) {
      assert.match(line, /^ +(- )?(\w+: )?("(\\.|[^"\\])*"|\d+)$|^ +(- )?\w+:$/)
    }
    // oxlint-disable-next-line no-control-regex
    assert.notMatch(written, /[\u0000-\u0008\u000B-\u001F]/)
  })
})

describe("annotations for GitHub", () => {
  it("GitHub annotations have one line per failure, with its place", () => {
    const lines = github([passed, failed]).split("\n")
    assert.strictEqual(lines.length, 2)
    assert.match(lines[0]!, /^::error file=stories\/stranger\.yaml,line=7,title=A stranger asks::stories/)
    assert.include(lines[0], `%0A  error: expected "FORBIDDEN_AGENT_ACTION", got "AUTH_INVALID"`)
  })

  it.each(hostileTexts)("A GitHub annotation stays a single command with %j", (text) => {
    const [line, ...rest] = github([hostileRun(text)]).split("\n")
    assert.deepStrictEqual(rest, [""])
    const [, properties, message] = /^::error ([^:]*)::(.*)$/s.exec(line!)!
    assert.deepStrictEqual(
      properties!.split(",").map((one) => one.split("=")[0]),
      ["file", "line", "title"]
    )
    assert.include(unescaped(message!), escapeControls(text))
  })

  const unescaped = (text: string) => text.replaceAll("%0A", "\n").replaceAll("%0D", "\r").replaceAll("%25", "%")
})

describe("JSON", () => {
  const published = path.resolve("docs/reference/run-report.schema.json")

  it("The published JSON Schema of reports is the generated one", () => {
    const text = `${JSON.stringify(reportSchema(), undefined, 2)}\n`
    if (process.env["UPDATE_DOCS"] !== undefined) writeFileSync(published, text)
    assert.strictEqual(
      readFileSync(published, "utf8"),
      text,
      "run: UPDATE_DOCS=1 npx vitest run test/simulator/reports/reports.test.ts"
    )
  })

  it("A JSON report conforms to its schema for hostile texts", () => {
    const validate = new Ajv2020({ allErrors: true }).compile(JSON.parse(readFileSync(published, "utf8")) as object)
    const runs = [passed, failed, unusable, ...hostileTexts.map(hostileRun)]
    const report = JSON.parse(json(runs)) as { readonly runs: ReadonlyArray<object>; readonly totals: object }
    assert.isTrue(validate(report), JSON.stringify(validate.errors))
    assert.deepStrictEqual(report.runs, JSON.parse(JSON.stringify(runs)))
    assert.deepInclude(report.totals, { runs: runs.length, passed: 1, unusable: 1 })
    assert.isFalse(validate({ ...report, more: true }))
    assert.isFalse(validate({ ...report, format: "countersign.run-report/v2" }))
  })
})

describe("HTML", () => {
  const file = "stories/stranger.yaml"
  const scenario = Result.getOrThrow(readScenario(file, script("AUTH_INVALID")))
  const simulated = simulate(scenario, { file })

  it("An HTML report has the row changes of each commit, redacted", () => {
    const row = { token: "s3cret", plain: "seen" }
    const changesOf = () => [{ table: "credentials", key: ["one"], before: null, after: row }]
    const redact = (text: string) => text.replaceAll("s3cret", "{a token}")
    const ran = { file, scenario, simulated: { ...simulated, changesOf, redact }, replay: "", laterFailures: [] }
    const page = html([{ run: finishRun(ran), ran }])
    assert.match(page, /^<!doctype html>/)
    assert.include(page, '"after":{"token":"{a token}","plain":"seen"}')
    assert.notInclude(page, "s3cret")
  })

  it("An HTML report has the verdict and the failures of the report data, not only of the trace", () => {
    const found = { file: "golden.txt", line: 3, reason: "not as committed", differences: [], details: [], trace: [] }
    const ran = { file, scenario, simulated, replay: "", laterFailures: [found] }
    const page = html([{ run: finishRun(ran), ran }])
    assert.include(page, "<title>A stranger asks: FAILED</title>")
    assert.include(page, "golden.txt:3: not as committed")
  })

  it("An HTML report lists unreadable scripts with the reason", () => {
    const page = html([{ run: unusable, ran: undefined }])
    assert.include(page, "<title>stories/odd.yaml: UNUSABLE</title>")
    assert.include(page, "stories/odd.yaml:3:11: unknown actor iris")
    assert.include(page, "stories/odd.yaml: 0 events")
  })
})

describe("report destinations", () => {
  it("A report destination is a file or standard output", () => {
    assert.deepStrictEqual(Result.getOrThrow(readDestinations(runReports, ["junit=a=b.xml", "tap=-"])), [
      { kind: "junit", file: "a=b.xml" },
      { kind: "tap", file: "-" }
    ])
  })

  it.each([
    [["junti=a"], "unknown report junti; did you mean junit?"],
    [["toString=a"], "unknown report toString"],
    [["tap"], "the file is missing: tap=report.txt or tap=-"],
    [["tap="], "the file is missing"],
    [["tap=-", "json=-"], "another report is already written there"],
    [["tap=a", "json=./a"], "another report is already written there"],
    [["tap=./trace"], "the trace is already written there"]
  ])("Report destinations %j are refused", (texts, sentence) => {
    const read = readDestinations(runReports, texts, "trace")
    assert.include(Result.isFailure(read) ? read.failure : "", sentence)
  })
})

describe("story of concurrent steps", () => {
  const text = `
scenario: At once
given: { visitors: { iris: Iris, olga: Olga } }
steps:
  - together:
      - { as: iris, do: me, expect: { error: FORBIDDEN_AGENT_ACTION } }
      - { as: olga, do: legalConfig }
`
  const { story } = simulate(Result.getOrThrow(readScenario("s.yaml", text)), { file: "s.yaml" })

  it("A story shows each answer at its step, and the failure at the step that failed", () => {
    assert.match(
      story,
      /iris {2}me +401 AUTH_INVALID\n +The credential .*\(specification 7\)\n {2}s\.yaml:6: unexpected response\n/
    )
    assert.match(story, /olga {2}legalConfig +200\n/)
  })
})

describe("output of a command", () => {
  it.each([print, (text: string) => endWith(0, text)])(
    "The output of a command escapes terminal control characters",
    (write) => {
      const output: Array<unknown> = []
      const recording: Console.Console = {
        ...console,
        log: (text) => output.push(text),
        error: (text) => output.push(text)
      }
      Effect.runSync(Effect.provideService(write("\u001B[2J\u009B\u202E"), Console.Console, recording))
      assert.deepStrictEqual(output, [String.raw`\u001B[2J\u009B\u202E`])
    }
  )
})

describe("story on a terminal", () => {
  it("A story on a terminal is coloured without changing its text", () => {
    const story = "Title\n\n  # said\n  09:00  iris  me  401\n  s.yaml:4: unexpected response\n    ! logged\n"
    const shown = paintStory(`${story}  3 steps, as expected; 1d\n`, (style, text) => `<${style}>${text}`)
    assert.deepStrictEqual(shown.match(/<\w+>/g), ["<bold>", "<dim>", "<red>", "<red>", "<green>"])
    assert.strictEqual(shown.replace(/<\w+>/g, ""), `${story}  3 steps, as expected; 1d\n`)
  })

  it("Terminal control characters, bidirectional controls and carriage returns are escaped", () => {
    assert.strictEqual(escapeControls("\u001B]0;title\u0007"), String.raw`\u001B]0;title\u0007`)
    assert.strictEqual(escapeControls("\u009B1m \u202E\u2066"), String.raw`\u009B1m \u202E\u2066`)
    assert.strictEqual(escapeControls("\u202A\u202B\u202C\u202D\u2067\u2068\u2069").match(/\\u20/g)?.length, 7)
    assert.strictEqual(escapeControls("\u2029\u202F\u2065\u206A"), "\u2029\u202F\u2065\u206A")
    assert.strictEqual(escapeForTerminal("passed\rFAILED\n"), "passed\\u000DFAILED\n")
    assert.strictEqual(escapeLine("  one\r\n two\u2028three "), "one two three")
  })
})

function both(text: string): readonly [string, string] {
  return [text, text]
}
