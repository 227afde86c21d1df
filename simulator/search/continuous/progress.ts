/** The checkpoint of a continuous search, from which it resumes. */
import { Result, Schema } from "effect"

const Count = Schema.Int

/** The yield of a script or a search mode. */
const Tally = Schema.Struct({
  turns: Count,
  runs: Count,
  /** The number of new states. */
  worlds: Count,
  /** The number of failure classes found here first. */
  found: Count,
  /** Recent new states per run. */
  recently: Schema.Number
})

const Finding = Schema.Struct({
  cause: Schema.String,
  property: Schema.String,
  /** The observed violation. */
  words: Schema.String,
  script: Schema.String,
  mode: Schema.String,
  /** The iteration of the first occurrence. */
  position: Count,
  /** The number of occurrences. */
  times: Count,
  /** The file in the folder; null if the script format cannot express it, so that only the iteration reproduces it. */
  file: Schema.NullOr(Schema.String),
  /** The result of the last replay. */
  state: Schema.Literals(["FAILS", "FIXED", "DIVERGED"])
}).pipe(Schema.encodeKeys({ property: "invariant", mode: "way" }))

const Sighting = Schema.Struct({ cause: Schema.String, times: Count })

const Progress = Schema.Struct({
  form: Schema.Literal(1),
  seed: Count,
  /** The number of iterations; the next one is a function of the seed, this number and the previous results. */
  position: Count,
  runs: Count,
  requests: Count,
  worlds: Count,
  /** The number of generated scripts, and of iterations without a searchable script. */
  generated: Count,
  unusable: Count,
  milliseconds: Schema.Number,
  scripts: Schema.Record(Schema.String, Tally),
  modes: Schema.Record(Schema.String, Tally),
  findings: Schema.Array(Finding),
  /** By the failure class before minimization: the class after it. */
  sightings: Schema.Record(Schema.String, Sighting),
  /** The visited states as `VisitedStates` encodes them. */
  seen: Schema.String
}).pipe(Schema.encodeKeys({ modes: "ways" }))

export type Tally = typeof Tally.Type
export type Finding = typeof Finding.Type
export type Progress = typeof Progress.Type

export const initialProgress = (seed: number): Progress => ({
  form: 1,
  seed,
  position: 0,
  runs: 0,
  requests: 0,
  worlds: 0,
  generated: 0,
  unusable: 0,
  milliseconds: 0,
  scripts: {},
  modes: {},
  findings: [],
  sightings: {},
  seen: ""
})

/** New scripts and modes get a high weight. */
export const initialTally: Tally = { turns: 0, runs: 0, worlds: 0, found: 0, recently: 1 }

export const updateTally = (before: Tally | undefined, result: Pick<Tally, "runs" | "worlds" | "found">): Tally => {
  const { turns, runs, worlds, found, recently } = before ?? initialTally
  const now = result.worlds / Math.max(result.runs, 1)
  return {
    turns: turns + 1,
    runs: runs + result.runs,
    worlds: worlds + result.worlds,
    found: found + result.found,
    recently: recently / 2 + now / 2
  }
}

export const progressText = (progress: Progress): string =>
  `${JSON.stringify(Schema.encodeSync(Progress)(progress), null, 1)}\n`

export const readProgress = (text: string): Result.Result<Progress, string> =>
  Result.try({
    try: () => Schema.decodeUnknownSync(Progress)(JSON.parse(text)),
    catch: (error) => (error instanceof Error ? error.message : String(error))
  })
