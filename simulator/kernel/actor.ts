/** The actor and the owner of a fiber. Choices, traces and random streams are named by the actor, never by fiber ids. */
import { Context } from "effect"

/** A party or a process: `scout`, `worker-1`. Child fibers inherit it. */
export const Actor: Context.Reference<string> = Context.Reference("countersign/simulator/Actor", {
  defaultValue: () => "world"
})

/** The process that runs a fiber: after its end none of the fiber's waits completes. */
export interface Owner {
  readonly hasEnded: boolean
}

export const Owner: Context.Reference<Owner> = Context.Reference<Owner>("countersign/simulator/Owner", {
  defaultValue: () => everlasting
})

const everlasting: Owner = { hasEnded: false }
