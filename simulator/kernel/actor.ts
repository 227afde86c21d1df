/** On whose behalf a fiber runs. Names choices, traces and random streams; fiber ids never do. */
import { Context } from "effect"

/** A party or a process: `scout`, `worker-1`. Children of a fiber inherit it. */
export const Actor: Context.Reference<string> = Context.Reference("countersign/simulator/Actor", {
  defaultValue: () => "world"
})
