/** An operator's command that changes data: operator, reason and command. Pure. */
import type { Json } from "../canonical/json.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"

export interface Operator {
  readonly who: string
  readonly account: string
}

export interface Act {
  readonly operator: Operator
  /** Null where the operator gave no reason. */
  readonly why: string | null
  readonly command: string
  readonly arguments: { readonly [name: string]: Json }
}

/**
 * `BEGUN` is written before a change outside the database, and its outcome after it: a `BEGUN` without an outcome belongs
 * to a process that ended in between. `FAILED` is any error but a refusal, such as a file that cannot be written.
 */
export type ActOutcome = "BEGUN" | "DONE" | "FAILED" | RefusalCode
