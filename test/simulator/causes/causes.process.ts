/** `simulate why`: from which moment on a run fails, and what alone would have changed it. */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Cause, causeOf, type Continuations } from "../../../simulator/causes/cause.ts"
import { causeLines } from "../../../simulator/causes/cause-lines.ts"
import { causeOfFile } from "../../../simulator/causes/script-cause.ts"
import { causeOfSchedule } from "../../../simulator/causes/schedule-cause.ts"
import { node } from "../../support/server.ts"
import { neverRefused, race, read } from "../search/race-script.ts"

const project = path.resolve(import.meta.dirname, "../../..")

const continuations = (failed: number, runs: number, areAll = true): Continuations => ({ runs, failed, areAll })

/** The cause of a run whose continuations after 0, 1, … moments fail in so many of 10 cases. */
const causeWith = (failed: ReadonlyArray<number>): Cause =>
  causeOf({
    property: "nothing is lost",
    words: "one was lost",
    moments: failed.slice(1).map((_, index) => `choice ${index + 1}`),
    continuationsAfter: (count) => continuations(failed[count] ?? 10, 10),
    eventsFrom: (moment) => [`event of moment ${moment}`],
    changesUntil: (count) => [
      { what: "another choice", stillFails: false },
      ...Array.from({ length: count }, () => ({ what: "more", stillFails: true }))
    ]
  })

const lastLineOf = (cause: Cause): string => causeLines("a.yaml", cause).find((line) => line.startsWith("  It ")) ?? ""

describe("the decisive moment", () => {
  it.each([
    [[2, 5, 6, 10, 10, 10], 3],
    [[2, 10, 10, 10], 1],
    [[2, 3, 4, 10], 3],
    [[10, 10, 10], 0],
    [[2, 3, 4], 2]
  ])(
    "Of %j failed continuations, %i moments are shown, the last of which no continuation survives.",
    (failed, shown) => {
      const { moments, events } = causeWith(failed)
      assert.deepStrictEqual(
        moments.map(({ after }) => after.failed),
        failed.slice(1, shown + 1)
      )
      assert.deepStrictEqual(events, [`event of moment ${Math.max(shown - 1, 0)}`])
    }
  )

  it.each([
    [[2, 6, 10], "  It could still have passed until choice 2. What followed until it failed:"],
    [[10, 10], "  It fails in every continuation of the start. The last events until it failed:"],
    [[2, 3], "  It could have passed until its end. The last events:"]
  ])("The text says when the run could still have passed: %j.", (failed, line) => {
    assert.strictEqual(lastLineOf(causeWith(failed)), line)
  })

  it("The text says all, most, some or none of every moment, and which single change makes the run pass.", () => {
    const lines = causeLines("a.yaml", causeWith([0, 3, 6, 10]))
    assert.deepStrictEqual(lines, [
      "a.yaml: nothing is lost",
      "  observed: one was lost",
      "  at the start: fails in none, 0 of 10 continuations",
      "  after choice 1: fails in some, 3 of 10 continuations",
      "  after choice 2: fails in most, 6 of 10 continuations",
      "  after choice 3: fails in all, 10 of 10 continuations",
      "  It could still have passed until choice 3. What followed until it failed:",
      "    event of moment 2",
      "  It passes with one change alone:",
      "    another choice",
      "  It still fails with each of 3 other single changes."
    ])
  })
})

/** The race with this schedule. */
const ordered = (choose: string): string =>
  race.replace(/ {2}- explore:\n(?: {6}.*\n)+/, `  - { explore: {}, choose: [${choose}] }\n`)

const danaFirst = "scout:view, dana:view, scout:transaction, dana:transaction, dana:view, dana:transaction"

describe("a schedule", () => {
  const checks = { properties: [neverRefused], probes: [] }

  it("The choice after which the revocation precedes the agent's request in every schedule is the decisive one.", () => {
    const cause = Result.getOrThrow(causeOfSchedule("race.yaml", read(ordered(danaFirst)), checks, 200))
    assert.strictEqual(cause.property, "the agent is never refused")
    assert.strictEqual(cause.moments.at(-1)?.what, "choice 6: dana:transaction, before scout:view")
    assert.isTrue(cause.before.areAll)
    assert.isBelow(cause.before.failed, cause.before.runs)
  })

  it("Where there are more continuations than may be run, they are sampled.", () => {
    const { before } = Result.getOrThrow(causeOfSchedule("race.yaml", read(ordered(danaFirst)), checks, 3))
    assert.deepInclude(before, { runs: 3, areAll: false })
  })

  it("A schedule that violates no property has no cause.", () => {
    const cause = causeOfSchedule("race.yaml", read(ordered("scout:view")), checks, 200)
    assert.deepStrictEqual(cause, Result.fail("race.yaml: its run violates no property"))
  })
})

const explainMutant = (name: string): Cause => {
  const [plant, program] = ["simulator/mutation/apply-mutant.ts", "test/simulator/causes/explain-mutant.ts"].map(
    (file) => path.join(project, file)
  )
  const printed = execFileSync(node, ["--import", pathToFileURL(plant!).href, program!, name], { encoding: "utf8" })
  return JSON.parse(printed) as Cause
}

