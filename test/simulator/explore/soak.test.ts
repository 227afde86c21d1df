/** A search without an end: what it finds it keeps once, and what was stopped goes on as if it had not been. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Result } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { invariantBrokenIn } from "../../../simulator/explore/found/scenario.ts"
import { checkFound } from "../../../simulator/explore/found/shrink-script.ts"
import { Corpus } from "../../../simulator/explore/soak/corpus.ts"
import { searchable } from "../../../simulator/explore/soak/generated.ts"
import { beginning, type Progress } from "../../../simulator/explore/soak/progress.ts"
import { Soak } from "../../../simulator/explore/soak/soak.ts"
import type { Judged } from "../../../simulator/explore/shrink/trials.ts"
import { readScript } from "../../../simulator/files.ts"
import { losesItsAnswer, neverRefused, race, read } from "./explore-found.ts"

const folders: Array<string> = []
afterAll(() => folders.forEach((folder) => fs.rmSync(folder, { recursive: true })))

const emptyCorpus = (): Corpus => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "soak-"))
  folders.push(folder)
  return new Corpus(folder)
}

const judged: Judged = { invariants: [neverRefused], probes: [] }
/** Two scripts with one race in them. */
const scripts = new Map([
  ["race.yaml", read(race)],
  ["another.yaml", read(race.replaceAll("scout", "runner").replace("- { advance: 1h }", "- { advance: 2h }"))]
])

const soakOf = (progress: Progress, corpus: Corpus, held = judged): Soak =>
  new Soak(progress, { scripts, isGenerating: false }, held, corpus.keep)

const takeTurns = (soak: Soak, count: number): Progress => {
  for (let turn = 0; turn < count; turn++) Array.from(soak.turn())
  return soak.progress
}

describe("what is found", () => {
  const corpus = emptyCorpus()
  const held: Judged = { invariants: [refusedToAnybody(), losesItsAnswer], probes: [] }
  const progress = takeTurns(soakOf(beginning(3), corpus, held), 8)
  const ofRace = progress.findings.filter(({ invariant }) => invariant === neverRefused.name)

  it("is kept once, however often and wherever it is met", () => {
    assert.lengthOf(ofRace, 1, JSON.stringify(progress.findings, null, 1))
    assert.isAbove(ofRace[0]?.times ?? 0, 1)
    assert.hasAllKeys(progress.scripts, ["race.yaml", "another.yaml"])
    for (const { runs } of Object.values(progress.scripts)) assert.isAbove(runs, 0)
  })

  it("and apart from what has another cause", () => {
    const causes = progress.findings.map(({ cause }) => cause)
    assert.strictEqual(new Set(causes).size, causes.length)
    assert.isTrue(progress.findings.some(({ invariant }) => invariant === losesItsAnswer.name))
    for (const cause of causes) assert.notMatch(cause, /scout|runner|dana|[0-9a-f]{8}-/)
  })

  it("as a script from which nothing can be taken away", () => {
    const file = corpus.fileOf(ofRace[0]?.file ?? "")
    assert.strictEqual(invariantBrokenIn(fs.readFileSync(file, "utf8")), neverRefused.name)
    const checked = Result.getOrThrow(checkFound(file, Result.getOrThrow(readScript(file)), held))
    assert.isNotEmpty(checked.removals)
    assert.isFalse(checked.removals.some(({ stillFails }) => stillFails))
  })

  it("is had again, and told apart from what was fixed and what was taken away", () => {
    const states = (held: Judged) => corpus.replayed(ofRace, held).map(({ state }) => state)
    assert.deepStrictEqual(states(held), ["FAILS"])
    assert.deepStrictEqual(states({ invariants: [], probes: [] }), ["FIXED"])
    fs.rmSync(corpus.fileOf(ofRace[0]?.file ?? ""))
    assert.deepStrictEqual(states(held), [])
  })
})

describe("a search that was stopped", () => {
  const whole = takeTurns(soakOf(beginning(5), emptyCorpus()), 6)

  it("goes on from what was written down, and comes to the same", () => {
    const corpus = emptyCorpus()
    corpus.write(takeTurns(soakOf(beginning(5), corpus), 3))
    const half = Result.getOrThrow(corpus.read())
    assert.strictEqual(half?.position, 3)
    assert.isNotEmpty(whole.findings)
    assert.deepStrictEqual(takeTurns(soakOf(half ?? beginning(0), corpus), 3), whole)
  })

  it("in the middle of a turn takes that turn again", () => {
    const corpus = emptyCorpus()
    const first = soakOf(beginning(5), corpus)
    takeTurns(first, 2)
    const turn = first.turn()
    for (let run = 0; run < 10; run++) turn.next()
    assert.strictEqual(first.progress.position, 2)
    assert.deepStrictEqual(takeTurns(soakOf(first.progress, corpus), 4), whole)
  })

  it("and never written down finds the same once more, in the same file", () => {
    const corpus = emptyCorpus()
    takeTurns(soakOf(beginning(5), corpus), 6)
    const progress = takeTurns(soakOf(beginning(5), corpus), 6)
    assert.deepStrictEqual(progress, whole)
    const files = fs.readdirSync(corpus.fileOf(""))
    assert.sameMembers(
      files,
      progress.findings.flatMap(({ file }) => file ?? [])
    )
  })

  it("comes to something else by another seed", () => {
    const other = takeTurns(soakOf(beginning(6), emptyCorpus()), 2)
    assert.notDeepEqual(other.ways, takeTurns(soakOf(beginning(5), emptyCorpus()), 2).ways)
  })
})

describe("a checkpoint", () => {
  it("that is none is told, and not written over", () => {
    const corpus = emptyCorpus()
    fs.writeFileSync(path.resolve(corpus.fileOf(""), "../checkpoint.json"), "{")
    assert.isTrue(Result.isFailure(corpus.read()))
  })
})

describe("a generated script", () => {
  it("is searched from a place within it on, with several things at once", () => {
    const seeds = Array.from({ length: 8 }, (_, index) => index + 1)
    const scenario = seeds.map(searchable).find((one) => one !== undefined)
    const begins = scenario?.steps.findIndex(({ kind }) => kind === "explore") ?? -1
    assert.isAbove(begins, 0)
    const together = scenario?.steps.slice(begins).find(({ kind }) => kind === "together")
    const actors = together?.kind === "together" ? together.steps.map((step) => "as" in step && step.as) : []
    assert.isAbove(new Set(actors).size, 1)
    assert.strictEqual(new Set(actors).size, actors.length)
  })
})

/** The same for an agent of any name. */
function refusedToAnybody(): Judged["invariants"][number] {
  return {
    ...neverRefused,
    sees: (isRevoked, moment) => {
      const { observed } = moment
      const isRunner = observed.kind === "response" && observed.actor === "runner"
      return neverRefused.sees(isRevoked, isRunner ? { ...moment, observed: { ...observed, actor: "scout" } } : moment)
    }
  }
}
