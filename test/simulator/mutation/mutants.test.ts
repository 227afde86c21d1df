/**
 * The mutants fit the source, and a search kills one. `UPDATE_DOCS=1 npx vitest run test/simulator/mutation/mutants.test.ts`
 * writes their page.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Result } from "effect"
import { assert, describe, expect, it } from "vitest"
import { probes } from "../../../simulator/search/isolation/probes.ts"
import { faults } from "../../../simulator/environment/faults/catalogue.ts"
import { properties } from "../../../simulator/properties/all-properties.ts"
import { mutants } from "../../../simulator/mutation/mutants.ts"
import { searchInProcess } from "../../../simulator/mutation/mutant-processes.ts"
import { searchableScripts, nameOfScript } from "../../../simulator/mutation/searchable-scripts.ts"
import { type Mutant, applyMutant } from "../../../simulator/mutation/mutant.ts"
import { outdatedMutants } from "../../../simulator/mutation/outdated-mutants.ts"

const project = path.resolve(import.meta.dirname, "../../..")
const page = path.join(project, "docs/reference/mutants.md")
const marked = Result.getOrThrow(searchableScripts(path.join(project, "scenarios")))
const judges = [...properties, ...probes].map(({ name }) => name)

const effort = { few: 40, many: 40 }

const anyMutant: Mutant = {
  name: "any",
  says: "Anything.",
  file: "src/vocabulary/instant.ts",
  text: "a < b",
  becomes: "a > b",
  killedBy: ["any property"],
  scenarios: ["any"]
}

describe("mutants", () => {
  it("Every mutant fits the source and has a unique name", () => {
    expect(outdatedMutants(mutants)).toEqual([])
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
    expect(mutants.length).toBeGreaterThanOrEqual(40)
    for (const { file, text, becomes } of mutants) {
      expect(file).toMatch(/^src\//)
      expect(becomes).not.toBe(text)
    }
  })

  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
    "The mutant %s refers to existing properties, scenarios and faults",
    (_, mutant) => {
      for (const name of mutant.killedBy) expect(judges).toContain(name)
      for (const scenario of mutant.scenarios) expect(marked.map(nameOfScript)).toContain(scenario)
      if (mutant.needs !== undefined) expect(faults.map(({ name }) => name)).toContain(mutant.needs)
    }
  )

  it.each(judges)("A mutant is expected to be killed by the property %s", (judge) => {
    expect(mutants.flatMap(({ killedBy }) => killedBy)).toContain(judge)
  })

  it.each(faults.map(({ name }) => name))("A mutant needs the fault %s", (fault) => {
    expect(mutants.map(({ needs }) => needs)).toContain(fault)
  })

  it("A mutant is outdated if its text does not occur exactly once in its file", () => {
    expect(applyMutant(anyMutant, "if (a < b) c()")).toBe("if (a > b) c()")
    expect(applyMutant(anyMutant, "if (a <= b) c()")).toBeUndefined()
    expect(applyMutant(anyMutant, "a < b || a < b")).toBeUndefined()
    expect(outdatedMutants([anyMutant])).toEqual([
      "any is outdated: its text does not occur exactly once in src/vocabulary/instant.ts"
    ])
  })

  it("A mutant is loaded only in its own process, where a search kills it", { timeout: 120_000 }, async () => {
    const mutant =
      mutants.find(({ name }) => name === "accept-earlier-head") ?? assert.fail("the mutant does not exist")
    const files = marked.filter((file) => mutant.scenarios.includes(nameOfScript(file)))
    const [found, nothing] = await Effect.runPromise(
      Effect.all([searchInProcess(mutant, files, effort), searchInProcess(undefined, files, effort)])
    )
    expect(found).toMatchObject({ ended: "KILLED", by: "no command on a stale head", scenario: mutant.scenarios[0] })
    expect(nothing).toMatchObject({ ended: "SURVIVED" })
  })

  it("The page of mutants lists every mutant", () => {
    if (process.env["UPDATE_DOCS"] !== undefined) fs.writeFileSync(page, generated(fs.readFileSync(page, "utf8")))
    const now = fs.readFileSync(page, "utf8")
    assert.strictEqual(now, generated(now), "run: UPDATE_DOCS=1 npx vitest run test/simulator/mutation/mutants.test.ts")
  })
})

const generated = (text: string): string =>
  text.replace(
    /<!-- mutants -->\n[\s\S]*<!-- end -->/,
    ["<!-- mutants -->", "", table(), "", "<!-- end -->"].join("\n")
  )

const table = (): string =>
  [
    "| mutant | what it breaks | in | killed by | only where |",
    "|---|---|---|---|---|",
    ...mutants.map(({ name, says, file, killedBy, needs = "" }) =>
      ["", `\`${name}\``, says, `\`${file}\``, killedBy.join(", "), needs, ""].join(" | ").trim()
    )
  ].join("\n")
