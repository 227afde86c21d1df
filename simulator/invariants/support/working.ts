/** Whether a worker runs that could do what is due: what holds eventually holds only where one does. */
import type { Observed } from "../../observation.ts"
import { type JsonObject, valueAt } from "../../script/json.ts"

export interface Working extends JsonObject {
  /** Null where none runs. */
  readonly worker: string | null
  /** One whose clock is off by more than it may be does nothing. */
  readonly isClockOff: boolean
}

export const noWorker: Working = { worker: null, isClockOff: false }

export const workingAfter = <W extends Working>(working: W, observed: Observed): W => {
  if (observed.kind === "worker") {
    return { ...working, worker: observed.did === "STARTED" ? observed.actor : null }
  }
  if (observed.kind !== "act" || observed.operation !== "setClock") return working
  return valueAt(observed.input, "process") === "worker"
    ? { ...working, isClockOff: !/^[+-]?0/.test(String(valueAt(observed.input, "offset"))) }
    : working
}
