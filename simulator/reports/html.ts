/** Runs as one offline page: the timeline of each, with verdict and failures. */
import { allSteps } from "../scenario/format/scenario.ts"
import type { Json, JsonObject } from "../vocabulary/json.ts"
import type { SimulationResult } from "../scenario/simulate.ts"
import { renderTimeline } from "./timeline/page.ts"
import { readTrace } from "../observation/trace.ts"
import type { TimelineRun } from "../view-model/timeline-run.ts"
import type { CompletedRun } from "./finish-run.ts"
import type { FinishedRun } from "./finished-run.ts"
import { failureLines } from "./totals.ts"

/** `ran` is undefined if the script could not be read. */
interface PageRun {
  readonly run: FinishedRun
  readonly ran: CompletedRun | undefined
}

export const html = (runs: ReadonlyArray<PageRun>): string => renderTimeline(runs.map(timelineOf))

/** An unreadable script has no events; its `say` is the failure. */
const timelineOf = ({ run, ran }: PageRun): TimelineRun => {
  const { title, file, seed, verdict, failures } = run
  const text = [ran?.scenario.say ?? [], failures.flatMap(failureLines)].flat().join("\n")
  const narration = allSteps(ran?.scenario.steps ?? []).flatMap(({ number, say }) =>
    say === undefined ? [] : [{ step: number, say }]
  )
  const lines = ran === undefined ? [] : linesWithChanges(ran.simulated)
  return { title, say: text === "" ? undefined : text, file, seed, verdict, lines, narration }
}

/** Trace lines correspond to observations by index; the page adds the row changes of each commit. */
export const linesWithChanges = ({
  trace,
  observations,
  changesOf,
  redact
}: Pick<SimulationResult, "trace" | "observations" | "changesOf" | "redact">): ReadonlyArray<JsonObject> =>
  readTrace(trace).map((line, index) => {
    const observed = observations[index]
    const changes = observed === undefined ? [] : changesOf(observed)
    return changes.length === 0 ? line : { ...line, changes: JSON.parse(redact(JSON.stringify(changes))) as Json }
  })
