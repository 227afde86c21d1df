/** The agents that exist so far. */
import type { Writing } from "./inputs.ts"

export const actorAgent = ({ dice, author }: Writing): string | undefined => {
  const all = [...author.session.journey.directory.agents.keys()]
  return all.length === 0 ? undefined : dice.pick(all)
}
