/** The examination of an agent without a clock of the world: it rests in real time, and the world moves meanwhile. */
import * as path from "node:path"
import { Result } from "effect"
import { afterAll, assert, beforeAll, it } from "vitest"
import { AgentProcess } from "../../simulator/examination/agent-process.ts"
import { examine } from "../../simulator/examination/examine.ts"
import { explain } from "../../simulator/examination/explain.ts"
import { readLessons } from "../../simulator/examination/lesson.ts"
import { moveAfterSilence } from "../../simulator/serve/patient-time.ts"
import { type RunningServer, serve } from "../../simulator/serve/server.ts"
import { Worlds } from "../../simulator/serve/worlds.ts"

const root = path.resolve(import.meta.dirname, "../..")
const lessons = Result.getOrThrow(readLessons([path.join(root, "scenarios/lessons")]))

/** In milliseconds; the agent rests longer. */
const patience = 1000
const command = `python3 ${path.join(root, "test/simulator/agent.py")} --rest 1.5`

const worlds = new Worlds(10)
let server: RunningServer
let endMoving: () => void
beforeAll(async () => {
  server = await serve(worlds, 0)
  endMoving = moveAfterSilence(worlds, patience)
})
afterAll(async () => {
  endMoving()
  await server.close()
})

it.concurrent.each(lessons)("The agent that keeps the rules passes $name without a clock.", async (lesson) => {
  const result = await examine(lesson, worlds, {
    newAgent: () => new AgentProcess(command),
    origin: server.origin,
    isCooperative: false,
    silence: 60
  })
  assert.strictEqual(result.verdict, "PASS", explain(result) + result.output)
})
