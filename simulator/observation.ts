/**
 * What can be seen of a run, in the order in which it happened. The trace and the console are both made from this list
 * and from nothing else, so that they never tell two stories.
 */
import type { Instant } from "../src/vocabulary/instant.ts"
import type { Made } from "./callbacks/receiver.ts"
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
      /** The number of its step, where several go on beside each other. */
      readonly step?: number | undefined
      readonly actor: string
      readonly method: string
      readonly path: string
      /** A token other than the actor's own. */
      readonly with: string | undefined
      /** Those of a request that is sent to the letter. */
      readonly headers?: { readonly [name: string]: string } | undefined
      readonly body: Json | undefined
      readonly lost: boolean
    }
  | {
      readonly kind: "response"
      readonly step?: number | undefined
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
  | OfCallbacks
  /** An injected fault struck, for whom and at which point of a transaction. */
  | {
      readonly kind: "fault"
      readonly actor: string
      readonly fault: string
      readonly where: string
      readonly what: ReadonlyArray<string>
    }
  /** A process that answers requests is gone, or another has taken its place. */
  | { readonly kind: "process"; readonly process: string; readonly did: "STARTED" | "CRASHED" }
  /** What was chosen where a script says what goes first. */
  | { readonly kind: "choice"; readonly options: ReadonlyArray<string>; readonly chosen: string }
  | { readonly kind: "time"; readonly to: Instant }
  | { readonly kind: "expectation"; readonly step: number; readonly differences: ReadonlyArray<Difference> }
  /** A property that the script states itself is violated. */
  | { readonly kind: "property"; readonly property: string; readonly words: string }
  | { readonly kind: "verdict"; readonly verdict: Verdict; readonly steps: number; readonly reason: string | undefined }

/** What goes on beside the steps, where receivers are called back; the actor is the process that sends. */
export type OfCallbacks =
  | { readonly kind: "worker"; readonly actor: string; readonly did: "STARTED" | "STOPPED" | "CRASHED" }
  /** What was found under a name, and why it is not connected to. */
  | {
      readonly kind: "lookup"
      readonly actor: string
      readonly host: string
      readonly answers: ReadonlyArray<string> | "NXDOMAIN" | "UNREACHABLE"
      readonly refused: string | undefined
    }
  /** A connection that never came to be. */
  | {
      readonly kind: "unconnected"
      readonly actor: string
      readonly receiver: string
      readonly why: "REFUSED" | "UNTRUSTED"
    }
  | { readonly kind: "connection"; readonly actor: string; readonly receiver: string; readonly address: string }
  /**
   * A request that left. Its body is canonical: the line holds the exact bytes that were signed. `over` is the address of
   * its connection, where that is not the one that was opened last.
   */
  | {
      readonly kind: "callback"
      readonly actor: string
      readonly receiver: string
      readonly over?: string
      readonly headers: Json
      readonly body: Json
    }
  /** A request that arrived, how often its delivery has by now, and what the receiver made of it, where it looked. */
  | {
      readonly kind: "received"
      readonly receiver: string
      readonly delivery: string
      readonly type: string
      readonly sequence: number
      readonly time: number
      readonly made: Made | undefined
    }
  /** What came back to the process that sent: a status, or how it learned that none comes. */
  | {
      readonly kind: "reply"
      readonly actor: string
      readonly receiver: string
      readonly delivery: string
      readonly answer: number | "RESET" | "LOST"
    }
  | {
      readonly kind: "stalled"
      readonly actor: string
      readonly receiver: string
      readonly during: "HANDSHAKE" | "ANSWER"
    }
  /** The process that sent waits no longer. */
  | { readonly kind: "hangup"; readonly actor: string; readonly receiver: string }

/** One row that a committed transaction wrote. */
export interface Write {
  readonly change: "insert" | "update" | "remove"
  readonly table: string
  readonly key: ReadonlyArray<string | number | boolean>
}

/** `UNUSABLE` where the script asks for something that cannot be sent: a name without a value, a project never read. */
export type Verdict = "PASSED" | "FAILED" | "UNUSABLE"

/** An observation and the virtual moment of it. */
export type Observed = Observation & { readonly at: Instant } & UntracedContext

/** What properties judge and traces do not contain. */
export interface UntracedContext {
  /** The step whose request a commit belongs to. */
  readonly ofStep?: number
  /** The id of the step and the name of the operation, as the script writes them, of an answer. */
  readonly ofRequest?: { readonly id: string | undefined; readonly operation: string }
  /** The project that a callback tells of. */
  readonly ofProject?: string
}
