/** Cost and plans on a database with the rows of many projects; it needs about 35 kB of disk a project. */
import { Console, Effect } from "effect"
import { measureGrowth, renderPlans } from "./growth/measure.ts"
import type { DrillOptions } from "./options.ts"

const ratioMax = 1.2

export const growth = Effect.fnUntraced(function* ({ projects, directory }: DrillOptions) {
  const { plans, costs } = yield* measureGrowth({
    projects,
    directory,
    commands: { rounds: 6, commands: 160, warmUp: 300 },
    claims: { rounds: 40, warmUp: 5 }
  })
  yield* Console.log([renderPlans(plans), ...costs.map(({ text }) => text)].join("\n"))
  const dearer = costs.filter(({ cpu }) => cpu > ratioMax)
  return [
    ...plans.wrong,
    ...dearer.map(({ what, cpu }) => `${what} takes ${cpu.toFixed(2)} times the CPU, not ${ratioMax}`)
  ]
}, Effect.orDie)
