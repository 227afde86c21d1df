import { existsSync, readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { Result } from "effect"
import { assert, describe, expect, it } from "vitest"
import { findScripts } from "../../../../simulator/scenario/files.ts"
import { durationInMilliseconds, isDuration } from "../../../../simulator/vocabulary/duration.ts"
import { readScenario } from "../../../../simulator/scenario/format/read.ts"
import { resolve } from "../../../../simulator/scenario/format/references.ts"
import { nearest } from "../../../../src/vocabulary/suggest.ts"

const folder = path.resolve("test/simulator/broken")
const broken = readdirSync(folder)
  .filter((file) => file.endsWith(".yaml"))
  .toSorted()

/** Loads parts relative to the scripts. */
const load = (name: string) => {
  const part = path.join(folder, name)
  return existsSync(part) && name !== "" ? { file: name, text: readFileSync(part, "utf8") } : undefined
}

const scenario = (text: string) => Result.getOrThrow(readScenario("inline.yaml", text))

describe("invalid scripts", () => {
  it.each(broken)("%s is refused with the place of every problem", async (file) => {
    const read = readScenario(file, readFileSync(path.join(folder, file), "utf8"), load)
    const shown = Result.isFailure(read) ? read.failure : assert.fail("the script was accepted")
    await expect(shown).toMatchFileSnapshot(path.join(folder, file.replace(/yaml$/, "txt")))
  })
})

/** The default members of a step. */
const defaults = {
  file: undefined,
  id: undefined,
  say: undefined,
  expect: {},
  keep: [],
  choose: undefined,
  isConcurrent: false,
  outside: [],
  bindings: []
} as const

it("Problems of scripts are reported in the terms of scripts", () => {
  const messages = broken
    .map((file) => readFileSync(path.join(folder, file.replace(/yaml$/, "txt")), "utf8"))
    .join("\n")
  const sentences = messages.split("\n").filter((line) => /^\S+:\d+:\d+: /.test(line))
  const internal = sentences.filter((line) =>
    /\b(?:Expected|Schema|undefined|null|union|token|scalar|node)\b|\[object/.test(line)
  )
  assert.deepStrictEqual(internal, [])
})

it("A file that is not a script is refused by its name", () => {
  const trace = "scenarios/first-record/first-record/trace.ndjson"
  assert.deepStrictEqual(
    findScripts(["scenarios/first-record/first-record/scenario.yaml", trace]),
    Result.fail(`${trace} is not a scenario: its name must end with .yaml`)
  )
})

describe("valid scripts", () => {
  it("A script is read with its defaults", () => {
    assert.deepStrictEqual(scenario("scenario: Short\nsteps:\n  - say: hello\n  - advance: 1d 6h\n"), {
      title: "Short",
      say: undefined,
      seed: 1,
      start: "2026-01-05T09:00:00.000Z" as never,
      given: {},
      properties: [],
      steps: [
        { ...defaults, kind: "say", number: 1, line: 3, say: "hello" },
        { ...defaults, kind: "advance", milliseconds: 108_000_000, number: 2, line: 4 }
      ]
    })
  })

  it("A script may use YAML anchors and merge keys", () => {
    const { steps } = scenario(`
scenario: Shared
given: { visitors: { iris: Iris } }
steps:
  - &ask { as: iris, do: me, expect: { error: AUTH_INVALID } }
  - <<: *ask
    id: again
`)
    const [first, second] = steps
    assert.deepStrictEqual(second, { ...first!, number: 2, line: 6, id: "again" })
  })
})

describe("references", () => {
  const names = new Map([["p", { id: "x", list: [1, { deep: null }] }]])

  it("A reference keeps the type of its value, and becomes text inside a string", () => {
    assert.deepStrictEqual(resolve({ a: ["${p.list}"], b: "${p.list.1.deep}", c: "/${p.id}/${p.list.0}" }, names), {
      a: [[1, { deep: null }]],
      b: null,
      c: "/x/1"
    })
  })

  it("An unresolved reference names the unknown part", () => {
    assert.throws(() => resolve("${p.lst}", names), "p has no lst")
    assert.throws(() => resolve("${q}", names), "unknown name q; did you mean p?")
    assert.throws(() => resolve("${p.constructor}", names), "p has no constructor")
  })
})

describe("durations", () => {
  it.each([
    ["15s", 15_000],
    ["90m", 5_400_000],
    ["1d6h", 108_000_000],
    ["250ms", 250]
  ])("The duration %s is %d milliseconds", (text, milliseconds) => {
    assert.isTrue(isDuration(text))
    assert.strictEqual(durationInMilliseconds(text), milliseconds)
  })

  it.each(["", "0s", "1", "-1h", "1 week", "1h-"])("%j is not a duration", (text) => assert.isFalse(isDuration(text)))
})

describe("suggestions", () => {
  it.each([
    ["sumbit", "submit"],
    ["SUBMIT", "submit"],
    ["reviw", "review"],
    ["fly", undefined],
    ["", undefined]
  ])("For %j the suggestion is %j", (word, suggested) => {
    assert.strictEqual(nearest(word, ["respond", "submit", "review"]), suggested)
  })
})
