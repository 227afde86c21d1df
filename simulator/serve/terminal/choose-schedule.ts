/** The schedule of the next step: the options at each choice point, and the person's picks, one after the other. */
import { Result } from "effect"
import { didYouMean } from "../../../src/vocabulary/suggest.ts"
import type { Walk } from "./walk.ts"

/** Applies picks by name or number, and returns the next choice point. */
export const chooseSchedule = (
  walk: Walk,
  picks: ReadonlyArray<string>
): Result.Result<ReadonlyArray<string>, string> => {
  const [item] = walk.branch.future
  if (item === undefined) return Result.fail("no next step; use back to return to one, or do … to add one")
  if (["send", "retry", "inject", "say"].includes(item.step.kind)) {
    return Result.fail(`the next step is ${item.step.kind}, which has no choices; next runs it`)
  }
  if (picks[0] === "nothing") {
    walk.choose([])
    return Result.succeed(["choices cleared", ...nextChoice(walk)])
  }
  for (const pick of picks) {
    const picked = pickOne(walk, pick)
    if (picked !== undefined) return Result.fail(picked)
  }
  return Result.succeed(nextChoice(walk))
}

/** Returns the problem with the pick, if any. */
const pickOne = (walk: Walk, pick: string): string | undefined => {
  const decided = decidedChoices(walk)
  const options = walk.rehearse().choices[decided.length]?.options ?? []
  if (options.length === 0) return `no choice left for ${pick}; next runs the step`
  const name = options.includes(pick) ? pick : /^\d+$/.test(pick) ? options[Number(pick) - 1] : undefined
  if (name === undefined) return `${pick} is not among ${options.join(", ")}${didYouMean(pick, options)}`
  walk.choose([...decided, name])
  return undefined
}

const nextChoice = (walk: Walk): ReadonlyArray<string> => {
  const decided = decidedChoices(walk)
  const { choices, ended } = walk.rehearse()
  const consequence = ended === undefined ? [] : [`with these choices the step ends with: ${ended.reason}`]
  const options = choices[decided.length]?.options
  const first = decided.length === 0 ? [] : [`chosen: ${decided.join(", then ")}`]
  if (options === undefined) {
    const none = decided.length === 0 ? "the next step has no choices" : "no further choices"
    return [...first, `${none}; next runs it`, ...consequence]
  }
  return [
    ...first,
    `choice ${decided.length + 1} of ${choices.length}: which goes first?`,
    ...options.map((name, index) => `  ${index + 1}  ${name}`),
    "choose <name or number> decides it, choose nothing clears all choices; next uses the order of arrival",
    ...consequence
  ]
}

const decidedChoices = ({ branch }: Walk): ReadonlyArray<string> => branch.future[0]?.form.choose ?? []
