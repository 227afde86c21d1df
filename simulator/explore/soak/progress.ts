/** How far a search without an end has come: what is written down, so that it goes on from there. */
import { Result, Schema } from "effect"

const Count = Schema.Int

/** What runs of a script, or in one way, were worth. */
const Tally = Schema.Struct({
  turns: Count,
  runs: Count,
  /** How many worlds nobody had come to before. */
  worlds: Count,
  /** How many causes were found here first. */
  found: Count,
  /** New worlds a run, of late. */
  recently: Schema.Number
})

const Finding = Schema.Struct({
  cause: Schema.String,
  invariant: Schema.String,
  /** What was seen. */
  words: Schema.String,
  script: Schema.String,
  way: Schema.String,
  /** In which turn it was found first. */
  position: Count,
  /** How often it was met. */
  times: Count,
  /** In the folder; null where a script cannot say it, and the turn has to be had again. */
  file: Schema.NullOr(Schema.String),
  /** As it was when it was last had again. */
  state: Schema.Literals(["FAILS", "FIXED", "DIVERGED"])
})

const Sighting = Schema.Struct({ cause: Schema.String, times: Count })

const Progress = Schema.Struct({
  form: Schema.Literal(1),
  seed: Count,
  /** How many turns were taken; which turn comes next is a function of the seed, this and what came of those before. */
  position: Count,
  runs: Count,
  requests: Count,
  worlds: Count,
  /** How many scripts were generated, and how many turns came to nothing. */
  generated: Count,
  unusable: Count,
  milliseconds: Schema.Number,
  scripts: Schema.Record(Schema.String, Tally),
  ways: Schema.Record(Schema.String, Tally),
  findings: Schema.Array(Finding),
  /** By what a violation looks like before it is shrunk: what it was found to be. */
  sightings: Schema.Record(Schema.String, Sighting),
  /** Worlds that were come to, as `SeenWorlds` writes them. */
  seen: Schema.String
})

export type Tally = typeof Tally.Type
export type Finding = typeof Finding.Type
export type Progress = typeof Progress.Type

export const beginning = (seed: number): Progress => ({
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
  ways: {},
  findings: [],
  sightings: {},
  seen: ""
})

/** What is new is worth a try. */
export const untried: Tally = { turns: 0, runs: 0, worlds: 0, found: 0, recently: 1 }

export const tallied = (before: Tally | undefined, came: Pick<Tally, "runs" | "worlds" | "found">): Tally => {
  const { turns, runs, worlds, found, recently } = before ?? untried
  const now = came.worlds / Math.max(came.runs, 1)
  return {
    turns: turns + 1,
    runs: runs + came.runs,
    worlds: worlds + came.worlds,
    found: found + came.found,
    recently: recently / 2 + now / 2
  }
}

export const progressText = (progress: Progress): string => `${JSON.stringify(progress, null, 1)}\n`

export const readProgress = (text: string): Result.Result<Progress, string> =>
  Result.try({
    try: () => Schema.decodeUnknownSync(Progress)(JSON.parse(text)),
    catch: (error) => (error instanceof Error ? error.message : String(error))
  })
