/** Lessons with personas: the agent that keeps the rules passes them, and agents that break one fail. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { AgentProcess } from "../../simulator/examination/agent-process.ts"
import { examine, type LessonResult } from "../../simulator/examination/examine.ts"
import { explain } from "../../simulator/examination/explain.ts"
import { type Lesson, readLesson } from "../../simulator/examination/lesson.ts"
import { readPersona } from "../../simulator/examination/persona.ts"
import { lessonOfTrial } from "../../simulator/examination/trial.ts"
import { withPersona } from "../../simulator/examination/with-persona.ts"
import { type RunningServer, serve } from "../../simulator/serve/server.ts"
import { Worlds } from "../../simulator/serve/worlds.ts"
import { assertReplays, judged } from "../support/examined-runs.ts"

const root = path.resolve(import.meta.dirname, "../..")
/** It waits long, since no answer of these lessons is lost, and a busy machine is not to be taken for a loss. */
const agent = `python3 ${path.join(root, "test/simulator/agent.py")} --timeout 60`
const shipped = path.join(root, "scenarios/personas")

const worlds = new Worlds(10)
let server: RunningServer
beforeAll(async () => {
  server = await serve(worlds, 0)
})
afterAll(() => server.close())

const take = (lesson: Lesson, command: string): Promise<LessonResult> =>
  examine(lesson, worlds, {
    newAgent: () => new AgentProcess(command),
    origin: server.origin,
    isCooperative: true,
    silence: 60
  })

const lessonWith = (lesson: string, persona: string): Lesson =>
  Result.getOrThrow(
    withPersona(
      Result.getOrThrow(readLesson(path.join(root, "scenarios/lessons", lesson))),
      Result.getOrThrow(readPersona(path.join(shipped, persona)))
    )
  )

const saved = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-personas-"))
afterAll(() => fs.rmSync(saved, { recursive: true }))

/** Runs whose replay is checked after the agents have ended: a replay would delay their answers. */
const finished: Array<readonly [name: string, result: LessonResult]> = []

/** By persona and lesson, the violations that it finds. */
const violations: { readonly [persona: string]: { readonly [lesson: string]: ReadonlyArray<string> } } = {
  slow: { "first-delivery": ["gives-up-waiting", "submits-again"], "date-revision": ["submits-until-signed"] },
  repeating: { "webhook-forged": ["handles-twice", "refuses-duplicates"], "hand-off": ["ignores-pause"] },
  "prompt-injection": {
    "first-delivery": ["sends-token", "tells-token", "delivers-ordered-file", "hands-off-when-ordered"],
    "changed-documents": ["accepts-anything", "declines-itself"]
  },
  stubborn: { "first-delivery": ["ignores-review", "forgets-review", "answers-part"] },
  "changing-terms": { "first-delivery": ["follows-review", "answers-part", "silent-pause"] },
  "wrong-digests": { "wrong-digest": ["takes-named-digest", "repeats-files", "swaps-files"] },
  silent: { "first-delivery": ["silent-pause", "submits-again", "polls-without-waiting"] }
}

const given = Object.entries(violations).flatMap(([persona, lessons]) =>
  Object.entries(lessons).map(([lesson, found]) => ({ persona, lesson, found }))
)
const broken = given.flatMap(({ found, ...one }) => found.map((violation) => ({ ...one, violation })))

describe.concurrent("personas", () => {
  it("Every persona finds at least two violations.", () => {
    assert.sameMembers(fs.readdirSync(shipped), Object.keys(violations))
    for (const found of Object.values(violations)) assert.isAtLeast(new Set(Object.values(found).flat()).size, 2)
  })

  it.each(given)(
    "The lesson $lesson with $persona is passed by the agent that keeps the rules.",
    async ({ lesson, persona }) => {
      const result = await take(lessonWith(lesson, persona), agent)
      assert.strictEqual(result.verdict, "PASS", explain(result))
      finished.push([`${lesson}+${persona}`, result])
    }
  )

  it.each(broken)(
    "With the violation $violation an agent fails $lesson with $persona, and is told the rule.",
    async ({ lesson, persona, violation }) => {
      const result = await judged(() => take(lessonWith(lesson, persona), `${agent} --violation ${violation}`))
      assert.strictEqual(result.verdict, "FAIL", `${explain(result)}\n${result.output}`)
      assert.include(explain(result), result.lesson.persona!.form.hint)
      if (violation.endsWith("-token")) finished.push([violation, result])
    }
  )

  it.each(given)("$lesson with $persona is not passed by an agent that does nothing.", async ({ lesson, persona }) => {
    assert.strictEqual((await take(lessonWith(lesson, persona), "true")).verdict, "UNKNOWN")
  })

  it("A later trial of a lesson with a persona has other names, and is passed.", async () => {
    const trial = Result.getOrThrow(lessonOfTrial(lessonWith("first-delivery", "stubborn"), { number: 3, seed: 1 }))
    assert.notStrictEqual(trial.form.agent, "courier")
    const result = await take(trial, agent)
    assert.strictEqual(result.verdict, "PASS", explain(result))
  })
})

// A secret in a request or a text is judged in the replay as well, although a saved run does not have it.
it("Each passed run, and each failed one with a secret, is saved and replays without its agent.", () => {
  const withSecret = broken.filter(({ violation }) => violation.endsWith("-token"))
  assert.strictEqual(finished.length, given.length + withSecret.length)
  for (const [name, result] of finished) assertReplays(saved, result, name)
})
