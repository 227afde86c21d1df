/**
 * Compares the outcomes of a race on Postgres with those in memory: every interleaving of statements may have only an
 * outcome that some schedule in memory has.
 */
import type { Outcome } from "../attempt.ts"
import type { Prepared } from "../prepared.ts"
import { type Searched, search } from "../search.ts"
import { DelayBounded } from "../strategies/delay-bounded.ts"
import { Exhaustive } from "../strategies/exhaustive.ts"
import { priorities } from "../strategies/priorities.ts"
import { randomWalk } from "../strategies/random-walk.ts"
import type { Strategy } from "../strategies/strategy.ts"
import { attemptOn, type SteppedRun } from "./attempt.ts"
import type { SteppedDatabase } from "./database.ts"

export interface Compared {
  /** The number of runs, and of those that exceeded a time limit and were not judged. */
  readonly runs: number
  readonly unjudged: number
  readonly statements: number
  readonly decisions: number
  readonly waits: number
  /** The number of outcomes in memory, and of those seen on Postgres. */
  readonly known: number
  readonly seen: number
  /** By strategy: the unexplored part, in words. */
  readonly leftOut: ReadonlyArray<readonly [strategy: string, leftOut: string]>
  /** The first run with an outcome that memory does not have. */
  readonly other: SteppedRun | undefined
}

/** Every outcome in memory without faults. */
export const outcomesInMemory = (prepared: Prepared, runsMax: number): Searched =>
  search(withoutFaults(prepared), { invariants: [], strategies: [[new Exhaustive(), runsMax]] })

/** Expects the rows of the search root as the snapshot of the database. */
export const compareOutcomes = async (
  database: SteppedDatabase,
  prepared: Prepared,
  { known, runs, seed }: { readonly known: Searched["outcomes"]; readonly runs: number; readonly seed: number }
): Promise<Compared> => {
  const counts = { runs: 0, unjudged: 0, statements: 0, decisions: 0, waits: 0 }
  const seen = new Set<string>()
  const strategies = samplingStrategies(seed)
  let divergent: SteppedRun | undefined
  for (const strategy of strategies) {
    for (let run = 0; run < runs / strategies.length && divergent === undefined; run++) {
      const decide = strategy.next()
      if (decide === undefined) break
      const came = await attemptOn(database, prepared, decide)
      strategy.came({ ended: "DONE", violation: undefined, decisions: came.decisions })
      counts.runs += 1
      counts.statements += came.statements
      counts.decisions += came.decisions
      counts.waits += came.waits
      if (!came.isWhole) counts.unjudged += 1
      else if (isKnown(came, known)) seen.add(JSON.stringify(came.outcome))
      else divergent = came
    }
  }
  const leftOut = strategies.map((strategy) => [strategy.name, strategy.proof().leftOut] as const)
  return { ...counts, known: known.size, seen: seen.size, leftOut, other: divergent }
}

const isKnown = ({ defect, outcome }: SteppedRun, known: ReadonlyMap<string, Outcome>): boolean =>
  defect === undefined && known.has(JSON.stringify(outcome))

const samplingStrategies = (seed: number): ReadonlyArray<Strategy> => [
  new DelayBounded(2),
  priorities(seed),
  randomWalk(seed)
]

const withoutFaults = (prepared: Prepared): Prepared => ({
  ...prepared,
  search: { ...prepared.search, faults: [], receivers: {}, most: 0 }
})
