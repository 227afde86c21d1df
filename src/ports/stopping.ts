/** Whether this process has been asked to stop. */
import { Context, Layer } from "effect"

export interface StoppingState {
  readonly isStopping: () => boolean
  /** This process is not ready from now on. */
  readonly begin: () => void
}

const stoppingState = (): StoppingState => {
  let isStopping = false
  return {
    isStopping: () => isStopping,
    begin: () => {
      isStopping = true
    }
  }
}

export const Stopping = Context.Reference<StoppingState>("countersign/ports/Stopping", {
  defaultValue: () => ({ isStopping: () => false, begin: () => {} })
})

/** One state for each server. */
export const stopping = Layer.sync(Stopping, stoppingState)
