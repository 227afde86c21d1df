/** The timeline of a running world. */
import type { TimelineRun } from "../reports/timeline/timeline-run.ts"
import { readTrace } from "../observation/trace.ts"
import type { ServedWorld } from "./served-world.ts"

export const timelineOf = (world: ServedWorld): TimelineRun => {
  const { title, say, seed } = world.live.session.opening
  return { title, say, seed, file: world.id, verdict: "UNDER WAY", lines: readTrace(world.trace) }
}
