/**
 * The continuous search. It is a deterministic function of its seed and the number of iterations: time only decides when
 * it stops, and an interrupted search resumes with the same results.
 */
import type { Scenario } from "../../script/scenario.ts"
import { prepare, type Prepared, Unsearchable } from "../prepared.ts"
import type { Judged } from "../shrink/trials.ts"
import { diceFor, seedFor } from "./chance.ts"
import { searchable } from "./generated.ts"
import { type Choice, keptOf, nameOf, planned } from "./plan.ts"
import { type Finding, type Progress, tallied } from "./progress.ts"
import { SeenWorlds } from "./seen-worlds.ts"
import { type Sighted, taken, type TurnCame } from "./turn.ts"

export interface Sources {
  /** The scripts with an explore step, by file. */
  readonly scripts: ReadonlyMap<string, Scenario>
  readonly isGenerating: boolean
}

/** Saves the script of a finding for replay and returns its name, which is a function of the finding. */
export type Keep = (found: { readonly invariant: string; readonly cause: string; readonly text: string }) => string

export class Soak {
  readonly #sources: Sources
  readonly #judged: Judged
  readonly #keep: Keep
  readonly #seen: SeenWorlds
  readonly #prepared = new Map<string, Prepared>()
  #progress: Progress

  constructor(progress: Progress, sources: Sources, judged: Judged, keep: Keep) {
    this.#progress = progress
    this.#sources = sources
    this.#judged = judged
    this.#keep = keep
    this.#seen = new SeenWorlds(progress.seen)
  }

  /** The progress after the last complete iteration. */
  get progress(): Progress {
    return { ...this.#progress, seen: this.#seen.written }
  }

  get runs(): number {
    return this.#progress.runs
  }

  /** One iteration, run by run; returns the new findings. An abandoned iteration has no effect. */
  *turn(): Generator<undefined, ReadonlyArray<Finding>> {
    const { seed, position, sightings } = this.#progress
    const dice = diceFor(seed, `turn ${position}`)
    const { script, way } = planned(
      this.#progress,
      { ...this.#sources, files: [...this.#sources.scripts.keys()] },
      dice
    )
    const came = yield* taken(
      {
        script: nameOf(script),
        way,
        dice,
        seed: seedFor(seed, `strategy ${position}`),
        prepare: () => this.#prepare(script)
      },
      this.#judged,
      { seen: this.#seen, isKnown: (look) => (sightings[look]?.times ?? 0) >= minimizedMax }
    )
    return this.#record(came, "isNew" in script && script.isNew)
  }

  #prepare(script: Choice): Prepared {
    const name = nameOf(script)
    const known = this.#prepared.get(name)
    this.#prepared.delete(name)
    const prepared = known ?? prepare(this.#scenarioOf(script))
    this.#prepared.set(name, prepared)
    const [oldest] = this.#prepared.keys()
    if (oldest !== undefined && this.#prepared.size > rootsCached) this.#prepared.delete(oldest)
    return prepared
  }

  #scenarioOf(script: Choice): Scenario {
    const scenario = "file" in script ? this.#sources.scripts.get(script.file) : searchable(script.generated)
    if (scenario === undefined) throw new Unsearchable({ reason: "it has no concurrent steps" })
    return scenario
  }

  #record(came: TurnCame, isFresh: boolean): ReadonlyArray<Finding> {
    const before = this.#progress
    for (const world of came.worlds) this.#seen.add(world)
    const known = new KnownFindings(before)
    const found = came.sighted.flatMap((sighted) => known.add(sighted, came, before.position, this.#keep) ?? [])
    const worth = { runs: came.runs, worlds: came.worlds.length, found: found.length }
    const scripts = { ...before.scripts, [came.script]: tallied(before.scripts[came.script], worth) }
    this.#progress = {
      ...before,
      position: before.position + 1,
      runs: before.runs + came.runs,
      requests: before.requests + came.requests,
      worlds: before.worlds + came.worlds.length,
      generated: before.generated + (isFresh ? 1 : 0),
      unusable: before.unusable + (came.isUnusable ? 1 : 0),
      scripts: keptOf(scripts),
      ways: came.isUnusable ? before.ways : { ...before.ways, [came.way]: tallied(before.ways[came.way], worth) },
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
  add(sighted: Sighted, came: TurnCame, position: number, keep: Keep): Finding | undefined {
    const { look, shrunk, invariant } = sighted
    const before = this.sightings[look]
    const cause = shrunk?.cause ?? before?.cause ?? look
    this.sightings = { ...this.sightings, [look]: { cause, times: (before?.times ?? 0) + 1 } }
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
      way: came.way,
      position,
      times: 1,
      file,
      state: "FAILS"
    }
    this.findings = [...this.findings, finding]
    return finding
  }
}
