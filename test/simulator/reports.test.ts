/** Reports of finished runs: what each format says, and that no text can break out of it. */
import { readFileSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Console, Effect, Result } from "effect"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import { end, print } from "../../simulator/commands/ending.ts"
import { painted } from "../../simulator/commands/narration.ts"
import { readDestinations } from "../../simulator/reports/destinations.ts"
import { finish, unreadable } from "../../simulator/reports/finish.ts"
import type { FinishedRun } from "../../simulator/reports/finished-run.ts"
import { github } from "../../simulator/reports/github.ts"
import { html } from "../../simulator/reports/html.ts"
import { json, reportSchema } from "../../simulator/reports/json.ts"
import { junit } from "../../simulator/reports/junit.ts"
import { replayCommand } from "../../simulator/reports/replay.ts"
import { tap } from "../../simulator/reports/tap.ts"
import { visible, visibleLine, visibleOnTerminal } from "../../simulator/reports/visible.ts"
import { xmlAttribute, xmlText } from "../../simulator/reports/xml.ts"
import { readScenario } from "../../simulator/script/read.ts"
import { simulate } from "../../simulator/simulate.ts"
import { hostileRun, hostileTexts } from "../support/reports.ts"

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
  return finish({ file, scenario, simulated: simulate(scenario, { file }), replay, alsoFound: [] })
}

const passed = finished(script("AUTH_INVALID"))
const failed = finished(script("FORBIDDEN_AGENT_ACTION"))
const unusable = unreadable("stories/odd.yaml", "stories/odd.yaml:3:11: nobody is called iris\n  a line\n  ^", "replay")

