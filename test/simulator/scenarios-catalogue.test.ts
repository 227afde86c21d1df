/** All shipped scenarios: their reading order, and their coverage of the service. */
import { readFileSync, readdirSync } from "node:fs"
import * as path from "node:path"
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { readExceptions } from "../../simulator/coverage/exceptions.ts"
import { allPoints, coveredPointsIn } from "../../simulator/coverage/points.ts"
import { surveyCoverage } from "../../simulator/coverage/coverage-survey.ts"
import { findFiles, goldenFiles } from "../../simulator/scenario/files.ts"
import { readTrace } from "../../simulator/observation/trace.ts"

const folder = "scenarios"
const scripts = Result.getOrThrow(findFiles([folder])).map((file) => path.relative(folder, file))

describe("reading order", () => {
  const listed = [...readFileSync(`${folder}/README.md`, "utf8").matchAll(/\]\(([^)]+\.yaml)\)/g)].map(
    ([, name]) => name!
  )

  it("The reading order lists every scenario exactly once", () => {
    assert.deepStrictEqual(listed.toSorted(), scripts.toSorted())
  })

  it("There are at least thirty scenarios, each in its own folder of a chapter with a story and a trace", () => {
    assert.isAtLeast(scripts.length, 30)
    for (const name of scripts) {
      assert.match(name, /^[a-z-]+\/[a-z0-9-]+\/scenario\.yaml$/)
      const files = readdirSync(path.dirname(`${folder}/${name}`)).toSorted()
      assert.deepStrictEqual(files, ["scenario.yaml", "story.txt", "trace.ndjson"], name)
    }
  })

  it("The reading order uses the titles of the scenarios", () => {
    const links = [...readFileSync(`${folder}/README.md`, "utf8").matchAll(/\[([^\]]+)\]\(([^)]+\.yaml)\)/g)]
    assert.lengthOf(links, scripts.length)
    for (const [, title, name] of links) {
      const told = /^scenario: "?(.*?)"?$/m.exec(readFileSync(`${folder}/${name}`, "utf8"))?.[1]
      assert.strictEqual(title, told)
    }
  })
})

// Another test compares each committed trace with a run of its scenario.
describe("coverage of the committed traces", () => {
  const runs = scripts.map((name) => ({
    name,
    lines: readTrace(readFileSync(goldenFiles(`${folder}/${name}`).trace, "utf8"))
  }))
  const all = allPoints()
  const excepted = Result.getOrThrow(readExceptions(readFileSync(`${folder}/coverage-exceptions.yml`, "utf8"), all))
  const surveyed = surveyCoverage(all, runs, excepted)

  it("The committed traces cover all reachable points", () => {
    assert.deepStrictEqual(
      surveyed.missing.map(({ section, name, how }) => `${section}: ${name} - ${how}`),
      []
    )
  })

  it("The committed traces cover no point that is listed as unreachable", () => {
    assert.deepStrictEqual(surveyed.needless, [])
  })

  it("The committed traces cover only known points, except attempts without an operation", () => {
    const known = new Set(all.map(({ section, name }) => `${section}: ${name}`))
    const others = runs.flatMap(({ lines }) => coveredPointsIn(lines)).map(({ section, name }) => `${section}: ${name}`)
    const unknown = [...new Set(others)].filter((name) => !known.has(name))
    assert.deepStrictEqual(
      unknown.filter((name) => !name.startsWith("attempts: ")),
      []
    )
  })
})
