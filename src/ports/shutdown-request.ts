/** Whether this process has been asked to stop. */
import { Context, Layer } from "effect"

export interface ShutdownState {
  readonly isStopping: () => boolean
  /** This process is not ready from now on. */
  readonly begin: () => void
}

const newShutdownState = (): ShutdownState => {
  let isStopping = false
  return {
    isStopping: () => isStopping,
    begin: () => {
      isStopping = true
    }
  }
}

export const ShutdownRequest = Context.Reference<ShutdownState>("countersign/ports/ShutdownRequest", {
  defaultValue: () => ({ isStopping: () => false, begin: () => {} })
})

/** One state for each server. */
export const shutdownRequest = Layer.sync(ShutdownRequest, newShutdownState)
