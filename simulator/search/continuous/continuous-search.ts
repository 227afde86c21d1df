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
  readonly property: string
  readonly cause: string
  readonly text: string
}) => string

export class ContinuousSearch {
  readonly #sources: SearchSources
  readonly #checks: PropertySet
  readonly #keep: SaveFinding
  readonly #seen: VisitedStates
  readonly #roots = new Map<string, SearchRoot>()
  #progress: Progress

  constructor(progress: Progress, sources: SearchSources, checks: PropertySet, keep: SaveFinding) {
    this.#progress = progress
    this.#sources = sources
    this.#checks = checks
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
    const { script, mode } = planIteration(
      this.#progress,
      { ...this.#sources, files: [...this.#sources.scripts.keys()] },
      random
    )
    const result = yield* runIteration(
      {
        script: scriptName(script),
        mode,
        random,
        seed: deriveSeed(seed, `strategy ${position}`),
        prepare: () => this.#prepare(script)
      },
      this.#checks,
      { seen: this.#seen, isKnown: (failureClass) => (sightings[failureClass]?.times ?? 0) >= minimizedMax }
    )
    return this.#record(result, "isNew" in script && script.isNew)
  }

  #prepare(script: ScriptChoice): SearchRoot {
    const name = scriptName(script)
    const known = this.#roots.get(name)
    this.#roots.delete(name)
    const root = known ?? prepareSearchRoot(this.#scenarioOf(script))
    this.#roots.set(name, root)
    const [oldest] = this.#roots.keys()
    if (oldest !== undefined && this.#roots.size > rootsCached) this.#roots.delete(oldest)
    return root
  }

  #scenarioOf(script: ScriptChoice): Scenario {
    const scenario = "file" in script ? this.#sources.scripts.get(script.file) : searchableScript(script.generated)
    if (scenario === undefined) throw new Unsearchable({ reason: "it has no concurrent steps" })
    return scenario
  }

  #record(result: IterationResult, isFresh: boolean): ReadonlyArray<Finding> {
    const before = this.#progress
    for (const world of result.worlds) this.#seen.add(world)
    const known = new KnownFindings(before)
    const found = result.sightings.flatMap((sighting) => known.add(sighting, result, before.position, this.#keep) ?? [])
    const worth = { runs: result.runs, worlds: result.worlds.length, found: found.length }
    const scripts = { ...before.scripts, [result.script]: updateTally(before.scripts[result.script], worth) }
    this.#progress = {
      ...before,
      position: before.position + 1,
      runs: before.runs + result.runs,
      requests: before.requests + result.requests,
      worlds: before.worlds + result.worlds.length,
      generated: before.generated + (isFresh ? 1 : 0),
      unusable: before.unusable + (result.isUnusable ? 1 : 0),
      scripts: productiveScripts(scripts),
      modes: result.isUnusable
        ? before.modes
        : { ...before.modes, [result.mode]: updateTally(before.modes[result.mode], worth) },
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
  add(sighting: Sighting, result: IterationResult, position: number, keep: SaveFinding): Finding | undefined {
    const { failureClass, shrunk, property } = sighting
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
    const file = text === undefined ? null : keep({ property, cause, text })
    const words = shrunk?.words ?? sighting.words
    const { script } = result
    const finding: Finding = {
      cause,
      property,
      words,
      script,
      mode: result.mode,
      position,
      times: 1,
      file,
      state: "FAILS"
    }
    this.findings = [...this.findings, finding]
    return finding
  }
}
