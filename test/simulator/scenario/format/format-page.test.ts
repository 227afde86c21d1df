/** The page of the scenario format is complete. `UPDATE_DOCS=1 npx vitest run test/simulator/scenario/format/format-page.test.ts` writes its tables. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, expect, it } from "vitest"
import { apiOperations, publicOperations } from "../../../../simulator/scenario/operations/agent-api.ts"
import { operationForms } from "../../../../simulator/scenario/operations/operation-forms.ts"
import { workspaceOperations } from "../../../../simulator/scenario/operations/workspace-api.ts"
import { scriptJsonSchema } from "../../../../simulator/scenario/format/json-schema.ts"
import { joinAlternatives, withArticle } from "../../../../simulator/scenario/format/check-context.ts"

const project = path.resolve()
const page = path.join(project, "docs/reference/scenario-format.md")
const sourceOfLines = path.join(project, "simulator/observation/observation.ts")

interface Form {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<string>
  readonly pattern?: string
  readonly anyOf?: ReadonlyArray<Form>
  readonly items?: Form
  readonly additionalProperties?: Form | boolean
  readonly description?: string
}

interface Definition {
  readonly properties: { readonly [key: string]: Form }
  readonly required?: ReadonlyArray<string>
}

const definitions = scriptJsonSchema()["$defs"] as unknown as { readonly [name: string]: Definition }

const links: { readonly [name: string]: string } = {
  Given: "[a world](#given)",
  Person: "[people](#a-person)",
  Agent: "[agents](#an-agent)",
  Receiver: "[receivers](#a-receiver)",
  Provider: "[providers](#a-provider)",
  Payments: "[payments](#payments)",
  Imported: "[an imported project](#imported)",
  Clocks: "[clocks](#clocks)",
  OuterStep: "[steps](#steps)",
  Step: "[steps](#steps)",
  InnerStep: "[steps](#steps)",
  Outside: "[external events](#external-events)",
  Request: "[a request](#a-request-byte-by-byte)",
  Expectation: "[an expectation](#what-is-expected)",
  Injection: "[a fault](#faults)",
  Search: "[a search](#a-search)",
  Property: "[properties](#properties)",
  AnswersSelector: "[answers](#properties)",
  CallbacksSelector: "[callbacks](#properties)",
  RequestsSelector: "[requests](#properties)",
  TellsSelector: "[tells](#properties)",
  Operation: "an [act](#acts) or an [operation](#operations)",
  Refusal: "a [refusal](refusals.md)"
}

const patterns: ReadonlyArray<readonly [begins: string, words: string]> = [
  ["^\\d+", "a duration"],
  ["^[+-]?", "an offset"],
  ["^(?:19", "an instant"],
  ["^[A-Z]{3}$", "a currency"],
  ["^[A-Za-z]", "a name"],
  ["^[a-z0-9-]", "a host name"],
  ["^\\/", "a path"]
]

const wordsOf = ({ $ref, type, enum: words, pattern, anyOf: forms, items, additionalProperties }: Form): string => {
  if ($ref !== undefined) return links[$ref.replace("#/$defs/", "")] ?? assert.fail(`${$ref} has no section`)
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(", ")
  if (forms !== undefined) return forms.map(wordsOf).join(", or ")
  if (pattern !== undefined) {
    return patterns.find(([begins]) => pattern.startsWith(begins))?.[1] ?? assert.fail(`${pattern} has no words`)
  }
  if (type === "array") return `list: ${wordsOf(items ?? {})}`
  if (type === "object")
    return typeof additionalProperties === "object" ? `map: ${wordsOf(additionalProperties)}` : "map"
  if (type === "integer") return "a number"
  return type === "string" ? "a string" : "any value"
}

/** For external events, only the keys that steps do not have. */
const keysOf = (name: string): ReadonlyArray<string> => {
  const keys = Object.keys(definitions[name]?.properties ?? assert.fail(`there is no ${name}`))
  return name === "Outside" ? keys.filter((key) => !Object.hasOwn(definitions["Step"]!.properties, key)) : keys
}

const tableOf = (name: string): string =>
  [
    "| key | type | description |",
    "|---|---|---|",
    ...keysOf(name).map((key) => {
      const form = definitions[name]!.properties[key]!
      const isRequired = definitions[name]!.required?.includes(key) === true
      return `| \`${key}\` | ${wordsOf(form)}${isRequired ? "; required" : ""} | ${form.description} |`
    })
  ].join("\n")

const http = { ...apiOperations, ...publicOperations, ...workspaceOperations }

const tableOfOperations = (): string =>
  [
    "| operation | by | request |",
    "|---|---|---|",
    ...[...operationForms]
      .filter(([, { input }]) => input === undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { by }]) => {
        const { method, path: place } = http[name] ?? assert.fail(`${name} is no request`)
        return `| \`${name}\` | ${joinAlternatives(by.map(withArticle))} | \`${method} ${place}\` |`
      })
  ].join("\n")

const generated = (text: string): string =>
  text.replace(/<!-- (keys of (\w+)|operations) -->\n[\s\S]*?<!-- end -->/g, (_, what: string, name?: string) =>
    [`<!-- ${what} -->`, "", name === undefined ? tableOfOperations() : tableOf(name), "", "<!-- end -->"].join("\n")
  )

describe("docs/reference/scenario-format.md", () => {
  const text = fs.readFileSync(page, "utf8")
  if (process.env["UPDATE_DOCS"] !== undefined) fs.writeFileSync(page, generated(text))

  it("The page has the tables generated from the schemas", () => {
    const now = fs.readFileSync(page, "utf8")
    assert.strictEqual(
      now,
      generated(now),
      "run: UPDATE_DOCS=1 npx vitest run test/simulator/scenario/format/format-page.test.ts"
    )
  })

  it.each(Object.keys(definitions).filter((name) => definitions[name]!.properties !== undefined))(
    "The page has a table for the keys of %s",
    (name) => {
      const withStepKeys = ["Step", "InnerStep"]
      const ofSpecifications = name.startsWith("Specification")
      if (withStepKeys.includes(name) || ofSpecifications) return
      expect(text).toContain(`<!-- keys of ${name} -->`)
    }
  )

  it.each([...operationForms].filter(([, { input }]) => input !== undefined))(
    "The page describes the command %s",
    (name, { by, input }) => {
      const row = text.split("\n").find((line) => line.startsWith(`| \`${name}\` |`)) ?? assert.fail("it has no row")
      const keys = Object.keys(Reflect.get(input ?? {}, "fields") ?? {})
      for (const key of keys) expect(row).toContain(`\`${key}\``)
      for (const kind of by.length > 2 ? [] : by) expect(row).toContain(withArticle(kind))
    }
  )

  it.each(kindsOfLines())("The page describes the trace line %s", (kind, members) => {
    const row = text.split("\n").findLast((line) => line.startsWith(`| \`${kind}\` |`)) ?? assert.fail("it has no row")
    assert.deepStrictEqual(
      [...(row.split("|")[2] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
      [...members]
    )
  })
})

/** From the type of observations: the kind, then the other members. */
function kindsOfLines(): ReadonlyArray<readonly [kind: string, members: ReadonlyArray<string>]> {
  const source = fs.readFileSync(sourceOfLines, "utf8")
  return source
    .split(/readonly kind: "/)
    .slice(1)
    .map((rest) => {
      const kind = rest.slice(0, rest.indexOf('"'))
      const body = rest.split(/^ {2}\| |^export |^\/\*\*/m)[0] ?? ""
      return [kind, [...body.matchAll(/readonly (\w+)\??:/g)].map(([, name = ""]) => name)]
    })
}
