import { readdirSync, readFileSync } from "node:fs"
import { Result } from "effect"
import { assert, describe, expect, it } from "vitest"
import { durationInMilliseconds, isDuration } from "../../simulator/script/duration.ts"
import { readScenario } from "../../simulator/script/read.ts"
import { resolve } from "../../simulator/script/references.ts"
import { nearest } from "../../simulator/script/suggest.ts"

const folder = new URL("./broken/", import.meta.url)
const broken = readdirSync(folder)
  .filter((file) => file.endsWith(".yaml"))
  .toSorted()

const scenario = (text: string) => Result.getOrThrow(readScenario("inline.yaml", text))

describe("a script that cannot be run", () => {
  it.each(broken)("%s is refused with the place of everything that is wrong", async (file) => {
    const read = readScenario(file, readFileSync(new URL(file, folder), "utf8"))
    const shown = Result.isFailure(read) ? read.failure : assert.fail("it was read without a complaint")
    await expect(shown).toMatchFileSnapshot(`./broken/${file.replace(/yaml$/, "txt")}`)
  })
})

describe("a script that can", () => {
  it("is read with its defaults filled in", () => {
    assert.deepStrictEqual(scenario("scenario: Short\nsteps:\n  - say: hello\n  - advance: 1d 6h\n"), {
      title: "Short",
      say: undefined,
      seed: 1,
      start: "2026-01-05T09:00:00.000Z" as never,
      given: {},
      steps: [
        { kind: "say", number: 1, line: 3, id: undefined, say: "hello", expect: {}, keep: [] },
        {
          kind: "advance",
          milliseconds: 108_000_000,
          number: 2,
          line: 4,
          id: undefined,
          say: undefined,
          expect: {},
          keep: []
        }
      ]
    })
  })

  it("may share parts by anchors and merges", () => {
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

  it("keep the type of what they name, and become text inside text", () => {
    assert.deepStrictEqual(resolve({ a: ["${p.list}"], b: "${p.list.1.deep}", c: "/${p.id}/${p.list.0}" }, names), {
      a: [[1, { deep: null }]],
      b: null,
      c: "/x/1"
    })
  })

  it("that lead nowhere say where they end", () => {
    assert.throws(() => resolve("${p.lst}", names), "p has no lst")
    assert.throws(() => resolve("${q}", names), "nothing is called q; did you mean p?")
    assert.throws(() => resolve("${p.constructor}", names), "p has no constructor")
  })
})

describe("spans of time", () => {
  it.each([
    ["15s", 15_000],
    ["90m", 5_400_000],
    ["1d6h", 108_000_000],
    ["250ms", 250]
  ])("%s is %d milliseconds", (text, milliseconds) => {
    assert.isTrue(isDuration(text))
    assert.strictEqual(durationInMilliseconds(text), milliseconds)
  })

  it.each(["", "0s", "1", "-1h", "1 week", "1h-"])("%j is none", (text) => assert.isFalse(isDuration(text)))
})

describe("did you mean", () => {
  it.each([
    ["sumbit", "submit"],
    ["SUBMIT", "submit"],
    ["reviw", "review"],
    ["fly", undefined],
    ["", undefined]
  ])("%j suggests %j", (word, suggested) => {
    assert.strictEqual(nearest(word, ["respond", "submit", "review"]), suggested)
  })
})
