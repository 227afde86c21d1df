/** Attaches an external program to a receiver of a world. */
import type { JsonObject } from "../vocabulary/json.ts"
import { ControlRefusal } from "./control-refusals.ts"
import type { ServedWorld } from "./served-world.ts"
import { outcomeOf } from "./steps.ts"

/** Only programs on this machine are allowed. */
export const attachProgram = async (world: ServedWorld, receiver: string, url: string): Promise<JsonObject> => {
  const found = world.live.session.context.world.network.receivers.get(receiver)
  if (found === undefined) throw new ControlRefusal("NOT_FOUND", `Unknown receiver ${receiver}.`)
  if (!world.programs.put(receiver, url)) {
    throw new ControlRefusal(
      "INVALID_REQUEST",
      "url must be an http URL on this machine, such as http://127.0.0.1:9000/callbacks"
    )
  }
  if (!found.hasProgram) await outcomeOf(world, { as: "operator", do: "attachProgram", input: { receiver } })
  return { receiver, program: world.programs.addressOf(receiver) ?? null }
}
