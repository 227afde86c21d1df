/** Who goes first in the step to come: what could, by name, and what a person picks of it, one choice after the other. */
import { Result } from "effect"
import { didYouMean } from "../../src/vocabulary/suggest.ts"
import type { Walk } from "./walk.ts"

/** Picks names or numbers in order, as far as there are any, and tells the choice that is next. */
export const choose = (walk: Walk, picks: ReadonlyArray<string>): Result.Result<ReadonlyArray<string>, string> => {
  const [item] = walk.branch.future
  if (item === undefined) return Result.fail("there is no step to come; back goes before one, do … makes one")
  if (["send", "retry", "inject", "say"].includes(item.step.kind)) {
    return Result.fail(`the step to come is ${item.step.kind}, and takes no choose; next does it`)
  }
  if (picks[0] === "nothing") {
    walk.choose([])
    return Result.succeed(["who goes first is open again", ...nextChoice(walk)])
  }
  for (const pick of picks) {
    const picked = pickOne(walk, pick)
    if (picked !== undefined) return Result.fail(picked)
  }
  return Result.succeed(nextChoice(walk))
}

/** Returns what is wrong with the pick. */
const pickOne = (walk: Walk, pick: string): string | undefined => {
  const decided = decidedIn(walk)
  const options = walk.rehearse().choices[decided.length]?.options ?? []
  if (options.length === 0) return `nothing is left to choose for ${pick}; next does the step`
  const name = options.includes(pick) ? pick : /^\d+$/.test(pick) ? options[Number(pick) - 1] : undefined
  if (name === undefined) return `${pick} is not among ${options.join(", ")}${didYouMean(pick, options)}`
  walk.choose([...decided, name])
  return undefined
}

const nextChoice = (walk: Walk): ReadonlyArray<string> => {
  const decided = decidedIn(walk)
  const { choices, ended } = walk.rehearse()
  const would = ended === undefined ? [] : [`as it is, the step would end with: ${ended.reason}`]
  const options = choices[decided.length]?.options
  const first = decided.length === 0 ? [] : [`first go ${decided.join(", then ")}`]
  if (options === undefined) {
    const none = decided.length === 0 ? "nothing is to choose in the step to come" : "nothing more is to choose"
    return [...first, `${none}; next does it`, ...would]
  }
  return [
    ...first,
    `choice ${decided.length + 1} of ${choices.length}: who goes first?`,
    ...options.map((name, index) => `  ${index + 1}  ${name}`),
    "choose with a name or a number decides it, choose nothing opens all again; next lets whoever asked first go first",
    ...would
  ]
}

const decidedIn = ({ branch }: Walk): ReadonlyArray<string> => branch.future[0]?.form.choose ?? []
