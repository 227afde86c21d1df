/** The examination of the agent in Python: it passes every lesson, and with a violation it fails the lesson about it. */
import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { text } from "node:stream/consumers"
import { Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { planOf } from "../../simulator/examination/agent-faults.ts"
import { AgentProcess } from "../../simulator/examination/agent-process.ts"
import { examine, type LessonResult } from "../../simulator/examination/examine.ts"
import { explain } from "../../simulator/examination/explain.ts"
import { examineToFewest } from "../../simulator/examination/fewest.ts"
import { type Lesson, readLessons } from "../../simulator/examination/lesson.ts"
import { drawnPlan, type Profile } from "../../simulator/examination/profile.ts"
import { operationsOf, sweep } from "../../simulator/examination/sweep.ts"
import { lessonOfTrial } from "../../simulator/examination/trial.ts"
import { firstDifference } from "../../simulator/observation/trace.ts"
import { type RunningServer, serve } from "../../simulator/serve/server.ts"
import { Worlds } from "../../simulator/serve/worlds.ts"
import { assertReplays, judged } from "../support/examined-runs.ts"
import { node } from "../support/server.ts"

const root = path.resolve(import.meta.dirname, "../..")
const agentWaiting = (seconds: number) => `python3 ${path.join(root, "test/simulator/agent.py")} --timeout ${seconds}`
const agent = agentWaiting(5)
/** It waits long where no answer is lost: a run in which an answer comes too late has no verdict. */
const agentFor = ({ text }: Lesson) => agentWaiting(/lost: (request|answer)/.test(text) ? 10 : 60)
const lessons = Result.getOrThrow(readLessons([path.join(root, "scenarios/lessons")]))

const worlds = new Worlds(10)
let server: RunningServer
beforeAll(async () => {
  server = await serve(worlds, 0)
})
afterAll(() => server.close())

const optionsFor = (command: string) => ({
  newAgent: () => new AgentProcess(command),
  origin: server.origin,
  isCooperative: true,
  silence: 30
})

const take = (lesson: Lesson, command: string): Promise<LessonResult> => examine(lesson, worlds, optionsFor(command))

const saved = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-exam-"))
afterAll(() => fs.rmSync(saved, { recursive: true }))

/** Runs whose replay is checked after the agents have ended: a replay would delay their answers. */
const finished: Array<readonly [name: string, result: LessonResult]> = []

/** With a budget in which an agent that never ends is judged sooner; the careful one needs half of it. */
const shortened = (lesson: Lesson): Lesson => {
  const budget = { ...lesson.form.budget, requests: 100 }
  const text = `${lesson.text.replace(/^budget:.*\n/m, "")}budget: ${JSON.stringify(budget)}\n`
  return { ...lesson, form: { ...lesson.form, budget }, text }
}

const lessonNamed = (name: string): Lesson => lessons.find((lesson) => lesson.name === name) ?? assert.fail(name)

/** The violations that each lesson finds. */
const violations = {
  "first-delivery": ["half-delivery", "no-acceptance", "delivers-unaccepted"],
  "answer-lost": ["new-request-id", "changed-bytes", "assumes-success", "gives-up"],
  "stale-head": ["resends-refused", "reuses-request-id", "stops-at-refusal"],
  "pause-before-command": ["resends-refused", "ignores-pause", "silent-pause"],
  "webhook-twice": ["handles-twice", "ignores-webhooks", "refuses-duplicates"],
  "webhook-forged": ["accepts-forged", "acts-before-verifying", "verifies-parsed-body"],
  "webhook-old": ["ignores-timestamp", "tolerates-an-hour", "reads-milliseconds", "acts-before-verifying"],
  "date-revision": [
    "submits-until-signed",
    "silent-pause",
    "keeps-digest",
    "ignores-successor",
    "delivers-superseded",
    "accepts-revision"
  ],
  "revised-terms": ["accepts-successor", "accepts-superseded", "waits-silently", "silent-pause"],
  "wrong-digest": ["repeats-files", "invents-digest", "swaps-files", "adds-file"],
  "record-waits-for-credit": [
    "issues-again",
    "repeats-answered",
    "assumes-issued",
    "leaves-after-telling",
    "silent-pause"
  ],
  "failed-email": ["repeats-after-email", "commands-again-after-email", "stops-at-email", "hands-off-at-email"],
  "webhooks-lost": ["waits-for-webhooks-only", "polls-without-waiting", "ignores-webhooks"],
  "webhooks-out-of-order": ["handles-twice", "acts-on-event", "refuses-older", "ignores-webhooks"],
  "pause-and-resumption": ["resends-refused", "reuses-request-id", "stops-at-refusal"],
  "webhook-under-rotated-secret": ["accepts-without-secret", "subscribes-again", "keeps-no-secret"],
  "grant-revoked": ["resends-refused", "silent-pause", "reconnects-after-revocation"],
  "wait-for-human": ["submits-until-signed", "tells-no-link", "silent-pause"],
  "checkpoint-to-the-end": ["restarts-history", "resends-old-cursor", "stops-at-old-cursor", "acts-on-every-delivery"],
  "request-lost": ["new-request-id", "changed-bytes", "assumes-success", "gives-up"],
  "process-ended": ["forgets-after-crash", "changes-after-crash", "assumes-after-crash"],
  "html-from-an-edge": ["new-request-id", "changed-bytes", "assumes-success", "gives-up"],
  "unavailable-503": ["ignores-retry-after", "new-request-id", "changed-bytes", "gives-up"],
  "evidence-requested": ["ignores-review", "forgets-review", "answers-part"],
  "limit-reached": ["resends-refused", "retries-on-timer", "connects-again", "silent-refusal"],
  "refused-400": ["resends-refused", "retries-on-timer", "silent-refusal", "stops-at-refusal"],
  "hand-off": ["ignores-pause", "resends-refused", "silent-pause", "stops-at-refusal"],
  "changed-documents": ["accepts-anything", "accepts-after-telling", "declines-itself", "silent-refusal"],
  "credential-expiring": ["silent-end", "resends-refused", "reconnects-after-revocation", "stops-at-refusal"],
  "credential-renewed": ["resends-refused", "new-request-id", "reconnects-after-revocation", "stops-at-refusal"],
  "replacement-grant-404": ["submits-lost-job", "saves-lost-job", "silent-refusal", "stops-at-refusal"],
  "request-id-of-another-act": [
    "resends-refused",
    "reuses-request-id",
    "stops-at-refusal",
    "takes-conflict-for-success"
  ],
  "unknown-state": ["delivers-unknown-state", "waits-at-unknown-state", "refuses-unknown-members", "silent-refusal"],
  "polling-slowed": [
    "keeps-interval",
    "resets-interval",
    "polls-without-waiting",
    "connects-again",
    "stops-at-slow-down"
  ]
}

describe("The examination", () => {
  it("Every lesson finds at least three violations.", () => {
    assert.sameMembers(
      lessons.map(({ name }) => name),
      Object.keys(violations)
    )
    for (const found of Object.values(violations)) assert.isAtLeast(found.length, 3)
  })

  it.concurrent.each(lessons)("The lesson $name is passed by the agent that keeps the rules.", async (lesson) => {
    const result = await take(lesson, agentFor(lesson))
    assert.strictEqual(result.verdict, "PASS", explain(result))
    finished.push([lesson.name, result])
  })

  const broken = Object.entries(violations).flatMap(([lesson, found]) =>
    found.map((name, index) => [lesson, name, index] as const)
  )
  it.concurrent.each(broken)("%s fails an agent with the violation %s.", async (lesson, name, index) => {
    const given = lessonNamed(lesson)
    const result = await judged(() => take(shortened(given), `${agentFor(given)} --violation ${name}`))
    assert.strictEqual(result.verdict, "FAIL", `${explain(result)}\n${result.output}`)
    assert.include(explain(result), result.lesson.form.hint)
    // One failed run of each lesson; the command compares every run when it saves it.
    if (index === 0) finished.push([`${lesson} ${name}`, result])
  })

  it.concurrent.each(Object.keys(violations))("An agent that does nothing does not pass %s.", async (name) => {
    assert.strictEqual((await take(lessonNamed(name), "true")).verdict, "UNKNOWN")
    assert.strictEqual((await take(lessonNamed(name), "exit 3")).verdict, "ERROR")
  })

  it("A passed and a failed run of each lesson is saved, and replays without the agent.", () => {
    assert.strictEqual(finished.length, 2 * lessons.length)
    for (const [name, result] of finished) assertReplays(saved, result, name)
  })

  it("An agent that thinks for two seconds before each request has the same verdict and the same trace.", async () => {
    const lesson = lessonNamed("first-delivery")
    const [quick, slow] = await Promise.all([take(lesson, agent), take(lesson, `${agent} --think 2`)])
    assert.deepStrictEqual([quick.verdict, slow.verdict], ["PASS", "PASS"])
    assert.isUndefined(firstDifference(quick.session.trace, slow.session.trace, ["quick", "slow"]))
  })

  it("A lesson is passed in further trials, in which names, ids and terms are others.", async () => {
    const lesson = lessonNamed("evidence-requested")
    const trials = [2, 3].map((number) => Result.getOrThrow(lessonOfTrial(lesson, { number, seed: 1 })))
    const results = await Promise.all(trials.map((trial) => take(trial, agent)))
    for (const result of results) {
      assert.strictEqual(result.verdict, "PASS", explain(result))
      assertReplays(saved, result, result.lesson.name)
    }
    const [one, other] = results.map(({ session }) => session.trace)
    assert.isDefined(firstDifference(one!, other!, ["one", "other"]))
  })

  describe("the sweep of a first delivery", () => {
    const sweepOf = (command: string) =>
      sweep(lessonNamed("first-delivery"), worlds, { ...optionsFor(command), together: os.availableParallelism() })

    it("The faults that an agent does not survive are named.", { timeout: 300_000 }, async () => {
      const swept = await sweepOf(`${agent} --violation gives-up`)
      assert(swept.kind === "COMPLETE")
      assert.deepStrictEqual(
        swept.failed.map(({ fault, operation }) => [fault.kind, operation]),
        ["request-lost", "answer-lost", "answered-503"].map((kind) => [kind, "submit"])
      )
    })

    it("An agent that does not pass, or differs between two runs without a fault, is told so.", async () => {
      assert.strictEqual((await sweepOf("true")).kind, "CALM_RUN_FAILS")
      const differing = await sweepOf(`${agent} --violation forgets-after-crash`)
      assert(differing.kind === "RUNS_DIFFER")
      assert.include(differing.difference, "requestId")
    })
  })

  /** Runs every lesson; several at the same time, since about half of their time is waiting for answers that are lost. */
  const takeAll = async (
    given: ReadonlyArray<Lesson>,
    run: (lesson: Lesson) => Promise<LessonResult>
  ): Promise<ReadonlyArray<LessonResult>> => {
    const waiting = [...given]
    const results: Array<LessonResult> = []
    const runNext = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results.push(await run(next))
    }
    await Promise.all(Array.from({ length: 4 }, runNext))
    return results
  }

  describe("the fault profiles", () => {
    const inProfile = (profile: Profile) => (lesson: Lesson) =>
      examine(lesson, worlds, {
        ...optionsFor(agent),
        faults: drawnPlan(profile, 1, lesson),
        hasYear: profile === "year"
      })

    // `simulate exam --profile` gives all of them.
    const everySecond = (first: number) => lessons.filter((_, index) => index % 2 === first)

    const assertPassed = (results: ReadonlyArray<LessonResult>, profile: Profile) => {
      for (const result of results) {
        assert.strictEqual(result.verdict, "PASS", `${explain(result)}\n${result.output}`)
        assertReplays(saved, result, `${profile} ${result.lesson.name}`)
      }
    }

    it(
      "The agent that keeps the rules passes every second lesson where requests and answers are lost.",
      {
        timeout: 600_000
      },
      async () => {
        const results = await takeAll(everySecond(0), inProfile("lossy"))
        assertPassed(results, "lossy")
        const faults = results.flatMap(({ injected }) => injected)
        assert.sameMembers([...new Set(faults.map(({ kind }) => kind))], ["request-lost", "answer-lost"])
      }
    )

    it(
      "The agent that keeps the rules passes the other lessons under each fault of the profile hostile.",
      {
        timeout: 600_000
      },
      async () => {
        const results = await takeAll(everySecond(1), inProfile("hostile"))
        assertPassed(results, "hostile")
        const faults = results.flatMap(({ injected }) => injected)
        const kinds = ["request-lost", "answer-lost", "answered-503", "html-page", "agent-ended"]
        assert.sameMembers([...new Set(faults.map(({ kind }) => kind))], [...kinds, "webhook-twice", "webhook-forged"])
      }
    )

    it(
      "The agent that keeps the rules passes lessons whose world continues for a year.",
      {
        timeout: 300_000
      },
      async () => {
        const names = [
          "first-delivery",
          "credential-renewed",
          "grant-revoked",
          "webhook-twice",
          "refused-400",
          "unknown-state"
        ]
        const results = await takeAll(names.map(lessonNamed), inProfile("year"))
        assertPassed(results, "year")
        for (const { session, ended } of results) {
          assert.strictEqual(ended, "a year has passed since everything was reached")
          assert.isAtLeast(Date.parse(session.now) - Date.parse(session.opening.start), 364 * 86_400_000)
        }
      }
    )

    it("An agent that sends a dead credential again after a reboot fails in the year after the lesson.", async () => {
      const lesson = lessonNamed("credential-renewed")
      const command = `${agent} --violation forgets-refusal`
      assert.strictEqual((await take(lesson, command)).verdict, "PASS")
      const result = await examineToFewest(lesson, worlds, { ...optionsFor(command), hasYear: true })
      assert.strictEqual(result.verdict, "FAIL", explain(result))
      assert.include(explain(result), "It takes: the year after the lesson")
      assertReplays(saved, result, "year forgets-refusal")
    })
  })

  describe("the fewest faults and acts", () => {
    it("A broken rule names the act without which it is kept.", async () => {
      const command = `${agent} --violation changed-bytes`
      const result = await examineToFewest(shortened(lessonNamed("answer-lost")), worlds, optionsFor(command))
      assert.include(explain(result), "It takes: act 1.")
    })

    it("Of several faults the one is named that the agent does not survive, at its position in the shortest run.", async () => {
      const command = `${agent} --violation gives-up`
      const lesson = shortened(lessonNamed("first-delivery"))
      const calm = await take(lesson, command)
      const submits = operationsOf(lesson, calm.session).indexOf("submit") + 1
      const faults = planOf([
        { kind: "request-lost", request: 2 },
        { kind: "answer-lost", request: submits + 1 }
      ])
      const result = await examineToFewest(lesson, worlds, { ...optionsFor(command), faults })
      assert.strictEqual(result.verdict, "FAIL", explain(result))
      assert.include(explain(result), `It takes: the answer to request ${submits} (submit) lost.`)
    })

    it("An agent that differs between two runs is told where.", async () => {
      const command = `${agent} --violation forgets-after-crash`
      const result = await examineToFewest(shortened(lessonNamed("process-ended")), worlds, optionsFor(command))
      assert.match(explain(result), /two equal runs of this agent differ: .*requestId/)
    })
  })

  describe("the blocks of examine-an-agent.md", () => {
    const page = fs.readFileSync(path.join(root, "docs/learning/examine-an-agent.md"), "utf8")
    const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!.trimEnd())
    const inShell = async (block: string) => {
      const child = spawn("bash", ["-euo", "pipefail", "-c", block], {
        cwd: root,
        env: { ...process.env, PATH: `${path.dirname(node)}:${process.env["PATH"]}` }
      })
      const [code, stdout, stderr] = await Promise.all([
        new Promise<number | null>((resolve) => child.on("close", resolve)),
        text(child.stdout),
        text(child.stderr)
      ])
      assert.strictEqual(code, 0, stdout + stderr)
      return stdout
    }

    it.concurrent.each(blocks)("%s", { timeout: 600_000 }, async (block) => {
      const printed = await inShell(block)
      if (!block.includes("exam sweep")) return
      const swept = /^first-delivery: complete: (\d+) runs for (\d+) requests, every single fault survived$/m.exec(
        printed
      )
      const [runs, requests] = [Number(swept?.[1]), Number(swept?.[2])]
      assert.isAtLeast(requests, 10, printed)
      assert.strictEqual(runs, 4 * requests)
    })

    it("There is one for each way of examining.", () => {
      assert.isAtLeast(blocks.length, 8)
      assert.isTrue(blocks.some((block) => block.includes("exam sweep")))
    })
  })

  it.each([
    ["python3 test/simulator/agent.py", 0],
    ["python3 test/simulator/agent.py --violation gives-up", 1],
    ["exit 3", 2],
    ["true", 4]
  ])("simulate exam --command %j exits with %i.", (command, code) => {
    const run = ["simulator/main.ts", "exam", "scenarios/lessons/answer-lost", "--command", command]
    const { status, stdout, stderr } = spawnSync(node, run, { cwd: root, encoding: "utf8" })
    assert.strictEqual(status, code, stdout + stderr)
  })
})
