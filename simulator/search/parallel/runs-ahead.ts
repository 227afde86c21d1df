/**
 * Runs of one search on several threads. The search itself stays on its thread, in its order: the strategy decides over
 * every run in turn, with all that it has visited. Other threads only execute runs ahead that the strategy plans, so that
 * the result equals the result of one thread, whatever the threads do.
 */
import type { Decider } from "../choice-point.ts"
import { type RunningSearch, type RunSource, type SearchedRun, searchedRun } from "../run-source.ts"
import { executeRun } from "../search-run.ts"
import { DepthFirstSearch } from "../strategies/depth-first.ts"
import type { RunPlan, Strategy } from "../strategies/strategy.ts"
import { VisitedStates } from "../strategies/visited-states.ts"
import { following, recordRun, type RecordedRun, replayRun } from "./recorded-run.ts"
import { nameOfPlan, plannedDecider } from "./run-plans.ts"
import type { RunThread, RunThreads } from "./run-threads.ts"

export class RunsAhead implements RunSource {
  readonly #search: RunningSearch
  readonly #threads: RunThreads
  /** Recorded runs whose turn has not come, by the names of their plans. */
  readonly #recorded = new Map<string, RecordedRun>()

  constructor(search: RunningSearch, threads: RunThreads) {
    this.#search = search
    this.#threads = threads
  }

  readonly next = (strategy: Strategy): SearchedRun | undefined => {
    this.#receive()
    const [plan, ...others] = strategy.upcoming(plansMax)
    const name = plan === undefined ? undefined : nameOfPlan(plan)
    this.#dispatch(strategy, others)
    while (name !== undefined && !this.#recorded.has(name) && this.#isPending(name)) {
      if (!this.#executeAhead(strategy, others)) this.#wait()
      this.#receive()
      this.#dispatch(strategy, others)
    }
    const decide = strategy.next()
    if (decide === undefined) return undefined
    const recorded = name === undefined ? undefined : this.#recorded.get(name)
    if (name !== undefined) this.#recorded.delete(name)
    return recorded === undefined ? this.#execute(decide) : this.#inTurn(recorded, decide)
  }

  #execute(decide: Decider): SearchedRun {
    return searchedRun(executeRun(this.#search.root, this.#search.monitors, decide))
  }

  #inTurn(recorded: RecordedRun, decide: Decider): SearchedRun {
    const { made, result } = replayRun(recorded, decide)
    // A violation is reported from a run of this thread, with its world.
    if (result === undefined || result.violation !== undefined) return this.#execute(following(made, decide))
    const withWorld = () =>
      executeRun(
        this.#search.root,
        this.#search.monitors,
        following(made, () => "CUT")
      )
    return { ...result, areProbesMet: recorded.areProbesMet === true, withWorld }
  }

  #isPending(name: string): boolean {
    return this.#threads.all.some(({ pending }) => pending.has(name))
  }

  /** Gives each thread its next tasks, those whose turn comes first. */
  #dispatch(strategy: Strategy, plans: ReadonlyArray<RunPlan>): void {
    for (const plan of plans) {
      const [thread] = this.#threads.all
        .filter(({ isReady, pending }) => isReady && pending.size < tasksMax)
        .toSorted((one, other) => one.pending.size - other.pending.size)
      if (thread === undefined) return
      const name = nameOfPlan(plan)
      if (!this.#recorded.has(name) && !this.#isPending(name)) this.#send(thread, strategy, { name, plan })
    }
  }

  #send(thread: RunThread, strategy: Strategy, task: { readonly name: string; readonly plan: RunPlan }): void {
    const visits = visitedBy(strategy).log.slice(thread.sent.visits)
    const newOutcomes = [...this.#search.outcomes.keys()].slice(thread.sent.outcomes)
    thread.send({ ...task, visits, newOutcomes })
    thread.sent = {
      visits: thread.sent.visits + visits.length,
      outcomes: thread.sent.outcomes + newOutcomes.length
    }
  }

  /** Executes another planned run on this thread while the next one is pending; false if there is none. */
  #executeAhead(strategy: Strategy, plans: ReadonlyArray<RunPlan>): boolean {
    for (const plan of plans) {
      const name = nameOfPlan(plan)
      if (this.#recorded.has(name) || this.#isPending(name)) continue
      const { root, monitors } = this.#search
      this.#recorded.set(
        name,
        recordRun(root, monitors, plannedDecider(plan, visitedBy(strategy)), () => undefined)
      )
      return true
    }
    return false
  }

  /** A thread that does not answer has ended; its runs are executed on this thread. */
  #wait(): void {
    const before = this.#threads.count
    if (this.#receive() || this.#threads.wait(before, answerMax)) return
    for (const thread of this.#threads.all) if (thread.pending.size > 0) thread.close()
  }

  /** True if an answer has arrived. */
  #receive(): boolean {
    let hasReceived = false
    for (const { name, run } of this.#threads.receive()) {
      hasReceived = true
      if (name === undefined || run === undefined) continue
      if (this.#recorded.size >= recordedMax) this.#recorded.clear()
      this.#recorded.set(name, run)
    }
    return hasReceived
  }
}

const visitedBy = (strategy: Strategy): VisitedStates =>
  (strategy instanceof DepthFirstSearch ? strategy.visited : undefined) ?? new VisitedStates()

/** The number of plans that are considered, of tasks of one thread, and of recorded runs. */
const plansMax = 12
const tasksMax = 3
const recordedMax = 1_000

/** In milliseconds. */
const answerMax = 30_000
