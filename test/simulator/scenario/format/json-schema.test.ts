/** The committed schema agrees with the decoder. `UPDATE_DOCS=1 npx vitest run test/simulator/scenario/format/json-schema.test.ts` writes it. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Result, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { PartForm, ScenarioForm } from "../../../../simulator/scenario/format/scenario-form.ts"
import { scriptJsonSchema } from "../../../../simulator/scenario/format/json-schema.ts"
import { isMembers } from "../../../../simulator/scenario/format/untyped-members.ts"
import { readSource } from "../../../../simulator/scenario/format/yaml-source.ts"

const project = path.resolve()
const committed = path.join(project, "docs/reference/scenario.schema.json")
const validate = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, strictRequired: false }).compile(
  scriptJsonSchema()
)

const scriptsIn = (folder: string): ReadonlyArray<string> =>
  fs
    .readdirSync(path.join(project, folder), { recursive: true, encoding: "utf8" })
    // Lessons and personas have schemas of their own.
    .filter((name) => name.endsWith(".yaml") && !["lesson.yaml", "persona.yaml"].includes(path.basename(name)))
    .map((name) => path.join(folder, name))
    .toSorted()

const valueOf = (file: string) => readSource(fs.readFileSync(path.join(project, file), "utf8"))

it("The committed schema of scripts is the generated one", () => {
  const text = `${JSON.stringify(scriptJsonSchema(), null, 2)}\n`
  if (process.env["UPDATE_DOCS"] !== undefined) fs.writeFileSync(committed, text)
  assert.strictEqual(
    fs.readFileSync(committed, "utf8"),
    text,
    "run: UPDATE_DOCS=1 npx vitest run test/simulator/scenario/format/json-schema.test.ts"
  )
})

it("Every key of the schema of scripts is described by a sentence", () => {
  const definitions = scriptJsonSchema()["$defs"] as { readonly [name: string]: { readonly properties?: object } }
  // Specifications are described where the service defines them.
  const own = Object.entries(definitions).filter(([name]) => !name.startsWith("Specification"))
  const withoutSentence = own.flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([key, form]) =>
      form.description?.endsWith(".") === true ? [] : [`${name}.${key}`]
    )
  )
  assert.deepStrictEqual(withoutSentence, [])
})

describe("schema of shipped scripts", () => {
  it.each(scriptsIn("scenarios"))("%s conforms to the schema", (file) => {
    validate(valueOf(file).value)
    assert.deepStrictEqual(validate.errors ?? [], [])
  })
})

describe("schema of broken scripts", () => {
  const strict = { errors: "all", onExcessProperty: "error" } as const
  const hasForm = (value: unknown): boolean => {
    const form = isMembers(value) && Object.hasOwn(value, "part") ? PartForm : ScenarioForm
    return Result.isSuccess(Schema.decodeUnknownResult(form as typeof ScenarioForm)(value, strict))
  }
  const undecodable = scriptsIn("test/simulator/broken").filter((file) => {
    const { value, problems } = valueOf(file)
    return problems.length === 0 && !hasForm(value)
  })

  it.each(undecodable)("%s, which the decoder refuses, does not conform to the schema", (file) => {
    assert.isFalse(validate(valueOf(file).value))
  })

  // Constraints that only the decoder checks.
  it.each([
    ["a nonexistent day of a month", { until: "2026-02-30T09:00:00.000Z" }],
    ["a duration of zero", { advance: "0s" }]
  ])("The schema accepts %s, which the decoder refuses", (_, step) => {
    const value = { scenario: "One", steps: [step] }
    assert.isFalse(hasForm(value))
    assert.isTrue(validate(value))
  })
})
