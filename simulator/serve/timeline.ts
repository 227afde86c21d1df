/** The timeline of a running world. */
import { readTrace } from "../observation/trace.ts"
import { summarizeSession } from "../view-model/session-summary.ts"
import type { TimelineRun } from "../view-model/timeline-run.ts"
import type { ServedWorld } from "./served-world.ts"

export const timelineOf = (world: ServedWorld): TimelineRun => ({
  ...summarizeSession(world.live.session, world.id),
  lines: readTrace(world.trace)
})
