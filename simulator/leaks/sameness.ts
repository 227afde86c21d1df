/** Holds runs of one scenario on several machines against each other and against what is committed. */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { goldenFiles } from "../files.ts"
import { firstDifference, lineOfDifference, readTrace } from "../trace.ts"
import type { RunElsewhere } from "./elsewhere.ts"

/** Of a trace and its story together. */
export const digestOf = ({ trace, story }: Pick<RunElsewhere, "trace" | "story">): string =>
  `${sha256(trace)} ${sha256(story)}`

/**
 * What is wrong, in the words of a reader; nothing where all machines left the same bytes, the committed ones. The
 * machines go by their numbers, from 1.
 */
export const complaintAbout = (runs: ReadonlyArray<RunElsewhere>): string | undefined => {
  const [first, ...others] = runs
  if (first === undefined) return undefined
  const failed = runs.findIndex(({ verdict }) => verdict !== "PASSED")
  const complaints = [
    ...(failed < 0 ? [] : [`on machine ${failed + 1}: ${reasonIn(runs[failed]!)}`]),
    ...others.flatMap((other, index) => apart(first, other, index + 2)).slice(0, 1),
    ...fromCommitted(first)
  ]
  return complaints.length === 0 ? undefined : complaints.join("\n")
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const reasonIn = ({ verdict, trace }: RunElsewhere): string => {
  const last = readTrace(trace).at(-1)
  return `${verdict}: ${String(last?.["reason"] ?? "no reason is given")}`
}

const apart = (first: RunElsewhere, other: RunElsewhere, machine: number): ReadonlyArray<string> => {
  if (digestOf(first) === digestOf(other)) return []
  const names = ["machine 1", `machine ${machine}`] as const
  return [firstDifference(first.trace, other.trace, names) ?? storiesApart(first.story, other.story, names)]
}

const storiesApart = (one: string, other: string, names: readonly [string, string]): string => {
  const line = lineOfDifference(one, other) ?? 0
  return [
    `the stories part at line ${line + 1}`,
    ...[one, other].map((story, side) => `  ${names[side]}: ${story.split("\n")[line] ?? "the end"}`)
  ].join("\n")
}

const fromCommitted = ({ file, trace, story }: RunElsewhere): ReadonlyArray<string> => {
  const golden = goldenFiles(file)
  const names = ["committed", "machine 1"] as const
  const committed = (name: string) => (fs.existsSync(name) ? fs.readFileSync(name, "utf8") : undefined)
  const [traceThere, storyThere] = [committed(golden.trace), committed(golden.story)]
  const difference = firstDifference(traceThere ?? trace, trace, names)
  const isStoryApart = difference === undefined && storyThere !== undefined && storyThere !== story
  return [
    ...(difference === undefined ? [] : [difference]),
    ...(isStoryApart ? [storiesApart(storyThere, story, names)] : []),
    ...missing(file)
  ]
}

/** Where nothing is committed in a folder at all, nobody meant to. */
const missing = (file: string): ReadonlyArray<string> => {
  const { trace, story } = goldenFiles(file)
  const isAnyThere = fs.existsSync(story) || fs.readdirSync(path.dirname(file)).some((name) => name.endsWith(golden))
  return isAnyThere
    ? [trace, story].filter((name) => !fs.existsSync(name)).map((name) => `there is no ${name}; run --update writes it`)
    : []
}

const golden = path.basename(goldenFiles(".yaml").trace)

/** Nothing says what the run of this script should leave. */
export const hasNothingCommitted = (file: string): boolean => {
  const { trace, story } = goldenFiles(file)
  return !fs.existsSync(trace) && !fs.existsSync(story)
}
