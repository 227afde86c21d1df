/** Searches one script, and shrinks what is found in it. */
import type { Attempted } from "../attempt.ts"
import { prepare, type Prepared } from "../prepared.ts"
import type { Explored, Shown } from "../report.ts"
import { search, type SearchOptions, type Searched } from "../search.ts"
import type { Judged } from "../shrink/trials.ts"
import { writeStep } from "../../script/write.ts"
import { unrolled } from "../../script/unrolled.ts"
import type { Scenario, Step } from "../../script/scenario.ts"
import { shrinkFinding } from "./shrink-script.ts"

export interface ExploreOptions extends Judged, Pick<SearchOptions, "strategies" | "isOver" | "samples"> {
  /** False where nothing is to go wrong, whatever the script lists. */
  readonly hasFaults: boolean
  /** True where what an incomplete search did not come to says nothing. */
  readonly isProofWanted: boolean
  /** Keeps a found scenario; returns where. */
  readonly save: (invariant: string, text: string) => string | undefined
}

/** Throws `Unsearchable` where the script cannot be brought to the point from which orders are searched. */
export const exploreScript = (file: string, scenario: Scenario, options: ExploreOptions): Explored => {
  const whole = prepare(scenario)
  const prepared = options.hasFaults ? whole : { ...whole, search: { ...whole.search, faults: [], receivers: {} } }
  const done = new DoneSteps()
  const searched = search(prepared, { ...options, cameTo: (attempted) => done.note(prepared, attempted) })
  const { found, reached, isComplete } = searched
  const notReached = found === undefined ? prepared.search.reaches.filter((name) => !reached.has(name)) : []
  const isCutShort = !isComplete && (options.isProofWanted || options.isOver?.() === true)
  return {
    ...searched,
    file,
    verdict: verdictOf(searched, notReached.length === 0 || isCutShort),
    notReached,
    neverDone: found === undefined ? done.missing(prepared) : [],
    shrunk: shown(prepared, searched, options)
  }
}

const verdictOf = ({ found, isComplete }: Searched, hasReached: boolean): Explored["verdict"] => {
  if (found !== undefined) return "VIOLATED"
  if (!hasReached) return "NOT_REACHED"
  return isComplete ? "COMPLETE" : "NOT_COMPLETE"
}

/** What was done in some run; a script of which something never is tests less than it says. */
class DoneSteps {
  readonly #done = new Set<number>()
  #ends = 0

  note(prepared: Prepared, { ended, leftOut, outcome }: Attempted): void {
    for (const [step] of outcome.answers) this.#done.add(step)
    if (ended !== "DONE") return
    this.#ends += 1
    for (const step of prepared.rest) {
      if (leftOut.includes(step.number)) continue
      this.#done.add(step.number)
      if (step.kind === "together") for (const inner of step.steps) this.#done.add(inner.number)
    }
  }

  missing({ rest }: Prepared): ReadonlyArray<string> {
    if (this.#ends === 0) return []
    const missing = rest.flatMap((step): ReadonlyArray<Step> => {
      if (this.#done.has(step.number)) return []
      if (step.kind !== "together") return [step]
      return step.steps.filter(({ number }) => !this.#done.has(number))
    })
    return unrolled(missing).map(writeStep)
  }
}

const shown = (
  prepared: Prepared,
  { found }: Searched,
  { invariants, probes, save }: ExploreOptions
): Shown | undefined => {
  const shrunk = found === undefined ? undefined : shrinkFinding(prepared, found, { invariants, probes })
  if (shrunk === undefined) return undefined
  const { text, ...shown } = shrunk
  return { ...shown, saved: save(shown.invariant, text) }
}
