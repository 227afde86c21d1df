/** The continuous search keeps each finding once and resumes deterministically after an interruption. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Result } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { violatedPropertyIn } from "../../../simulator/search/findings/finding-scenario.ts"
import { checkMinimality } from "../../../simulator/search/findings/minimize-script.ts"
import { Corpus } from "../../../simulator/search/continuous/corpus.ts"
import { searchableScript } from "../../../simulator/search/continuous/generated-scripts.ts"
import { initialProgress, type Progress } from "../../../simulator/search/continuous/progress.ts"
import { ContinuousSearch } from "../../../simulator/search/continuous/continuous-search.ts"
import type { PropertySet } from "../../../simulator/search/minimize/trials.ts"
import { readScript } from "../../../simulator/scenario/files.ts"
import { noAnswerIsLost, neverRefused, race, read } from "./race-script.ts"

const folders: Array<string> = []
afterAll(() => folders.forEach((folder) => fs.rmSync(folder, { recursive: true })))

const emptyCorpus = (): Corpus => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "soak-"))
  folders.push(folder)
  return new Corpus(folder)
}

const checks: PropertySet = { properties: [neverRefused], probes: [] }
/** Two scripts with the same race. */
const scripts = new Map([
  ["race.yaml", read(race)],
  ["another.yaml", read(race.replaceAll("scout", "runner").replace("- { advance: 1h }", "- { advance: 2h }"))]
])

const soakOf = (progress: Progress, corpus: Corpus, properties = checks): ContinuousSearch =>
  new ContinuousSearch(progress, { scripts, isGenerating: false }, properties, corpus.saveFinding)

const runIterations = (soak: ContinuousSearch, count: number): Progress => {
  for (let turn = 0; turn < count; turn++) Array.from(soak.runIteration())
  return soak.progress
}

describe("findings of a continuous search", () => {
  const corpus = emptyCorpus()
  const properties: PropertySet = { properties: [neverRefusedInBoth(), noAnswerIsLost], probes: [] }
  const progress = runIterations(soakOf(initialProgress(3), corpus, properties), 8)
  const ofRace = progress.findings.filter(({ property }) => property === neverRefused.name)

  it("A failure class is kept once, however often and in whichever script it occurs", () => {
    assert.lengthOf(ofRace, 1, JSON.stringify(progress.findings, null, 1))
    assert.isAbove(ofRace[0]?.times ?? 0, 1)
    assert.hasAllKeys(progress.scripts, ["race.yaml", "another.yaml"])
    for (const { runs } of Object.values(progress.scripts)) assert.isAbove(runs, 0)
  })

  it("Findings of different failure classes are kept separately, without names and ids", () => {
    const causes = progress.findings.map(({ cause }) => cause)
    assert.strictEqual(new Set(causes).size, causes.length)
    assert.isTrue(progress.findings.some(({ property }) => property === noAnswerIsLost.name))
    for (const cause of causes) assert.notMatch(cause, /scout|runner|dana|[0-9a-f]{8}-/)
  })

  it("A kept finding is minimal", () => {
    const file = corpus.fileOf(ofRace[0]?.file ?? "")
    assert.strictEqual(violatedPropertyIn(fs.readFileSync(file, "utf8")), neverRefused.name)
    const checked = Result.getOrThrow(checkMinimality(file, Result.getOrThrow(readScript(file)), properties))
    assert.isNotEmpty(checked.removals)
    assert.isFalse(checked.removals.some(({ stillFails }) => stillFails))
  })

  it("The replay of a kept finding reports whether it fails, is fixed or was deleted", () => {
    const states = (properties: PropertySet) => corpus.replayFindings(ofRace, properties).map(({ state }) => state)
    assert.deepStrictEqual(states(properties), ["FAILS"])
    assert.deepStrictEqual(states({ properties: [], probes: [] }), ["FIXED"])
    fs.rmSync(corpus.fileOf(ofRace[0]?.file ?? ""))
    assert.deepStrictEqual(states(properties), [])
  })
})

describe("interrupted continuous search", () => {
  const whole = runIterations(soakOf(initialProgress(5), emptyCorpus()), 6)

  it("A continuous search that resumes from its checkpoint has the same results", () => {
    const corpus = emptyCorpus()
    corpus.write(runIterations(soakOf(initialProgress(5), corpus), 3))
    const half = Result.getOrThrow(corpus.read())
    assert.strictEqual(half?.position, 3)
    assert.isNotEmpty(whole.findings)
    assert.deepStrictEqual(runIterations(soakOf(half ?? initialProgress(0), corpus), 3), whole)
  })

  it("A continuous search that is interrupted during an iteration repeats the iteration", () => {
    const corpus = emptyCorpus()
    const first = soakOf(initialProgress(5), corpus)
    runIterations(first, 2)
    const turn = first.runIteration()
    for (let run = 0; run < 10; run++) turn.next()
    assert.strictEqual(first.progress.position, 2)
    assert.deepStrictEqual(runIterations(soakOf(first.progress, corpus), 4), whole)
  })

  it("A continuous search without a checkpoint writes the same findings to the same files", () => {
    const corpus = emptyCorpus()
    runIterations(soakOf(initialProgress(5), corpus), 6)
    const progress = runIterations(soakOf(initialProgress(5), corpus), 6)
    assert.deepStrictEqual(progress, whole)
    const files = fs.readdirSync(corpus.fileOf(""))
    assert.sameMembers(
      files,
      progress.findings.flatMap(({ file }) => file ?? [])
    )
  })

  it("Another seed gives other results of a continuous search", () => {
    const other = runIterations(soakOf(initialProgress(6), emptyCorpus()), 2)
    assert.notDeepEqual(other.modes, runIterations(soakOf(initialProgress(5), emptyCorpus()), 2).modes)
  })
})

describe("checkpoint of a continuous search", () => {
  it("An invalid checkpoint is reported", () => {
    const corpus = emptyCorpus()
    fs.writeFileSync(path.resolve(corpus.fileOf(""), "../checkpoint.json"), "{")
    assert.isTrue(Result.isFailure(corpus.read()))
  })
})

describe("generated scripts", () => {
  it("A generated script has an explore step inside, and concurrent steps of different actors", () => {
    const seeds = Array.from({ length: 8 }, (_, index) => index + 1)
    const scenario = seeds.map(searchableScript).find((one) => one !== undefined)
    const begins = scenario?.steps.findIndex(({ kind }) => kind === "explore") ?? -1
    assert.isAbove(begins, 0)
    const together = scenario?.steps.slice(begins).find(({ kind }) => kind === "together")
    const actors = together?.kind === "together" ? together.steps.map((step) => "as" in step && step.as) : []
    assert.isAbove(new Set(actors).size, 1)
    assert.strictEqual(new Set(actors).size, actors.length)
  })
})

/** The same property for the agents of both scripts. */
function neverRefusedInBoth(): PropertySet["properties"][number] {
  return {
    ...neverRefused,
    next: (isRevoked, moment) => {
      const { observed } = moment
      const isRunner = observed.kind === "response" && observed.actor === "runner"
      return neverRefused.next(isRevoked, isRunner ? { ...moment, observed: { ...observed, actor: "scout" } } : moment)
    }
  }
}
