/** What a round costs on a full database and on an empty one, and the ratios of both. */
import { Effect } from "effect"
import { readable, renderTable } from "../../bench/figure.ts"
import { median, percentile } from "../../bench/measure.ts"

export interface Pair<A> {
  readonly full: A
  readonly empty: A
}

/** One round: the time of each act, and the milliseconds of CPU of an act in the server and in Postgres. */
export interface Cost {
  readonly milliseconds: ReadonlyArray<number>
  readonly server: number
  readonly postgres: number
}

/** Rounds of both, alternately: each round begins with the other one. */
export const pairsInTurns = Effect.fnUntraced(function* <E, R>(
  rounds: number,
  { full, empty }: Pair<Effect.Effect<Cost, E, R>>
) {
  const costs = { full: [] as Array<Cost>, empty: [] as Array<Cost> }
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) costs.full.push(yield* full)
    costs.empty.push(yield* empty)
    if (round % 2 === 1) costs.full.push(yield* full)
  }
  return costs as Pair<ReadonlyArray<Cost>>
})

export interface CostRatios {
  readonly what: string
  readonly cpu: number
  readonly text: string
}

/** The ratio of CPU is that of the medians of all rounds; times are those of single acts. */
export const compareCosts = (what: string, { full, empty }: Pair<ReadonlyArray<Cost>>): CostRatios => {
  const measures: Readonly<Record<string, (costs: ReadonlyArray<Cost>) => number>> = {
    "CPU of the server, ms": (costs) => median(costs.map(({ server }) => server)),
    "CPU of Postgres, ms": (costs) => median(costs.map(({ postgres }) => postgres)),
    "CPU of both, ms": (costs) => median(costs.map(({ server, postgres }) => server + postgres)),
    "p50, ms": (costs) => percentile(timesOf(costs), 0.5),
    "p99, ms": (costs) => percentile(timesOf(costs), 0.99)
  }
  const rows = Object.entries(measures).map(([name, measure]) => {
    const values = [measure(full), measure(empty)] as const
    return [name, readable(values[0]), readable(values[1]), readable(values[0] / values[1])]
  })
  const both = measures["CPU of both, ms"]!
  return {
    what,
    cpu: both(full) / both(empty),
    text: renderTable(what, ["", "full", "empty", "full over empty"], rows)
  }
}

const timesOf = (costs: ReadonlyArray<Cost>) => costs.flatMap(({ milliseconds }) => milliseconds)