describe("a finished run", () => {
  it("counts what its trace holds", () => {
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

  it("has the place, the differences and the trace around its failure", () => {
    assert.strictEqual(failed.verdict, "FAILED")
    const [failure] = failed.failures
    assert.deepInclude(failure, { file: "stories/stranger.yaml", line: 7, reason: "the answer is another" })
    assert.deepInclude(failure!.differences, {
      path: "error",
      expected: "FORBIDDEN_AGENT_ACTION",
      actual: "AUTH_INVALID"
    })
    assert.include(failure!.trace.at(-1), `"kind":"verdict"`)
    assert.isTrue(failure!.trace.some((line) => line.includes(`"step":3`)))
  })

  it("of a script that cannot be read has the place that its reader names", () => {
    assert.deepInclude(unusable.failures[0], { line: 3, details: ["  a line", "  ^"] })
  })

  it("fails where something is found after it has passed", () => {
    const found = { file: "a", line: 1, reason: "r", differences: [], details: [], trace: [] }
    const file = "s.yaml"
    const scenario = Result.getOrThrow(readScenario(file, script("AUTH_INVALID")))
    const simulated = simulate(scenario, { file })
    assert.strictEqual(finish({ file, scenario, simulated, replay: "", alsoFound: [found] }).verdict, "FAILED")
  })

  it("is run again by a command that a shell takes as it is meant", () => {
    assert.strictEqual(
      replayCommand("it's $HOME.yaml", { storage: "postgres", seed: 7, check: true }),
      String.raw`npm run -s simulate -- run 'it'\''s $HOME.yaml' --storage postgres --seed 7 --check`
    )
    assert.include(replayCommand("--update", { storage: "memory", check: false }), " ./--update")
  })
})

describe("JUnit", () => {
  it("has a suite for each folder and all that a failure needs", () => {
    const text = junit([passed, failed, { ...passed, file: "other/one.yaml" }].map((run) => ({ run, seconds: 0.25 })))
    assert.include(text, `<testsuites name="simulate" tests="3" failures="1" errors="0" skipped="0" time="0.750">`)
    assert.include(text, `<testsuite name="stories" tests="2" failures="1" errors="0" skipped="0" time="0.500">`)
    assert.include(text, `<testsuite name="other" tests="1" failures="0"`)
    assert.include(text, `<failure message="the answer is another" type="FAILED">stories/stranger.yaml:7: the answer`)
    assert.include(text, `error: expected "FORBIDDEN_AGENT_ACTION", got "AUTH_INVALID"`)
    assert.include(text, "\n\nreplay: npm run -s simulate -- run stories/stranger.yaml</system-out>")
  })

  it("calls a script that cannot be read an error", () => {
    const text = junit([{ run: unusable, seconds: 0 }])
    assert.include(text, `errors="1"`)
    assert.include(text, `<error message="stories/odd.yaml:3:11: nobody is called iris" type="UNUSABLE">`)
  })

  it.each([
    ["a & b < c > d", "a &amp; b &lt; c &gt; d", "a &amp; b &lt; c &gt; d"],
    ["]]>", "]]&gt;", "]]&gt;"],
    [`"it's"`, `"it's"`, "&quot;it's&quot;"],
    ["a\tb\nc\rd", "a\tb\nc&#13;d", "a&#9;b&#10;c&#13;d"],
    ["\u0000\u001B[31m\u007F\u0085\uFFFE\uFFFF", ...both(String.raw`\u0000\u001B[31m\u007F\u0085\uFFFE\uFFFF`)],
    ["\uD800 and \uDC00", ...both(String.raw`\uD800 and \uDC00`)],
    ["\u{1F600} é \u2028", ...both("\u{1F600} é \u2028")]
  ])("writes %j so that every parser reads it", (text, between, attribute) => {
    assert.strictEqual(xmlText(text), between)
    assert.strictEqual(xmlAttribute(text), attribute)
  })
})

describe("TAP", () => {
  const pointsOf = (text: string) => text.split("\n").filter((line) => /^(not )?ok\b/.test(line))
  const diagnosticsOf = (text: string) =>
    [...text.matchAll(/^ {2}---\n([\s\S]*?)\n {2}\.\.\.$/gm)].map(([, block]) => parse(block!) as unknown)

  it("has a plan, a test point for each run, and diagnostics in YAML", () => {
    const text = tap([passed, failed, unusable])
    assert.strictEqual(text.split("\n").slice(0, 2).join("\n"), "TAP version 14\n1..3")
    assert.deepStrictEqual(pointsOf(text), [
      "ok 1 - A stranger asks",
      "not ok 2 - A stranger asks",
      "not ok 3 - stories/odd.yaml"
    ])
    const [first, second] = diagnosticsOf(text)
    assert.deepInclude(first, { seed: 1, requests: 2, virtualMilliseconds: 90_000, refusals: "AUTH_INVALID 2" })
    const failures = [{ at: "stories/stranger.yaml:7", message: "the answer is another" }]
    assert.containSubset(second, { verdict: "FAILED", failures })
  })

  it.each(hostileTexts)("cannot be led astray by %j", (text) => {
    const written = tap([hostileRun(text)])
    assert.strictEqual(pointsOf(written).length, 1)
    assert.match(pointsOf(written)[0]!, /^not ok 1 - /)
    assert.notMatch(pointsOf(written)[0]!, /[^\\]#/)
    assert.containSubset(diagnosticsOf(written), [{ failures: [{ message: visible(text) }] }])
    // What harnesses read of YAML: one key or item of a list on each line, and every text in double quotes.
    for (const line of written.trimEnd().split("\n").slice(4, -1)) {
      assert.match(line, /^ +(- )?(\w+: )?("(\\.|[^"\\])*"|\d+)$|^ +(- )?\w+:$/)
    }
    // oxlint-disable-next-line no-control-regex
    assert.notMatch(written, /[\u0000-\u0008\u000B-\u001F]/)
  })
})

describe("annotations for GitHub", () => {
  it("are one line for each failure, at its place", () => {
    const lines = github([passed, failed]).split("\n")
    assert.strictEqual(lines.length, 2)
    assert.match(lines[0]!, /^::error file=stories\/stranger\.yaml,line=7,title=A stranger asks::stories/)
    assert.include(lines[0], `%0A  error: expected "FORBIDDEN_AGENT_ACTION", got "AUTH_INVALID"`)
  })

  it.each(hostileTexts)("stay one command each with %j", (text) => {
    const [line, ...rest] = github([hostileRun(text)]).split("\n")
    assert.deepStrictEqual(rest, [""])
    const [, properties, message] = /^::error ([^:]*)::(.*)$/s.exec(line!)!
    assert.deepStrictEqual(
      properties!.split(",").map((one) => one.split("=")[0]),
      ["file", "line", "title"]
    )
    assert.include(unescaped(message!), visible(text))
  })

  const unescaped = (text: string) => text.replaceAll("%0A", "\n").replaceAll("%0D", "\r").replaceAll("%25", "%")
})

describe("JSON", () => {
  const published = path.resolve(import.meta.dirname, "../../docs/reference/run-report.schema.json")

  it("has the published form, which is generated", () => {
    const text = `${JSON.stringify(reportSchema(), undefined, 2)}\n`
    if (process.env["UPDATE_DOCS"] !== undefined) writeFileSync(published, text)
    assert.strictEqual(
      readFileSync(published, "utf8"),
      text,
      "run: UPDATE_DOCS=1 npx vitest run test/simulator/reports.test.ts"
    )
  })

  it("fits it, whatever it holds", () => {
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

  it("is a page with what each commit changed, and with no secret", () => {
    const row = { token: "s3cret", plain: "seen" }
    const changesOf = () => [{ table: "credentials", key: ["one"], before: null, after: row }]
    const redact = (text: string) => text.replaceAll("s3cret", "{a token}")
    const ran = { file, scenario, simulated: { ...simulated, changesOf, redact }, replay: "", alsoFound: [] }
    const page = html([{ run: finish(ran), ran }])
    assert.match(page, /^<!doctype html>/)
    assert.include(page, '"after":{"token":"{a token}","plain":"seen"}')
    assert.notInclude(page, "s3cret")
  })

  it("has the verdict and the failures of the finished run, whatever the trace alone would say", () => {
    const found = { file: "golden.txt", line: 3, reason: "not as committed", differences: [], details: [], trace: [] }
    const ran = { file, scenario, simulated, replay: "", alsoFound: [found] }
    const page = html([{ run: finish(ran), ran }])
    assert.include(page, "<title>A stranger asks: FAILED</title>")
    assert.include(page, "golden.txt:3: not as committed")
  })

  it("lists a script that could not be read, and why", () => {
    const page = html([{ run: unusable, ran: undefined }])
    assert.include(page, "<title>stories/odd.yaml: UNUSABLE</title>")
    assert.include(page, "stories/odd.yaml:3:11: nobody is called iris")
    assert.include(page, "stories/odd.yaml: 0 events")
  })
})

describe("where reports go", () => {
  it("is a file or standard output, one report each", () => {
    assert.deepStrictEqual(Result.getOrThrow(readDestinations(["junit=a=b.xml", "tap=-"])), [
      { kind: "junit", file: "a=b.xml" },
      { kind: "tap", file: "-" }
    ])
  })

  it.each([
    [["junti=a"], "there is no report junti; did you mean junit?"],
    [["toString=a"], "there is no report toString"],
    [["tap"], "say where it goes, like tap=report.txt or tap=-"],
    [["tap="], "say where it goes"],
    [["tap=-", "json=-"], "another report goes there already"],
    [["tap=a", "json=./a"], "another report goes there already"],
    [["tap=./trace"], "the trace goes there already"]
  ])("is refused for %j", (texts, sentence) => {
    const read = readDestinations(texts, "trace")
    assert.include(Result.isFailure(read) ? read.failure : "", sentence)
  })
})

describe("a story", () => {
  const text = `
scenario: At once
given: { visitors: { iris: Iris, olga: Olga } }
steps:
  - together:
      - { as: iris, do: me, expect: { error: FORBIDDEN_AGENT_ACTION } }
      - { as: olga, do: legalConfig }
`
  const { story } = simulate(Result.getOrThrow(readScenario("s.yaml", text)), { file: "s.yaml" })

  it("tells each answer beside the step that asked, and the failure at the step that failed", () => {
    assert.match(story, /iris {2}me +401 AUTH_INVALID\n {2}s\.yaml:6: the answer is another\n/)
    assert.match(story, /olga {2}legalConfig +200\n/)
  })
})

describe("what a command says", () => {
  it.each([print, (text: string) => end(0, text)])("shows what a terminal would obey", (say) => {
    const said: Array<unknown> = []
    const listening: Console.Console = { ...console, log: (text) => said.push(text), error: (text) => said.push(text) }
    Effect.runSync(Effect.provideService(say("\u001B[2J\u009B\u202E"), Console.Console, listening))
    assert.deepStrictEqual(said, [String.raw`\u001B[2J\u009B\u202E`])
  })
})

describe("a story on a terminal", () => {
  it("has colours for its parts and keeps every character", () => {
    const story = "Title\n\n  # said\n  09:00  iris  me  401\n  s.yaml:4: the answer is another\n    ! logged\n"
    const shown = painted(`${story}  3 steps, as expected; 1d\n`, (style, text) => `<${style}>${text}`)
    assert.deepStrictEqual(shown.match(/<\w+>/g), ["<bold>", "<dim>", "<red>", "<red>", "<green>"])
    assert.strictEqual(shown.replace(/<\w+>/g, ""), `${story}  3 steps, as expected; 1d\n`)
  })

  it("shows what a terminal would obey", () => {
    assert.strictEqual(visible("\u001B]0;title\u0007"), String.raw`\u001B]0;title\u0007`)
    assert.strictEqual(visible("\u009B1m \u202E\u2066"), String.raw`\u009B1m \u202E\u2066`)
    assert.strictEqual(visible("\u202A\u202B\u202C\u202D\u2067\u2068\u2069").match(/\\u20/g)?.length, 7)
    assert.strictEqual(visible("\u2029\u202F\u2065\u206A"), "\u2029\u202F\u2065\u206A")
    assert.strictEqual(visibleOnTerminal("passed\rFAILED\n"), "passed\\u000DFAILED\n")
    assert.strictEqual(visibleLine("  one\r\n two\u2028three "), "one two three")
  })
})

function both(text: string): readonly [string, string] {
  return [text, text]
}
