/**
 * Compares the outcomes of a race on Postgres with those in memory: every interleaving of statements may have only an
 * outcome that some schedule in memory has.
 */
import type { Outcome } from "../search-run.ts"
import type { SearchRoot } from "../search-root.ts"
import { type SearchResult, search } from "../search.ts"
import { DelayBoundedSearch } from "../strategies/delay-bounded.ts"
import { DepthFirstSearch } from "../strategies/depth-first.ts"
import { pct } from "../strategies/pct.ts"
import { randomWalk } from "../strategies/random-walk.ts"
import type { Strategy } from "../strategies/strategy.ts"
import { executeRunOnPostgres, type PostgresRun } from "./postgres-run.ts"
import type { SteppedDatabase } from "./stepped-database.ts"

export interface OutcomeComparison {
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
  readonly divergentRun: PostgresRun | undefined
}

/** Every outcome in memory without faults. */
export const outcomesInMemory = (root: SearchRoot, runsMax: number): SearchResult =>
  search(withoutFaults(root), { properties: [], strategies: [[new DepthFirstSearch(), runsMax]] })

/** Expects the rows of the search root as the snapshot of the database. */
export const compareOutcomes = async (
  database: SteppedDatabase,
  root: SearchRoot,
  { known, runs, seed }: { readonly known: SearchResult["outcomes"]; readonly runs: number; readonly seed: number }
): Promise<OutcomeComparison> => {
  const counts = { runs: 0, unjudged: 0, statements: 0, decisions: 0, waits: 0 }
  const seen = new Set<string>()
  const strategies = samplingStrategies(seed)
  let divergent: PostgresRun | undefined
  for (const strategy of strategies) {
    for (let run = 0; run < runs / strategies.length && divergent === undefined; run++) {
      const decide = strategy.next()
      if (decide === undefined) break
      const result = await executeRunOnPostgres(database, root, decide)
      strategy.onRunFinished({ ended: "DONE", violation: undefined, decisions: result.decisions })
      counts.runs += 1
      counts.statements += result.statements
      counts.decisions += result.decisions
      counts.waits += result.waits
      if (!result.isWithinTimeLimits) counts.unjudged += 1
      else if (isKnown(result, known)) seen.add(JSON.stringify(result.outcome))
      else divergent = result
    }
  }
  const leftOut = strategies.map((strategy) => [strategy.name, strategy.proof().leftOut] as const)
  return { ...counts, known: known.size, seen: seen.size, leftOut, divergentRun: divergent }
}

const isKnown = ({ defect, outcome }: PostgresRun, known: ReadonlyMap<string, Outcome>): boolean =>
  defect === undefined && known.has(JSON.stringify(outcome))

const samplingStrategies = (seed: number): ReadonlyArray<Strategy> => [
  new DelayBoundedSearch(2),
  pct(seed),
  randomWalk(seed)
]

const withoutFaults = (root: SearchRoot): SearchRoot => ({
  ...root,
  search: { ...root.search, faults: [], receivers: {}, payments: [], most: 0 }
})
