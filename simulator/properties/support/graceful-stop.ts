/** A graceful stop begins with `STOPPED` and has ended when the `stopWorker` step returns. */
import type { TimedObservation } from "../../observation/observation.ts"
import type { JsonObject } from "../../vocabulary/json.ts"

export interface GracefulStop extends JsonObject {
  /** The stopping actor and the worker; the worker is empty until the stop begins. */
  readonly stopping: { readonly by: string; readonly worker: string } | null
}

export const noStop: GracefulStop = { stopping: null }

export const gracefulStopAfter = <S extends GracefulStop>(state: S, observed: TimedObservation): S => {
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
export const stoppedWorker = ({ stopping }: GracefulStop, observed: TimedObservation): string | undefined =>
  observed.kind === "answer" && stopping?.by === observed.actor ? stopping.worker : undefined
