/** A property that a run alone does not show: it is checked by requests in forks of the final state. */
import type { RunResult } from "../search-run.ts"
import type { SearchRoot } from "../search-root.ts"

export interface Probe {
  /** The name in reports and scripts. */
  readonly name: string
  /** The property as one sentence. */
  readonly says: string
  /** The violation as one sentence; undefined if the property holds. The world of the run is not modified. */
  readonly findViolation: (root: SearchRoot, result: RunResult) => string | undefined
}
