/**
 * The continuous search. It is a deterministic function of its seed and the number of iterations: time only decides when
 * it stops, and an interrupted search resumes with the same results.
 */
import type { Scenario } from "../../scenario/format/scenario.ts"
import { prepareSearchRoot, type SearchRoot, Unsearchable } from "../search-root.ts"
import type { PropertySet } from "../minimize/trials.ts"
import { deriveSeed, SeededRandom } from "../../kernel/seeded-random.ts"
import { searchableScript } from "./generated-scripts.ts"
import { type ScriptChoice, productiveScripts, scriptName, planIteration } from "./iteration-plan.ts"
import { type Finding, type Progress, updateTally } from "./progress.ts"
import { VisitedStates } from "./visited-states.ts"
import { type Sighting, runIteration, type IterationResult } from "./iteration.ts"

export interface SearchSources {
  /** The scripts with an explore step, by file. */
  readonly scripts: ReadonlyMap<string, Scenario>
  readonly isGenerating: boolean
}

/** Saves the script of a finding for replay and returns its name, which is a function of the finding. */
export type SaveFinding = (found: {
  readonly invariant: string
  readonly cause: string
  readonly text: string
}) => string

export class ContinuousSearch {
  readonly #sources: SearchSources
  readonly #judged: PropertySet
  readonly #keep: SaveFinding
  readonly #seen: VisitedStates
  readonly #prepared = new Map<string, SearchRoot>()
  #progress: Progress

  constructor(progress: Progress, sources: SearchSources, judged: PropertySet, keep: SaveFinding) {
    this.#progress = progress
    this.#sources = sources
    this.#judged = judged
    this.#keep = keep
    this.#seen = new VisitedStates(progress.seen)
  }

  /** The progress after the last complete iteration. */
  get progress(): Progress {
    return { ...this.#progress, seen: this.#seen.written }
  }

  get runs(): number {
    return this.#progress.runs
  }

  /** One iteration, run by run; returns the new findings. An abandoned iteration has no effect. */
  *runIteration(): Generator<undefined, ReadonlyArray<Finding>> {
    const { seed, position, sightings } = this.#progress
    const random = SeededRandom.derived(seed, `turn ${position}`)
    const { script, mode: way } = planIteration(
      this.#progress,
      { ...this.#sources, files: [...this.#sources.scripts.keys()] },
      random
    )
    const came = yield* runIteration(
      {
        script: scriptName(script),
        mode: way,
        random,
        seed: deriveSeed(seed, `strategy ${position}`),
        prepare: () => this.#prepare(script)
      },
      this.#judged,
      { seen: this.#seen, isKnown: (look) => (sightings[look]?.times ?? 0) >= minimizedMax }
    )
    return this.#record(came, "isNew" in script && script.isNew)
  }

  #prepare(script: ScriptChoice): SearchRoot {
    const name = scriptName(script)
    const known = this.#prepared.get(name)
    this.#prepared.delete(name)
    const prepared = known ?? prepareSearchRoot(this.#scenarioOf(script))
    this.#prepared.set(name, prepared)
    const [oldest] = this.#prepared.keys()
    if (oldest !== undefined && this.#prepared.size > rootsCached) this.#prepared.delete(oldest)
    return prepared
  }

  #scenarioOf(script: ScriptChoice): Scenario {
    const scenario = "file" in script ? this.#sources.scripts.get(script.file) : searchableScript(script.generated)
    if (scenario === undefined) throw new Unsearchable({ reason: "it has no concurrent steps" })
    return scenario
  }

  #record(came: IterationResult, isFresh: boolean): ReadonlyArray<Finding> {
    const before = this.#progress
    for (const world of came.worlds) this.#seen.add(world)
    const known = new KnownFindings(before)
    const found = came.sightings.flatMap((sighted) => known.add(sighted, came, before.position, this.#keep) ?? [])
    const worth = { runs: came.runs, worlds: came.worlds.length, found: found.length }
    const scripts = { ...before.scripts, [came.script]: updateTally(before.scripts[came.script], worth) }
    this.#progress = {
      ...before,
      position: before.position + 1,
      runs: before.runs + came.runs,
      requests: before.requests + came.requests,
      worlds: before.worlds + came.worlds.length,
      generated: before.generated + (isFresh ? 1 : 0),
      unusable: before.unusable + (came.isUnusable ? 1 : 0),
      scripts: productiveScripts(scripts),
      ways: came.isUnusable ? before.ways : { ...before.ways, [came.mode]: updateTally(before.ways[came.mode], worth) },
      findings: known.findings,
      sightings: known.sightings
    }
    return found
  }
}

/** How often violations of one class are minimized. */
const minimizedMax = 2
const rootsCached = 6

class KnownFindings {
  findings: Progress["findings"]
  sightings: Progress["sightings"]

  constructor({ findings, sightings }: Progress) {
    this.findings = findings
    this.sightings = sightings
  }

  /** Returns the finding if its class is new. */
  add(sighted: Sighting, came: IterationResult, position: number, keep: SaveFinding): Finding | undefined {
    const { failureClass, shrunk, invariant } = sighted
    const before = this.sightings[failureClass]
    const cause = shrunk?.cause ?? before?.cause ?? failureClass
    this.sightings = { ...this.sightings, [failureClass]: { cause, times: (before?.times ?? 0) + 1 } }
    if (this.findings.some((one) => one.cause === cause)) {
      this.findings = this.findings.map((one) =>
        one.cause === cause ? { ...one, times: one.times + 1, state: "FAILS" as const } : one
      )
      return undefined
    }
    const text = shrunk?.text
    const file = text === undefined ? null : keep({ invariant, cause, text })
    const words = shrunk?.words ?? sighted.words
    const { script } = came
    const finding: Finding = {
      cause,
      invariant,
      words,
      script,
      way: came.mode,
      position,
      times: 1,
      file,
      state: "FAILS"
    }
    this.findings = [...this.findings, finding]
    return finding
  }
}
