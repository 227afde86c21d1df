/** The examination of the agent in Perl, which receives no webhooks and cannot connect by a code. */
import * as os from "node:os"
import * as path from "node:path"
import { Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { AgentProcess } from "../../simulator/examination/agent-process.ts"
import { examine } from "../../simulator/examination/examine.ts"
import { explain } from "../../simulator/examination/explain.ts"
import { readLesson } from "../../simulator/examination/lesson.ts"
import { sweep } from "../../simulator/examination/sweep.ts"
import { type RunningServer, serve } from "../../simulator/serve/server.ts"
import { Worlds } from "../../simulator/serve/worlds.ts"

const root = path.resolve(import.meta.dirname, "../..")
const command = `perl ${path.join(root, "test/simulator/agent.pl")}`

const passed = [
  "answer-lost",
  "changed-documents",
  "credential-renewed",
  "date-revision",
  "evidence-requested",
  "failed-email",
  "first-delivery",
  "grant-revoked",
  "hand-off",
  "html-from-an-edge",
  "pause-and-resumption",
  "pause-before-command",
  "process-ended",
  "replacement-grant-404",
  "request-id-of-another-act",
  "request-lost",
  "revised-terms",
  "stale-head",
  "unavailable-503",
  "unknown-state",
  "wait-for-human",
  "wrong-digest"
]

const lessonNamed = (name: string) => Result.getOrThrow(readLesson(path.join(root, "scenarios/lessons", name)))

const worlds = new Worlds(10)
let server: RunningServer
beforeAll(async () => {
  server = await serve(worlds, 0)
})
afterAll(() => server.close())

const options = () => ({
  newAgent: () => new AgentProcess(command),
  origin: server.origin,
  isCooperative: true,
  silence: 30
})

describe("The agent in Perl", () => {
  it.each(passed)("It passes %s.", async (name) => {
    const result = await examine(lessonNamed(name), worlds, options())
    assert.strictEqual(result.verdict, "PASS", explain(result))
  })

  it("It survives every single fault in a first delivery.", { timeout: 300_000 }, async () => {
    const together = os.availableParallelism()
    const swept = await sweep(lessonNamed("first-delivery"), worlds, { ...options(), together })
    assert(swept.kind === "COMPLETE")
    assert.deepStrictEqual(
      swept.failed.map(({ fault, operation }) => [fault, operation]),
      []
    )
    assert.isAtLeast(swept.requests, 10)
    assert.strictEqual(swept.runs, 4 * swept.requests)
  })
})
