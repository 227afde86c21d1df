/** All shipped scenarios: their reading order, and their coverage of the service. */
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

describe("reading order", () => {
  const listed = [...readFileSync(`${folder}/README.md`, "utf8").matchAll(/\]\(([^)]+\.yaml)\)/g)].map(
    ([, name]) => name!
  )

  it("The reading order lists every scenario exactly once", () => {
    assert.deepStrictEqual(listed.toSorted(), scripts)
  })

  it("There are at least thirty scenarios, each with a unique number, a story and a trace", () => {
    assert.isAtLeast(scripts.length, 30)
    const numbers = scripts.map((name) => /^(\d{2,3})-[a-z0-9-]+\.yaml$/.exec(name)?.[1])
    assert.strictEqual(new Set(numbers).size, scripts.length)
    assert.notInclude(numbers, undefined)
    for (const name of scripts) {
      const stem = `${folder}/${name.replace(/\.yaml$/, "")}`
      assert.isTrue(existsSync(`${stem}.txt`) && existsSync(`${stem}.trace.ndjson`), name)
    }
  })

  it("The reading order uses the titles of the scenarios", () => {
    const links = readFileSync(`${folder}/README.md`, "utf8").matchAll(/\[(\d+) ([^\]]+)\]\(([^)]+)\)/g)
    for (const [, number, title, name] of links) {
      const told = /^scenario: "?(?:Every \w+: )?(.*?)"?$/m.exec(readFileSync(`${folder}/${name}`, "utf8"))?.[1]
      assert.strictEqual(`${number} ${title}`.toLowerCase(), `${name!.replace(/-.*/, "")} ${told}`.toLowerCase())
    }
  })
})

// Another test compares each committed trace with a run of its scenario.
describe("coverage of the committed traces", () => {
  const runs = scripts.map((name) => ({
    name,
    lines: readTrace(readFileSync(`${folder}/${name.replace(/\.yaml$/, ".trace.ndjson")}`, "utf8"))
  }))
  const all = points()
  const excepted = Result.getOrThrow(readExceptions(readFileSync(`${folder}/coverage-exceptions.yml`, "utf8"), all))
  const surveyed = survey(all, runs, excepted)

  it("The committed traces cover all reachable points", () => {
    assert.deepStrictEqual(
      surveyed.missing.map(({ section, name, how }) => `${section}: ${name} - ${how}`),
      []
    )
  })

  it("The committed traces cover no point that is listed as unreachable", () => {
    assert.deepStrictEqual(surveyed.needless, [])
  })

  it("Every operation of the service has a name in scenarios", () => {
    assert.deepStrictEqual(unknownToScripts(), { unnamed: [], gone: [] })
  })

  it("The committed traces cover only known points, except attempts without an operation", () => {
    const known = new Set(all.map(({ section, name }) => `${section}: ${name}`))
    const others = runs.flatMap(({ lines }) => touchesIn(lines)).map(({ section, name }) => `${section}: ${name}`)
    const unknown = [...new Set(others)].filter((name) => !known.has(name))
    assert.deepStrictEqual(
      unknown.filter((name) => !name.startsWith("attempts: ")),
      []
    )
  })
})
