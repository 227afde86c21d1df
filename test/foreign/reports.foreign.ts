/** JUnit reports and badges with hostile texts, read by Python's strict XML parser, and TAP by Perl's harness. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { renderBadge } from "../../simulator/examination/reports/badge.ts"
import { junit as examJunit } from "../../simulator/examination/reports/junit.ts"
import { junit } from "../../simulator/reports/junit.ts"
import { tap } from "../../simulator/reports/tap.ts"
import { escapeControls } from "../../simulator/reports/escape.ts"
import { hostileLesson, timed } from "../support/lesson-reports.ts"
import { hostileRun, hostileTexts } from "../support/reports.ts"

const readXml = `
import json, sys, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
print(json.dumps([root.attrib["tests"], [
  {"name": case.attrib["name"], "message": case.find("failure").attrib["message"],
   "text": case.find("failure").text, "out": case.find("system-out").text}
  for case in root.iter("testcase")]]))
`

const readBadge = `
import json, sys, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
print(json.dumps([root.attrib["aria-label"], *[text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]]))
`

const readExam = `
import json, sys, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
print(json.dumps([[case.attrib["name"], case.find("failure").text] for case in root.iter("testcase")]))
`

const readByPython = (program: string, input: string): unknown => {
  const { status, stdout, stderr } = spawnSync("python3", ["-c", program], { input, encoding: "utf8" })
  assert.strictEqual(status, 0, stderr)
  return JSON.parse(stdout)
}

const runs = hostileTexts.map(hostileRun)

describe("reports of hostile texts", () => {
  it("JUnit reports with hostile texts are well-formed, and Python reads the original texts.", () => {
    const input = junit(runs.map((run) => ({ run, seconds: 0 })))
    const read = readByPython(readXml, input)
    const [tests, cases] = read as [string, ReadonlyArray<Readonly<Record<string, string>>>]
    assert.strictEqual(tests, String(hostileTexts.length))
    const seen = (text: string) => cases.find(({ name }) => name === text)
    for (const text of hostileTexts.map(escapeControls)) {
      assert.strictEqual(seen(text)?.["message"], text)
      assert.include(seen(text)?.["text"], text)
      assert.include(seen(text)?.["out"], text)
    }
  })

  it("Python reads the original texts from the JUnit report of an examination.", () => {
    const escaped = hostileTexts.map(escapeControls)
    assert.deepStrictEqual(
      readByPython(readExam, examJunit(hostileTexts.map(hostileLesson).map(timed))),
      escaped.map((text) => [text, `FAIL ${text}`])
    )
  })

  it.each(hostileTexts)("Python reads the original text from a badge with %j.", (text) => {
    const [label, message] = [`exam ${text}`, `passed ${text}`].map(escapeControls)
    const read = readByPython(readBadge, renderBadge(`exam ${text}`, `passed ${text}`, "#14632f"))
    assert.deepStrictEqual(read, [`${label}: ${message}`, label, message])
  })

  it("Perl's harness counts exactly the failures of TAP reports with hostile texts.", () => {
    // It supports the previous version, which has the same test points and diagnostics.
    const input = tap([{ ...hostileRun("passes"), verdict: "PASSED", failures: [] }, ...runs]).replace(
      "TAP version 14",
      "TAP version 13"
    )
    const folder = mkdtempSync(join(tmpdir(), "countersign-tap-"))
    const file = join(folder, "report.tap")
    writeFileSync(file, input)
    const { stdout, error } = spawnSync("prove", ["--verbose", file], { encoding: "utf8" })
    rmSync(folder, { recursive: true })
    if (error !== undefined) throw error
    assert.include(stdout, `Failed ${runs.length}/${runs.length + 1} subtests`)
    assert.notInclude(stdout, "Parse errors")
    assert.notInclude(stdout, "TODO passed")
  })
})
