/** Whether a worker is running: liveness properties hold only while one is (fairness). */
import type { TimedObservation } from "../../observation/observation.ts"
import { type JsonObject, valueAt } from "../../vocabulary/json.ts"

export interface WorkerState extends JsonObject {
  /** Null if no worker runs. */
  readonly worker: string | null
  /** A worker stops working if its clock is off by more than the tolerance. */
  readonly isClockOff: boolean
}

export const noWorker: WorkerState = { worker: null, isClockOff: false }

export const workerStateAfter = <W extends WorkerState>(state: W, observed: TimedObservation): W => {
  if (observed.kind === "worker") {
    return { ...state, worker: observed.did === "STARTED" ? observed.actor : null }
  }
  if (observed.kind !== "act" || observed.operation !== "setClock") return state
  return valueAt(observed.input, "process") === "worker"
    ? { ...state, isClockOff: !/^[+-]?0/.test(String(valueAt(observed.input, "offset"))) }
    : state
}
