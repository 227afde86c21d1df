/** The report of a replay as text. */
import type { ReplayResult } from "./findings/replay-script.ts"
import { formatCount } from "./report.ts"

export const replayLines = (replayed: ReplayResult, hasStory: boolean): ReadonlyArray<string> => [
  ...(hasStory ? [replayed.story] : []),
  ...endLines(replayed)
]

const endLines = (replayed: ReplayResult): ReadonlyArray<string> => {
  const { file, made } = replayed
  switch (replayed.ended) {
    case "FIXED":
      return [`${file}: fixed: no property is violated, after ${formatCount(made.length, "choice")} in the saved order`]
    case "REPRODUCES":
      return [
        `${file}: reproduces: ${replayed.violation.property}`,
        `  has to hold: ${replayed.says}`,
        `  observed: ${replayed.violation.words}`,
        `  why: ${replayed.why.join(" ")}`
      ]
    case "DIVERGED": {
      const { at } = replayed
      if ("untouched" in at) return [`${file}: diverged: the fault injected for ${at.untouched} never occurred`]
      const { choice, wanted, offered } = at
      const instead = offered.length === 0 ? "there was no such choice" : `offered ${offered.join(", ")}`
      return [`${file}: diverged at choice ${choice}: wanted ${wanted}, ${instead}`]
    }
  }
}
