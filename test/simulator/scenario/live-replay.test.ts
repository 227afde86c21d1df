/** A live session replays earlier steps. */
import { assert, it } from "vitest"
import { LiveSession } from "../../../simulator/scenario/live.ts"
import { defaultWorldDefinition } from "../../../simulator/serve/default-world.ts"

it("The steps that a live session replays first pass without a worker too.", () => {
  const { receivers: _receivers, worker: _worker, ...given } = defaultWorldDefinition.given
  const live = new LiveSession({ ...defaultWorldDefinition, given }, [{ as: "dana", do: "signIn" }])
  assert.isUndefined(live.session.storedSteps[0]?.endsScenario)
})
