/** Whether this process was asked to stop. */
import { Context, Layer } from "effect"

export interface StoppingState {
  readonly isStopping: () => boolean
  /** From now on this process is not ready. */
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

/** A state of its own for each server. */
export const stopping = Layer.sync(Stopping, stoppingState)
