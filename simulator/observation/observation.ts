/** The observations of a run, in order: the only source of the trace and the story. */
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { Readback } from "../../src/ports/payments.ts"
import type { Json } from "../vocabulary/json.ts"
import type { ProviderState } from "../payments/provider.ts"
import type { Difference } from "./compare.ts"
import type { MailServerState, ReceiverVerdict } from "../vocabulary/states.ts"

export type Observation =
  | { readonly kind: "scenario"; readonly title: string; readonly seed: number }
  /** The initial world: an organization, a person, a membership, credits. */
  | { readonly kind: "given"; readonly name: string; readonly is: string; readonly answer: Json }
  | {
      readonly kind: "step"
      readonly step: number
      readonly actor: string | undefined
      readonly operation: string
      readonly repeats: string | undefined
    }
  /** A held request resumes after the meanwhile steps. */
  | { readonly kind: "resumed"; readonly step: number; readonly actor: string; readonly operation: string }
  | {
      readonly kind: "request"
      /** The number of its step, if several run concurrently. */
      readonly step?: number | undefined
      readonly actor: string
      readonly method: string
      readonly path: string
      /** A token that replaces the actor's own. */
      readonly with: string | undefined
      /** The headers of a raw request. */
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
  /** An act without a request, and its result. */
  | {
      readonly kind: "act"
      readonly actor: string
      readonly operation: string
      readonly on: string | undefined
      readonly input: Json
    }
  | { readonly kind: "answer"; readonly actor: string; readonly refused: string | undefined; readonly body: Json }
  | { readonly kind: "commit"; readonly actor: string; readonly writes: ReadonlyArray<Write> }
  /** An e-mail passed to the mail server, and the state of the server. */
  | {
      readonly kind: "letter"
      readonly to: string
      readonly subject: string
      readonly text: string
      readonly server: MailServerState
    }
  | WebhookObservation
  | PaymentObservation
  /** An injected fault occurred, with its actor and the point of the transaction. */
  | {
      readonly kind: "fault"
      readonly actor: string
      readonly fault: string
      readonly where: string
      readonly what: ReadonlyArray<string>
    }
  /** A service process crashed, or another replaced it. */
  | { readonly kind: "process"; readonly process: string; readonly did: "STARTED" | "CRASHED" }
  /** A scheduling choice that the scenario fixes. */
  | { readonly kind: "choice"; readonly options: ReadonlyArray<string>; readonly chosen: string }
  | { readonly kind: "time"; readonly to: Instant }
  | { readonly kind: "expectation"; readonly step: number; readonly differences: ReadonlyArray<Difference> }
  /** A property of the scenario is violated. */
  | { readonly kind: "property"; readonly property: string; readonly words: string }
  | { readonly kind: "verdict"; readonly verdict: Verdict; readonly steps: number; readonly reason: string | undefined }

export type PaymentCall = "openRecipientAccount" | "readRecipientAccount" | "openCheckout" | "readBack"

/** The payment provider answered a call of the service, or did not; `on` is what the call was about. */
export interface PaymentObservation {
  readonly kind: "payments"
  readonly actor: string
  readonly call: PaymentCall
  readonly on: string
  readonly answer: Json
  /** How the answer was made to differ. */
  readonly fault?: string
}

/** Background events of webhooks; the actor is the sending process. */
export type WebhookObservation =
  | { readonly kind: "worker"; readonly actor: string; readonly did: "STARTED" | "STOPPED" | "CRASHED" }
  /** The result of a DNS look-up, and the reason for refusing it. */
  | {
      readonly kind: "lookup"
      readonly actor: string
      readonly host: string
      readonly answers: ReadonlyArray<string> | "NXDOMAIN" | "UNREACHABLE"
      readonly refused: string | undefined
    }
  /** A failed connection. */
  | {
      readonly kind: "unconnected"
      readonly actor: string
      readonly receiver: string
      readonly why: "REFUSED" | "UNTRUSTED"
    }
  | { readonly kind: "connection"; readonly actor: string; readonly receiver: string; readonly address: string }
  /**
   * A sent request. Its body is canonical: the line contains the exact signed bytes. `over` is the address of its
   * connection, if that is not the one opened last.
   */
  | {
      readonly kind: "callback"
      readonly actor: string
      readonly receiver: string
      readonly over?: string
      readonly headers: Json
      readonly body: Json
    }
  /** A received request, the number of arrivals of its delivery, and the receiver's verdict, if it verified. */
  | {
      readonly kind: "received"
      readonly receiver: string
      readonly delivery: string
      readonly type: string
      readonly sequence: number
      readonly time: number
      readonly made: ReceiverVerdict | undefined
    }
  /** The response at the sending process: a status or a failure. */
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
  /** The sending process closed the connection. */
  | { readonly kind: "hangup"; readonly actor: string; readonly receiver: string }

/** One row written by a committed transaction. */
export interface Write {
  readonly change: "insert" | "update" | "remove"
  readonly table: string
  readonly key: ReadonlyArray<string | number | boolean>
}

/** `UNUSABLE`: the scenario has a request that cannot be sent, such as a name without a value. */
export type Verdict = "PASSED" | "FAILED" | "UNUSABLE"

/** What an actor had sent before a request, and how that was answered. */
export interface SendFacts {
  /** The operation of the agent API; absent for a request that calls none. */
  readonly operation?: string
  /** The number of times that the actor has sent these bytes by now, 1 for the first. */
  readonly sends: number
  /** True if the request id was sent with other bytes before. */
  readonly changed: boolean
  /** How the last request with this id was answered: a code or a status, or NONE without an answer; absent for the first. */
  readonly previous?: string
  /** True if an earlier request of this operation, under another request id, never had an answer. */
  readonly unanswered: boolean
  /** True if the last answer that showed it said that the agents of the project are paused. */
  readonly paused: boolean
  /** True if the last answer to the actor was 401: its credential is not valid. */
  readonly unauthorized: boolean
  /** True if this bearer token of the actor was refused with 401 before. */
  readonly invalidCredential: boolean
  /** True if the last answer to this request id or to this poll named a time to wait, which has not passed. */
  readonly early: boolean
}

/** An observation with its virtual time. */
export type TimedObservation = Observation & { readonly at: Instant } & UntracedContext

/** Context for properties that traces do not contain. */
export interface UntracedContext {
  /** The step whose request a commit belongs to. */
  readonly ofStep?: number
  /** The id of the step and the name of the operation of a response. */
  readonly ofRequest?: { readonly id: string | undefined; readonly operation: string }
  /** What the actor had sent before a request. */
  readonly ofSend?: SendFacts
  /** Whether the last answer to the actor of an act was 401. */
  readonly isUnauthorized?: boolean
  /** The project of a webhook event. */
  readonly ofProject?: string
  /** The state of the payment provider after an act at it, or as it answered a call. */
  readonly ofProvider?: ProviderState
  /** What the payment provider stated when it was read back. */
  readonly ofReadback?: Readback
}
