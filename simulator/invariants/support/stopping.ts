/** A stop in good order takes time: it begins with `STOPPED`, and is over once whoever asked for it is answered. */
import type { Observed } from "../../observation.ts"
import type { JsonObject } from "../../script/json.ts"

export interface Stopping extends JsonObject {
  /** Who stops a worker, and which; empty until it begins. */
  readonly stopping: { readonly by: string; readonly worker: string } | null
}

export const nobodyStops: Stopping = { stopping: null }

export const stoppingAfter = <S extends Stopping>(stops: S, observed: Observed): S => {
  const { stopping } = stops
  switch (observed.kind) {
    case "act":
      return observed.operation === "stopWorker" ? { ...stops, stopping: { by: observed.actor, worker: "" } } : stops
    case "worker":
      return observed.did === "STOPPED" && stopping !== null
        ? { ...stops, stopping: { ...stopping, worker: observed.actor } }
        : stops
    case "answer":
      return stopping?.by === observed.actor ? { ...stops, stopping: null } : stops
    default:
      return stops
  }
}

/** The worker of which this answer says that it has ended. */
export const endedBy = ({ stopping }: Stopping, observed: Observed): string | undefined =>
  observed.kind === "answer" && stopping?.by === observed.actor ? stopping.worker : undefined
