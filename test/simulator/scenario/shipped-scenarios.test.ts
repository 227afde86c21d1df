/** The shipped scenarios in memory: with their golden files, and with another seed. */
import { readFileSync } from "node:fs"
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { findFiles, goldenFiles, readScript } from "../../../simulator/scenario/files.ts"
import { simulate } from "../../../simulator/scenario/simulate.ts"
import { firstDifference } from "../../../simulator/observation/trace.ts"

const scripts = Result.getOrThrow(findFiles(["scenarios"]))

const scenarioOf = (file: string) => Result.getOrThrow(readScript(file))

describe.each(scripts)("%s", (file) => {
  it(`${file} passes with the committed trace and story`, () => {
    const { verdict, trace, story } = simulate(scenarioOf(file), { file })
    const golden = goldenFiles(file)
    assert.strictEqual(verdict, "PASSED", story)
    assert.strictEqual(story, readFileSync(golden.story, "utf8"))
    assert.isUndefined(firstDifference(readFileSync(golden.trace, "utf8"), trace))
  })
})

/** Every third scenario; `simulate run scenarios --seed` runs all of them. */
describe.each(scripts.filter((_, index) => index % 3 === 0))("%s under another seed", (file) => {
  it(`${file} passes under another seed, with another trace`, () => {
    const scenario = scenarioOf(file)
    const other = simulate({ ...scenario, seed: scenario.seed + 100 }, { file })
    assert.strictEqual(other.verdict, "PASSED", other.story)
    assert.isDefined(firstDifference(readFileSync(goldenFiles(file).trace, "utf8"), other.trace))
  })
})
