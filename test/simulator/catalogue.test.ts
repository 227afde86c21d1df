/** The shipped scenarios together: a reading order that has each of them, and nothing of the service left untouched. */
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { readExceptions } from "../../simulator/coverage/exceptions.ts"
import { points, touchesIn } from "../../simulator/coverage/points.ts"
import { unknownToScripts } from "../../simulator/coverage/routes.ts"
import { survey } from "../../simulator/coverage/survey.ts"
import { readTrace } from "../../simulator/trace.ts"

const folder = "scenarios"
const scripts = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .toSorted()

describe("the reading order", () => {
  const listed = [...readFileSync(`${folder}/README.md`, "utf8").matchAll(/\]\(([^)]+\.yaml)\)/g)].map(
    ([, name]) => name!
  )

  it("has every scenario exactly once, and nothing else", () => {
    assert.deepStrictEqual(listed.toSorted(), scripts)
  })

  it("has at least thirty of them, each with a number of its own and told beside its trace", () => {
    assert.isAtLeast(scripts.length, 30)
    const numbers = scripts.map((name) => /^(\d{2,3})-[a-z0-9-]+\.yaml$/.exec(name)?.[1])
    assert.strictEqual(new Set(numbers).size, scripts.length)
    assert.notInclude(numbers, undefined)
    for (const name of scripts) {
      const stem = `${folder}/${name.replace(/\.yaml$/, "")}`
      assert.isTrue(existsSync(`${stem}.txt`) && existsSync(`${stem}.trace.ndjson`), name)
    }
  })

  it("calls each by its title", () => {
    const links = readFileSync(`${folder}/README.md`, "utf8").matchAll(/\[(\d+) ([^\]]+)\]\(([^)]+)\)/g)
    for (const [, number, title, name] of links) {
      const told = /^scenario: "?(?:Every \w+: )?(.*?)"?$/m.exec(readFileSync(`${folder}/${name}`, "utf8"))?.[1]
      assert.strictEqual(`${number} ${title}`.toLowerCase(), `${name!.replace(/-.*/, "")} ${told}`.toLowerCase())
    }
  })
})

// That the committed traces are what the scenarios do is held elsewhere, scenario by scenario.
describe("the committed traces together", () => {
  const runs = scripts.map((name) => ({
    name,
    lines: readTrace(readFileSync(`${folder}/${name.replace(/\.yaml$/, ".trace.ndjson")}`, "utf8"))
  }))
  const all = points()
  const excepted = Result.getOrThrow(readExceptions(readFileSync(`${folder}/coverage-exceptions.yml`, "utf8"), all))
  const surveyed = survey(all, runs, excepted)

  it("leave nothing out that can be touched", () => {
    assert.deepStrictEqual(
      surveyed.missing.map(({ section, name, how }) => `${section}: ${name} - ${how}`),
      []
    )
  })

  it("touch nothing that is said to be out of reach", () => {
    assert.deepStrictEqual(surveyed.needless, [])
  })

  it("find a word of scripts for every operation of the service", () => {
    assert.deepStrictEqual(unknownToScripts(), { unnamed: [], gone: [] })
  })

  it("touch nothing that is no point, except what somebody tries who has no operation for it", () => {
    const known = new Set(all.map(({ section, name }) => `${section}: ${name}`))
    const others = runs.flatMap(({ lines }) => touchesIn(lines)).map(({ section, name }) => `${section}: ${name}`)
    const unknown = [...new Set(others)].filter((name) => !known.has(name))
    assert.deepStrictEqual(
      unknown.filter((name) => !name.startsWith("attempts: ")),
      []
    )
  })
})
