/** A graceful stop begins with `STOPPED` and has ended when the `stopWorker` step returns. */
import type { Observed } from "../../observation.ts"
import type { JsonObject } from "../../script/json.ts"

export interface Stopping extends JsonObject {
  /** The stopping actor and the worker; the worker is empty until the stop begins. */
  readonly stopping: { readonly by: string; readonly worker: string } | null
}

export const nobodyStops: Stopping = { stopping: null }

export const stoppingAfter = <S extends Stopping>(state: S, observed: Observed): S => {
  const { stopping } = state
  switch (observed.kind) {
    case "act":
      return observed.operation === "stopWorker" ? { ...state, stopping: { by: observed.actor, worker: "" } } : state
    case "worker":
      return observed.did === "STOPPED" && stopping !== null
        ? { ...state, stopping: { ...stopping, worker: observed.actor } }
        : state
    case "answer":
      return stopping?.by === observed.actor ? { ...state, stopping: null } : state
    default:
      return state
  }
}

/** The worker whose end this answer reports. */
export const endedBy = ({ stopping }: Stopping, observed: Observed): string | undefined =>
  observed.kind === "answer" && stopping?.by === observed.actor ? stopping.worker : undefined
