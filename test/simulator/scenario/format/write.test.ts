import { readFileSync } from "node:fs"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import { findFiles, readScript } from "../../../../simulator/scenario/files.ts"
import { type OuterStepForm, ScenarioForm, StepForm } from "../../../../simulator/scenario/format/scenario-form.ts"
import type { WorldDefinition } from "../../../../simulator/scenario/format/scenario.ts"
import { readSource } from "../../../../simulator/scenario/format/yaml-source.ts"
import { writeScenario, writeStep } from "../../../../simulator/scenario/format/write.ts"
import type { Instant } from "../../../../src/vocabulary/instant.ts"

const opening = (more: Partial<WorldDefinition> = {}): WorldDefinition => ({
  title: "A title",
  say: undefined,
  seed: 7,
  start: "2026-09-01T09:00:00.000Z" as Instant,
  given: {},
  properties: [],
  ...more
})

const isStep = Schema.is(StepForm)

/** The text as parsed by the reader of scripts. */
const readBack = (text: string) => {
  const { value, problems } = readSource(text)
  assert.deepStrictEqual(problems, [], text)
  return value as ScenarioForm
}

describe("writing of scenarios", () => {
  // A sample of the shipped scenarios; the property below covers texts and keys.
  const shipped = Result.getOrThrow(findFiles(["scenarios"])).filter((_, index) => index % 2 === 0)

  it.each(shipped)("The shipped scenario %s is written so that it reads back equal", (file) => {
    const form = readBack(readFileSync(file, "utf8"))
    const scenario = Result.getOrThrow(readScript(file))
    const written = writeScenario(scenario, form.steps)
    const back = readBack(written)
    assert.deepStrictEqual(back.steps, form.steps)
    assert.deepStrictEqual(back.given ?? {}, scenario.given)
    assert.deepStrictEqual(
      { title: back.scenario, say: back.say, seed: back.seed, start: back.start },
      { title: scenario.title, say: form.say, seed: scenario.seed, start: scenario.start }
    )
  })

  const name = fc.stringMatching(/^[a-z][A-Za-z0-9-]{0,8}$/)
  const hard = fc.constantFrom(
    "",
    " ",
    "<<",
    "null",
    "True",
    "12",
    "-10m",
    "0x1",
    "1e3",
    "- a",
    "a: b",
    "a #b",
    "# a",
    "&a",
    "*a",
    "!a",
    "a,b",
    "${a}",
    "'a",
    "---",
    "a\n",
    "a\nb",
    "a\n\nb\n",
    "  a\nb",
    "a \nb",
    "a\r\nb",
    "\ud800",
    "\u2028",
    "\ufeff",
    "\u0085",
    "?",
    ":",
    "a:",
    "%a",
    "@a",
    "`a",
    "|",
    ">",
    "2026-09-01T09:00:00.000Z",
    "__proto__",
    "word ".repeat(40).trim(),
    `${"word ".repeat(40).trim()}\n`
  )
  const text = fc.oneof(hard, fc.string(), fc.string({ unit: "binary" }), fc.lorem({ mode: "sentences" }))
  const json = fc.json({ stringUnit: "binary", maxDepth: 3 }).map((value): unknown => JSON.parse(value) as unknown)
  const body = fc.dictionary(text, fc.oneof(text, json), { maxKeys: 5, noNullPrototype: true })
  const step = fc.record(
    {
      id: name,
      say: text.filter((sentence) => sentence !== ""),
      as: text,
      do: name,
      on: text,
      input: body,
      expect: fc.record({ status: fc.integer({ min: 100, max: 599 }), body }, { requiredKeys: [] }),
      keep: fc.oneof(name, fc.dictionary(name, name, { maxKeys: 3, noNullPrototype: true })),
      choose: fc.array(
        text.filter((option) => option !== ""),
        { minLength: 1, maxLength: 3 }
      ),
      send: fc.record({ method: fc.constantFrom("GET", "POST"), path: text.map((rest) => `/${rest}`), text }),
      inject: fc.oneof(
        fc.constantFrom("lost-answer"),
        fc.record({ database: fc.constant("40001"), times: fc.constant(2) })
      )
    },
    { requiredKeys: [] }
  )
  const outer = fc.record({
    together: fc.array(step, { minLength: 1, maxLength: 2 }),
    say: text.filter((sentence) => sentence !== "")
  })

  it("A written scenario reads back equal for arbitrary texts", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(step, outer), { minLength: 1, maxLength: 4 }), text, text, (steps, title, say) => {
        const forms = steps as ReadonlyArray<OuterStepForm>
        const given = { organizations: { harbor: title }, people: { dana: { name: say } }, visitors: { iris: title } }
        const written = writeScenario(opening({ title, say, given }), forms, {
          heading: "One\ntwo",
          above: () => "above"
        })
        const back = readBack(written)
        assert.deepStrictEqual(back.steps, forms, written)
        assert.deepStrictEqual({ title: back.scenario, say: back.say, given: back.given }, { title, say, given })
        for (const form of forms) assert.deepStrictEqual(parse(writeStep(form), { merge: true }) ?? {}, form)
      }),
      { numRuns: 100, seed: 8 }
    )
  })

  it("The keys of a written step have a fixed order", () => {
    const form = { keep: "x", expect: { status: 201 }, do: "signIn", as: "dana" }
    assert.isTrue(isStep(form))
    assert.strictEqual(writeStep(form), "{ as: dana, do: signIn, expect: { status: 201 }, keep: x }")
  })

  it("A written scenario has the conventional style", () => {
    const given = {
      organizations: { harbor: "Harbor Museum" },
      people: { dana: { name: "Dana Okafor", member: { harbor: ["DELEGATE" as const] } } }
    }
    const written = writeScenario(
      opening({ say: "Told first.\n", given }),
      [
        { do: "signIn", as: "dana" },
        {
          say: `${"Words and more words ".repeat(8).trim()}\n`,
          as: "dana",
          do: "addContact",
          on: "${harbor.id}",
          input: { reference: "museum", personId: "${dana.id}", name: "Yes: no" }
        },
        { advance: "1h" }
      ],
      { heading: "Saved." }
    )
    assert.strictEqual(
      written,
      `# Saved.
scenario: A title
say: >
  Told first.
seed: 7
start: 2026-09-01T09:00:00.000Z

given:
  organizations: { harbor: Harbor Museum }
  people:
    dana: { name: Dana Okafor, member: { harbor: [DELEGATE] } }

steps:
  - { as: dana, do: signIn }

  - say: >
      Words and more words Words and more words Words and more words Words and more words Words and more words Words and
      more words Words and more words Words and more words
    as: dana
    do: addContact
    on: \${harbor.id}
    input: { reference: museum, personId: "\${dana.id}", name: "Yes: no" }
  - { advance: 1h }
`
    )
  })
})
