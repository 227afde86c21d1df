/** What a timeline is made from: a run as its trace tells it, and what the script says beside. */
import type { JsonObject } from "../script/json.ts"

export interface TimelineRun {
  readonly title: string
  readonly say?: string | undefined
  /** How people name the script. */
  readonly file: string
  /** Absent where the script could not be read. */
  readonly seed?: number | undefined
  readonly verdict: string
  /** The lines of a trace, as `readTrace` gives them. Kinds that are not known here are shown as they are. */
  readonly lines: ReadonlyArray<JsonObject>
  /** What the script says before a step, which no trace holds. */
  readonly narration?: ReadonlyArray<{ readonly step: number; readonly say: string }> | undefined
}
