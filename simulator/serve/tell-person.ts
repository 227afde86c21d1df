/** An agent tells its person something: the trace records it, and no part of the service is called. */
import type { JsonObject } from "../vocabulary/json.ts"
import { momentOf } from "../view-model/session-summary.ts"
import type { TellForm } from "./control-forms.ts"
import type { ServedWorld } from "./served-world.ts"
import { outcomeOf } from "./steps.ts"

export const tellPerson = async (
  world: ServedWorld,
  agent: string,
  { text, humanUrl }: typeof TellForm.Type
): Promise<JsonObject> => {
  // A script would read `${` as a reference.
  const input = {
    text: withoutReferences(text),
    ...(humanUrl === undefined ? {} : { humanUrl: withoutReferences(humanUrl) })
  }
  world.notice()
  await outcomeOf(world, { as: agent, do: "tell", input })
  await world.acts?.act()
  return { now: momentOf(world.live.session.scheduler.now) }
}

const withoutReferences = (text: string): string => text.replaceAll("${", "$ {")
