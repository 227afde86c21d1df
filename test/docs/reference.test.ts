/** The generated pages match the code. `UPDATE_DOCS=1 npx vitest run test/docs/reference.test.ts` writes them. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "vitest"
import { passportReadme } from "../../src/publications/readme.ts"
import { refusals } from "../../src/vocabulary/refusal-rules.ts"

const page = path.resolve(import.meta.dirname, "../../docs/reference/refusals.md")

const rows = Object.entries(refusals).map(([code, rule]) => {
  const nextAction = "nextAction" in rule ? `\`${rule.nextAction}\`` : ""
  return `| \`${code}\` | ${rule.status} | ${rule.detail} | ${nextAction} | ${rule.section} |`
})

const text = [
  "# Refusals",
  "",
  "Every refusal has this body: `{error, detail, retryable: false, nextAction?, issues?, current?, dueAt?,",
  "requiredHumanAction?, humanUrl?}`. This page is made from `src/vocabulary/refusal-rules.ts`.",
  "",
  "| code | status | meaning | next step | specification |",
  "|---|---|---|---|---|",
  ...rows,
  ""
].join("\n")

it("docs/reference/refusals.md lists every refusal.", () => {
  if (process.env["UPDATE_DOCS"] !== undefined) fs.writeFileSync(page, text)
  assert.strictEqual(
    fs.readFileSync(page, "utf8"),
    text,
    "run: UPDATE_DOCS=1 npx vitest run test/docs/reference.test.ts"
  )
})

it("The README has at most 90 lines.", () => {
  const readme = fs.readFileSync(path.resolve(page, "../../../README.md"), "utf8")
  assert.isAtMost(readme.split("\n").length, 91)
})

it("docs/portable-records.md prints the instructions that every ZIP file of a passport has.", () => {
  const formats = fs.readFileSync(path.resolve(page, "../../portable-records.md"), "utf8")
  const printed = passportReadme.replace(/^(?=.)/gm, "    ")
  assert.include(formats, `\n${printed}`)
})
