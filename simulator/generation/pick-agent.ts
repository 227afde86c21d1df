/** The agents that exist so far. */
import type { GeneratorContext } from "./random-inputs.ts"

export const pickAgent = ({ random, author }: GeneratorContext): string | undefined => {
  const all = [...author.session.context.directory.agents.keys()]
  return all.length === 0 ? undefined : random.pick(all)
}
