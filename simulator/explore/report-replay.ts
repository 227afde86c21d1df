/** What a replay comes to, in words. */
import type { Replayed } from "./found/replay-script.ts"
import { counted } from "./report.ts"

export const replayedLines = (replayed: Replayed, hasStory: boolean): ReadonlyArray<string> => [
  ...(hasStory ? [replayed.story] : []),
  ...endLines(replayed)
]

const endLines = (replayed: Replayed): ReadonlyArray<string> => {
  const { file, made } = replayed
  switch (replayed.ended) {
    case "FIXED":
      return [
        `${file}: fixed: nothing goes wrong any more, after ${counted(made.length, "choice")} as they are written`
      ]
    case "REPRODUCES":
      return [
        `${file}: reproduces: ${replayed.violation.invariant}`,
        `  has to hold: ${replayed.says}`,
        `  seen: ${replayed.violation.words}`,
        `  why: ${replayed.why.join(" ")}`
      ]
    case "DIVERGED": {
      const { at } = replayed
      if ("untouched" in at) return [`${file}: diverged: what is injected for ${at.untouched} never happened`]
      const { choice, wanted, offered } = at
      const instead = offered.length === 0 ? "there was no such choice" : `offered ${offered.join(", ")}`
      return [`${file}: diverged at choice ${choice}: wanted ${wanted}, ${instead}`]
    }
  }
}
