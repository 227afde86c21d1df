/** An invariant that cannot be seen in a run: something is tried out in worlds that go on from where the run ended. */
import type { Attempted } from "./attempt.ts"
import type { Prepared } from "./prepared.ts"

export interface Probe {
  /** As reports and scripts call it. */
  readonly name: string
  /** What it promises, one sentence. */
  readonly says: string
  /** What was seen that must not be, one sentence; undefined where all is well. The world of the run stays as it is. */
  readonly tries: (prepared: Prepared, attempted: Attempted) => string | undefined
}
