/** The examples of the pages are run. `UPDATE_DOCS=1 npx vitest run test/simulator/scenario/format/page-examples.test.ts` writes their output. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Result, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import { OuterStepForm } from "../../../../simulator/scenario/format/scenario-form.ts"
import { GivenSection } from "../../../../simulator/scenario/format/given.ts"
import { propertyFields } from "../../../../simulator/scenario/format/property-form.ts"
import { readScenario } from "../../../../simulator/scenario/format/read.ts"
import { simulate } from "../../../../simulator/scenario/simulate.ts"

const project = path.resolve()

interface Block {
  readonly yaml: string
  /** The output on the page, if any. */
  readonly shown: string | undefined
}

const fence = /^```yaml\n([\s\S]*?)^```\n(?:(?:(?!^```)[\s\S])*?^```text\n([\s\S]*?)^```\n)?/gm

/** A text block is the output of the script before it, unless another block is between them. */
const blocksIn = (page: string): ReadonlyArray<Block> =>
  [...page.matchAll(fence)].map(([, yaml = "", shown]) => ({ yaml, shown }))

const load = (name: string) => {
  const file = path.join(project, "scenarios", name)
  return fs.existsSync(file) ? { file: name, text: fs.readFileSync(file, "utf8") } : undefined
}

/** The story of a script, or its problems. */
const outputOf = (yaml: string): { readonly text: string; readonly passed: boolean } => {
  const file = /^# (\S+)\n/.exec(yaml)?.[1] ?? "script.yaml"
  const read = readScenario(file, yaml, load)
  if (Result.isFailure(read)) return { text: read.failure, passed: false }
  const { story, verdict } = simulate(read.success, { file })
  return { text: story, passed: verdict === "PASSED" }
}

const updated = (page: string): string =>
  page.replace(fence, (whole, yaml: string, shown: string | undefined) =>
    shown === undefined
      ? whole
      : whole.replace(/```text\n[\s\S]*$/, () => `\`\`\`text\n${outputOf(yaml).text.trim()}\n\`\`\`\n`)
  )

const strict = { errors: "all", onExcessProperty: "error" } as const

describe.each(["docs/learning/scenarios.md", "docs/reference/scenario-format.md"])("%s", (name) => {
  const file = path.join(project, name)
  if (process.env["UPDATE_DOCS"] !== undefined) fs.writeFileSync(file, updated(fs.readFileSync(file, "utf8")))
  const blocks = blocksIn(fs.readFileSync(file, "utf8"))

  it(`${name} has examples`, () => assert.isAbove(blocks.length, 3))

  it.each(blocks.map(({ yaml, shown }) => [titleOf(yaml), yaml, shown]))(
    "Example %s has the output on the page",
    (_, yaml, shown) => {
      if (/^scenario:/m.test(yaml)) {
        const { text, passed } = outputOf(yaml)
        if (shown === undefined) assert.isTrue(passed, text)
        else assert.strictEqual(text.trim(), shown.trim())
      } else if (yaml.startsWith("given:")) {
        Schema.decodeUnknownSync(GivenSection)(parse(yaml).given, strict)
      } else if (yaml.startsWith("always:")) {
        Schema.decodeUnknownSync(Schema.Struct(propertyFields))(parse(yaml), strict)
      } else {
        for (const step of parse(yaml)) Schema.decodeUnknownSync(OuterStepForm)(step, strict)
      }
    }
  )
})

const titleOf = (yaml: string): string => /^scenario: (.*)$/m.exec(yaml)?.[1] ?? yaml.slice(0, 60).replaceAll("\n", " ")
