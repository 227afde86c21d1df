/** The committed schema says what the decoder says. `UPDATE_DOCS=1 npx vitest run test/simulator/schema.test.ts` writes it. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Result, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { PartForm, ScenarioForm } from "../../simulator/script/format.ts"
import { schemaOfScripts } from "../../simulator/script/json-schema.ts"
import { isMembers } from "../../simulator/script/members.ts"
import { readSource } from "../../simulator/script/source.ts"

const project = path.resolve(import.meta.dirname, "../..")
const committed = path.join(project, "docs/reference/scenario.schema.json")
const validate = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, strictRequired: false }).compile(
  schemaOfScripts()
)

const scriptsIn = (folder: string): ReadonlyArray<string> =>
  fs
    .readdirSync(path.join(project, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => path.join(folder, name))
    .toSorted()

const valueOf = (file: string) => readSource(fs.readFileSync(path.join(project, file), "utf8"))

it("the committed schema is the generated one", () => {
  const text = `${JSON.stringify(schemaOfScripts(), null, 2)}\n`
  if (process.env["UPDATE_DOCS"] !== undefined) fs.writeFileSync(committed, text)
  assert.strictEqual(
    fs.readFileSync(committed, "utf8"),
    text,
    "run: UPDATE_DOCS=1 npx vitest run test/simulator/schema.test.ts"
  )
})

it("every key is described in a sentence", () => {
  const definitions = schemaOfScripts()["$defs"] as { readonly [name: string]: { readonly properties?: object } }
  // What is published is described where the service defines it.
  const own = Object.entries(definitions).filter(([name]) => !name.startsWith("Specification"))
  const bare = own.flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([key, form]) =>
      form.description?.endsWith(".") === true ? [] : [`${name}.${key}`]
    )
  )
  assert.deepStrictEqual(bare, [])
})

describe("a shipped script has the form", () => {
  it.each(scriptsIn("scenarios"))("%s", (file) => {
    validate(valueOf(file).value)
    assert.deepStrictEqual(validate.errors ?? [], [])
  })
})

describe("a broken script whose form is wrong fails here too", () => {
  const strict = { errors: "all", onExcessProperty: "error" } as const
  const hasForm = (value: unknown): boolean => {
    const form = isMembers(value) && Object.hasOwn(value, "part") ? PartForm : ScenarioForm
    return Result.isSuccess(Schema.decodeUnknownResult(form as typeof ScenarioForm)(value, strict))
  }
  const formless = scriptsIn("test/simulator/broken").filter((file) => {
    const { value, problems } = valueOf(file)
    return problems.length === 0 && !hasForm(value)
  })

  it.each(formless)("%s", (file) => {
    assert.isFalse(validate(valueOf(file).value))
  })

  // What a schema cannot say, and the decoder can.
  it.each([
    ["a day that its month does not have", { until: "2026-02-30T09:00:00.000Z" }],
    ["a span of no time", { advance: "0s" }]
  ])("but for %s", (_, step) => {
    const value = { scenario: "One", steps: [step] }
    assert.isFalse(hasForm(value))
    assert.isTrue(validate(value))
  })
})
