/**
 * What can be seen of a run, in the order in which it happened. The trace and the console are both made from this list
 * and from nothing else, so that they never tell two stories.
 */
import type { Instant } from "../src/vocabulary/instant.ts"
import type { Json } from "./script/json.ts"
import type { Difference } from "./compare.ts"
import type { MailServerState } from "./surroundings.ts"

export type Observation =
  | { readonly kind: "scenario"; readonly title: string; readonly seed: number }
  /** The world before the first step: an organization, a person, a membership, credits. */
  | { readonly kind: "given"; readonly name: string; readonly is: string; readonly answer: Json }
  | {
      readonly kind: "step"
      readonly step: number
      readonly actor: string | undefined
      readonly operation: string
      readonly repeats: string | undefined
    }
  /** What was let in before something else happened meanwhile goes on. */
  | { readonly kind: "resumed"; readonly step: number; readonly actor: string; readonly operation: string }
  | {
      readonly kind: "request"
      readonly actor: string
      readonly method: string
      readonly path: string
      /** A token other than the actor's own. */
      readonly with: string | undefined
      readonly body: Json | undefined
      readonly lost: boolean
    }
  | {
      readonly kind: "response"
      readonly actor: string
      readonly status: number
      readonly body: Json | undefined
      readonly lost: boolean
    }
  /** What is done without a request of its own, and what came of it. */
  | {
      readonly kind: "act"
      readonly actor: string
      readonly operation: string
      readonly on: string | undefined
      readonly input: Json
    }
  | { readonly kind: "answer"; readonly actor: string; readonly refused: string | undefined; readonly body: Json }
  | { readonly kind: "commit"; readonly actor: string; readonly writes: ReadonlyArray<Write> }
  /** What the mail server was handed, and how it stood. */
  | {
      readonly kind: "letter"
      readonly to: string
      readonly subject: string
      readonly text: string
      readonly server: MailServerState
    }
  | { readonly kind: "time"; readonly to: Instant }
  | { readonly kind: "expectation"; readonly step: number; readonly differences: ReadonlyArray<Difference> }
  | { readonly kind: "verdict"; readonly verdict: Verdict; readonly steps: number; readonly reason: string | undefined }

/** One row that a committed transaction wrote. */
export interface Write {
  readonly change: "insert" | "update" | "remove"
  readonly table: string
  readonly key: ReadonlyArray<string | number | boolean>
}

/** `UNUSABLE` where the script asks for something that cannot be sent: a name without a value, a project never read. */
export type Verdict = "PASSED" | "FAILED" | "UNUSABLE"

/** An observation and the virtual moment of it. */
export type Observed = Observation & { readonly at: Instant }
