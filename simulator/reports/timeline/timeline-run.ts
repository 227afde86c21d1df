/** The input of a timeline: the trace of a run, and the narration of the script. */
import type { JsonObject } from "../../vocabulary/json.ts"

export interface TimelineRun {
  readonly title: string
  readonly say?: string | undefined
  /** The name of the script. */
  readonly file: string
  /** Absent if the script could not be read. */
  readonly seed?: number | undefined
  readonly verdict: string
  /** The lines of a trace, as `readTrace` returns them. Unknown kinds are shown generically. */
  readonly lines: ReadonlyArray<JsonObject>
  /** The `say` of steps, which is not part of a trace. */
  readonly narration?: ReadonlyArray<{ readonly step: number; readonly say: string }> | undefined
}
