/** Runs as one page that opens offline: the timeline of each, with the verdict and the failures of the finished run. */
import { everyStep } from "../script/scenario.ts"
import type { Json, JsonObject } from "../script/json.ts"
import type { Simulated } from "../simulate.ts"
import { renderTimeline } from "../timeline/page.ts"
import { readTrace } from "../trace.ts"
import type { TimelineRun } from "../timeline/run.ts"
import type { Ran } from "./finish.ts"
import type { FinishedRun } from "./finished-run.ts"
import { failureLines } from "./totals.ts"

/** A run, and what was run, which is absent where the script could not be read. */
interface Shown {
  readonly run: FinishedRun
  readonly ran: Ran | undefined
}

export const html = (shown: ReadonlyArray<Shown>): string => renderTimeline(shown.map(timelineOf))

/** A script that could not be read has no events, and says why. */
const timelineOf = ({ run, ran }: Shown): TimelineRun => {
  const { title, file, seed, verdict, failures } = run
  const said = [ran?.scenario.say ?? [], failures.flatMap(failureLines)].flat().join("\n")
  const narration = everyStep(ran?.scenario.steps ?? []).flatMap(({ number, say }) =>
    say === undefined ? [] : [{ step: number, say }]
  )
  const lines = ran === undefined ? [] : linesOf(ran.simulated)
  return { title, say: said === "" ? undefined : said, file, seed, verdict, lines, narration }
}

/** The lines of a trace are its observations in their order; a page also shows what each commit changed in the rows. */
const linesOf = ({ trace, observations, changesOf, redact }: Simulated): ReadonlyArray<JsonObject> =>
  readTrace(trace).map((line, index) => {
    const observed = observations[index]
    const changes = observed === undefined ? [] : changesOf(observed)
    return changes.length === 0 ? line : { ...line, changes: JSON.parse(redact(JSON.stringify(changes))) as Json }
  })