describe("minimized findings of mutants", () => {
  it("Without the check of the grant in the transaction, the agent's authentication before the revocation decides.", () => {
    const { moments, events } = explainMutant("no-grant-recheck-in-transaction")
    assert.match(moments.at(-1)?.what ?? "", /^choice \d: courier:view, before sam:/)
    assert.match(events.join("\n"), /200 to revokeGrant[^]*commit update projects, insert project_events/)
  })

  it("Without the check of pauses, the submission after the pause decides.", () => {
    const { moments } = explainMutant("skip-the-pause-check")
    assert.match(moments.at(-1)?.what ?? "", /^step \d+: courier submit$/)
  })

  it("Without the check of the generation, the second renewal decides.", () => {
    const { moments, changes } = explainMutant("no-generation-check")
    assert.match(moments.at(-1)?.what ?? "", /^step \d+: sam renewGrant$/)
    assert.deepStrictEqual(
      changes.map(({ stillFails }) => stillFails),
      [false, false]
    )
  })
})

describe("runs without a search", () => {
  let folder: string
  beforeAll(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-why-"))))
  afterAll(() => fs.rmSync(folder, { recursive: true }))

  const world = race.slice(0, race.indexOf("steps:"))
  const explain = (text: string): Result.Result<Cause, string> => {
    const file = path.join(folder, "scenario.yaml")
    fs.writeFileSync(file, text)
    return Result.mapError(causeOfFile(file, { properties: [], probes: [], runsMax: 20 }), (error) =>
      error.replace(folder, "")
    )
  }
  const revoked = `${world}steps:
  - { as: iris, do: capabilities }
  - { as: dana, do: signIn }
  - { as: dana, do: revokeGrant, input: { agent: scout } }
  - { as: scout, do: me }
`

  it("The step without which a later step goes as expected decides.", () => {
    const cause = Result.getOrThrow(explain(revoked))
    assert.strictEqual(cause.property, "step 4: scout me")
    assert.strictEqual(cause.words, 'status: expected "2xx", got 401')
    assert.strictEqual(cause.moments.at(-1)?.what, "step 3: dana revokeGrant")
  })

  it("Without a step whose kept value the failing step needs, the run does not pass.", () => {
    const text = `${world}steps:
  - { as: scout, do: me, keep: { something: id } }
  - { as: scout, do: readProject, on: "\${something}" }
`
    const cause = Result.getOrThrow(explain(text))
    assert.strictEqual(cause.property, "step 2: scout readProject")
    assert.deepStrictEqual(cause.before, { runs: 2, failed: 2, areAll: true })
  })

  it("The step without which a property holds decides.", () => {
    const stated = "never:\n  - { name: a refusal, answers: { as: scout }, matches: { status: 401 } }\n"
    const text = `${revoked.replace("do: me }", "do: me, expect: { error: AUTH_INVALID } }")}${stated}`
    const cause = Result.getOrThrow(explain(text))
    assert.strictEqual(cause.property, "never: a refusal")
    assert.strictEqual(cause.moments.at(-1)?.what, "step 4: scout me")
    assert.deepStrictEqual(
      cause.changes.filter(({ stillFails }) => !stillFails).map(({ what }) => what),
      ["without step 3: dana revokeGrant", "without step 4: scout me"]
    )
  })

  it("A scenario that passes has no cause.", () => {
    const text = revoked.replace("do: me }", "do: me, expect: { error: AUTH_INVALID } }")
    assert.deepStrictEqual(
      explain(text),
      Result.fail("/scenario.yaml: every step goes as expected, and every property holds")
    )
  })

  const lesson = path.join(project, "scenarios/lessons/pause-before-command")
  const submission = `  - as: courier
    do: submit
    on: \${project}
    input:
      requestId: d34b7541-2dd2-443e-8fda-5ebf10cc01bb
      summary: What was agreed.
      items: [{ criterionId: chart, summary: The chart., references: [], files: [] }]
    expect: { error: AGENT_PAUSED }
`
  const savedRun = (steps: string): string => {
    const run = path.join(folder, "run")
    fs.cpSync(lesson, run, { recursive: true })
    const world = fs.readFileSync(path.join(lesson, "scenario.yaml"), "utf8")
    const parts = path.relative(run, path.join(project, "scenarios/parts"))
    fs.writeFileSync(path.join(run, "scenario.yaml"), `${world.replaceAll("../../parts", parts)}${steps}`)
    fs.writeFileSync(path.join(run, "run.json"), "{}")
    return run
  }

  it("In a saved run of a lesson the agent's request that breaks the rule decides.", () => {
    const run = savedRun(`
  - { as: courier, do: readProject, on: "\${project}" }
  - { as: courier, do: respond, on: "\${project}", input: { action: ACCEPT, reason: As offered. } }
  - { as: courier, do: readProject, on: "\${project}" }
  - { as: sam, do: pauseProject, on: "\${project}", input: { reason: I want to look first. } }
${submission}${submission}`)
    const cause = Result.getOrThrow(causeOfFile(run, { properties: [], probes: [], runsMax: 6 }))
    assert.strictEqual(cause.property, "never: a command while it knows of the pause")
    assert.match(cause.moments.at(-1)?.what ?? "", /^step \d+: courier submit$/)
    assert.strictEqual(cause.moments.at(-1)?.after.failed, cause.moments.at(-1)?.after.runs)
  })

  it("In a saved run that exceeds its budget of requests, the first request beyond it decides.", () => {
    const run = savedRun("")
    const file = path.join(run, "lesson.yaml")
    fs.appendFileSync(file, "\nbudget: { requests: 2 }\n")
    const read = '  - { as: courier, do: readProject, on: "${project}" }\n'
    fs.appendFileSync(path.join(run, "scenario.yaml"), read.repeat(4))
    const cause = Result.getOrThrow(causeOfFile(run, { properties: [], probes: [], runsMax: 6 }))
    assert.strictEqual(cause.property, "the budget of requests")
    assert.lengthOf(cause.moments, 3)
  })
})
