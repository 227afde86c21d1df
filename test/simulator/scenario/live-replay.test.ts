/** A live session replays earlier steps. */
import * as path from "node:path"
import { Result } from "effect"
import { assert, it } from "vitest"
import { readScript } from "../../../simulator/scenario/files.ts"
import { unrollSteps } from "../../../simulator/scenario/format/unroll.ts"
import { LiveSession } from "../../../simulator/scenario/live.ts"

const lesson = path.resolve(import.meta.dirname, "../../../scenarios/lessons/first-delivery/scenario.yaml")

it("No step that a live session replays first is unusable in a recording.", () => {
  const scenario = Result.getOrThrow(readScript(lesson))
  const live = new LiveSession(scenario, unrollSteps(scenario.steps))
  assert.deepStrictEqual(
    live.session.storedSteps.filter(({ endsScenario }) => endsScenario === true).map(({ form }) => form),
    []
  )
})
