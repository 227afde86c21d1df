/** Saved runs of lessons: judged again without the agent, and every difference is reported. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { AgentProcess } from "../../simulator/examination/agent-process.ts"
import { examine } from "../../simulator/examination/examine.ts"
import { readLessons } from "../../simulator/examination/lesson.ts"
import { examReports } from "../../simulator/examination/reports/exam-reports.ts"
import { replayRun, savedRunsIn, saveRun } from "../../simulator/examination/saved-run.ts"
import { serve } from "../../simulator/serve/server.ts"
import { Worlds } from "../../simulator/serve/worlds.ts"
import { runSimulate } from "../support/run-simulator.ts"

const lesson = path.resolve(import.meta.dirname, "../../scenarios/lessons/answer-lost")

let base: string
let saved: string
let reported: string
beforeAll(async () => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-saved-run-"))
  const [first] = Result.getOrThrow(readLessons([lesson]))
  const worlds = new Worlds(10)
  const server = await serve(worlds, 0)
  // An agent that only reads never comes to the point of a lesson.
  const command = `"${process.execPath}" -e 'fetch(process.env.COUNTERSIGN_URL + "/api/agents/v1/me", { headers: { authorization: "Bearer " + process.env.COUNTERSIGN_TOKEN } })'`
  const result = await examine(first!, worlds, {
    newAgent: () => new AgentProcess(command),
    origin: server.origin,
    isCooperative: true,
    silence: 30
  })
  await server.close()
  reported = examReports.json({ results: [result] })
  saved = path.join(base, "saved/answer-lost")
  assert.isUndefined(saveRun(saved, result))
})
afterAll(() => fs.rmSync(base, { recursive: true }))

/** A saved run in which one text of a file is replaced. */
const savedWith = (name: string, file: string, from: string, to: string): string => {
  const folder = path.join(base, name)
  fs.cpSync(saved, folder, { recursive: true })
  const text = fs.readFileSync(path.join(folder, file), "utf8")
  assert.include(text, from)
  fs.writeFileSync(path.join(folder, file), text.replace(from, to))
  return folder
}

const differencesIn = (folder: string): string => Result.getOrThrow(replayRun(folder)).differences.join("\n")

describe("a saved run", () => {
  it("A saved run has the same verdict and the same trace without the agent.", () => {
    const { verdict, differences } = Result.getOrThrow(replayRun(saved))
    assert.strictEqual(verdict, "UNKNOWN")
    assert.deepStrictEqual(differences, [])
  })

  it("The report of a replay has the bytes of that of the examination.", async () => {
    const file = path.join(base, "replay.json")
    const { status, stdout } = await runSimulate(["exam", "replay", saved, "--report", `json=${file}`])
    assert.include(stdout, "UNKNOWN answer-lost")
    assert.deepStrictEqual([status, fs.readFileSync(file, "utf8")], [4, reported])
  })

  it.each([
    ["another byte in the trace", "trace.ndjson", '"operation":"me"', '"operation":"mi"', "The trace differs"],
    ["another verdict", "run.json", "UNKNOWN", "PASS", "The verdict was PASS, and is UNKNOWN."],
    ["a broken condition less", "run.json", "the same submission was sent again", "nothing", "Other conditions"],
    ["another request", "scenario.yaml", "do: me ", "do: readProject, on: x ", "The trace differs"],
    ["another seed", "scenario.yaml", "seed: 302", "seed: 303", "The trace differs"]
  ])("A saved run with %s is reported.", (name, file, from, to, difference) => {
    assert.include(differencesIn(savedWith(name, file, from, to)), difference)
  })

  it.each([
    ["no JSON", "run.json", "{", "[", "run.json"],
    ["another format", "run.json", "exam-run/v1", "exam-run/v9", "format"],
    ["a misspelt key", "lesson.yaml", "eventually:", "eventualy:", "eventualy"]
  ])("A saved run with %s cannot be judged, and the reason names the place.", (name, file, from, to, reason) => {
    const read = replayRun(savedWith(name, file, from, to))
    assert.isTrue(Result.isFailure(read))
    assert.include(Result.isFailure(read) ? read.failure : "", reason)
  })

  it("A folder is a saved run, or has them right below it.", () => {
    assert.deepStrictEqual(savedRunsIn(saved), [saved])
    assert.deepStrictEqual(savedRunsIn(path.dirname(saved)), [saved])
    assert.deepStrictEqual(savedRunsIn(path.join(base, "nowhere")), [])
  })
})
