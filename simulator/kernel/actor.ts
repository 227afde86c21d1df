/** On whose behalf a fiber runs, and in whose hands. Names choices, traces and random streams; fiber ids never do. */
import { Context } from "effect"

/** A party or a process: `scout`, `worker-1`. Children of a fiber inherit it. */
export const Actor: Context.Reference<string> = Context.Reference("countersign/simulator/Actor", {
  defaultValue: () => "world"
})

/** Whatever runs a fiber: once it is gone, nothing that the fiber waits for happens any more. */
export interface Owner {
  readonly isGone: boolean
}

export const Owner: Context.Reference<Owner> = Context.Reference<Owner>("countersign/simulator/Owner", {
  defaultValue: () => everlasting
})

const everlasting: Owner = { isGone: false }
