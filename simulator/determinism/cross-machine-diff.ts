/** Compares runs of one scenario on several machines with each other and with the golden files. */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { goldenFiles, missingGoldenFiles } from "../scenario/files.ts"
import { firstDifference, lineOfDifference, readTrace } from "../observation/trace.ts"
import type { SubprocessRun } from "./subprocess.ts"

/** A digest of the trace and the story. */
export const runDigest = ({ trace, story }: Pick<SubprocessRun, "trace" | "story">): string =>
  `${sha256(trace)} ${sha256(story)}`

/**
 * The differences as text; undefined if all machines produced the bytes of the golden files. Machines are numbered from
 * 1.
 */
export const describeDifferences = (runs: ReadonlyArray<SubprocessRun>): string | undefined => {
  const [first, ...others] = runs
  if (first === undefined) return undefined
  const failed = runs.findIndex(({ verdict }) => verdict !== "PASSED")
  const differences = [
    ...(failed < 0 ? [] : [`on machine ${failed + 1}: ${reasonIn(runs[failed]!)}`]),
    ...others.flatMap((other, index) => machineDifferences(first, other, index + 2)).slice(0, 1),
    ...goldenDifferences(first)
  ]
  return differences.length === 0 ? undefined : differences.join("\n")
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const reasonIn = ({ verdict, trace }: SubprocessRun): string => {
  const last = readTrace(trace).at(-1)
  return `${verdict}: ${String(last?.["reason"] ?? "no reason is given")}`
}

const machineDifferences = (first: SubprocessRun, other: SubprocessRun, machine: number): ReadonlyArray<string> => {
  if (runDigest(first) === runDigest(other)) return []
  const names = ["machine 1", `machine ${machine}`] as const
  return [firstDifference(first.trace, other.trace, names) ?? storyDifference(first.story, other.story, names)]
}

const storyDifference = (one: string, other: string, names: readonly [string, string]): string => {
  const line = lineOfDifference(one, other) ?? 0
  return [
    `the stories part at line ${line + 1}`,
    ...[one, other].map((story, side) => `  ${names[side]}: ${story.split("\n")[line] ?? "the end"}`)
  ].join("\n")
}

const goldenDifferences = ({ file, trace, story }: SubprocessRun): ReadonlyArray<string> => {
  const golden = goldenFiles(file)
  const names = ["committed", "machine 1"] as const
  const committed = (name: string) => (fs.existsSync(name) ? fs.readFileSync(name, "utf8") : undefined)
  const [traceThere, storyThere] = [committed(golden.trace), committed(golden.story)]
  const difference = firstDifference(traceThere ?? trace, trace, names)
  const isStoryApart = difference === undefined && storyThere !== undefined && storyThere !== story
  return [
    ...(difference === undefined ? [] : [difference]),
    ...(isStoryApart ? [storyDifference(storyThere, story, names)] : []),
    ...missingGoldenFiles(file).map((name) => `there is no ${name}; run --update writes it`)
  ]
}

/** True if the script has no golden files. */
export const hasNoGoldenFiles = (file: string): boolean => {
  const { trace, story } = goldenFiles(file)
  return !fs.existsSync(trace) && !fs.existsSync(story)
}
