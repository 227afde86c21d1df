/** The input of a timeline: a session, its trace, and the narration of its script. */
import type { JsonObject } from "../vocabulary/json.ts"
import type { SessionSummary } from "./session-summary.ts"

export interface TimelineRun extends SessionSummary {
  /** The lines of a trace, as `readTrace` returns them. Unknown kinds are shown generically. */
  readonly lines: ReadonlyArray<JsonObject>
  /** The `say` of steps, which is not part of a trace. */
  readonly narration?: ReadonlyArray<{ readonly step: number; readonly say: string }> | undefined
}
