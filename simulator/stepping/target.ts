/** The stop condition of `until`: a step, an instant, a state or a refusal. */
import { Result } from "effect"
import { refusals } from "../../src/vocabulary/refusal-rules.ts"
import { nouns } from "../coverage/nouns.ts"
import { shownIn } from "../coverage/shown-states.ts"
import { isObject } from "../script/json.ts"
import { nearest } from "../../src/vocabulary/suggest.ts"
import type { Branch, Done } from "./walk.ts"

export interface Target {
  /** True once the condition holds. */
  readonly isReached: (branch: Branch) => boolean
  /** The unmet condition, for the message at the end of the steps. */
  readonly awaited: string
}

/** Failures name the command to type instead. */
export const targetOf = (word: string, branch: Branch): Result.Result<Target, string> => {
  const { done, future, world } = branch
  const ids = future.flatMap(({ step }) => (step.id === undefined ? [] : [step.id]))
  const last = done.length + future.length
  if (/^\d+$/.test(word)) {
    const number = Number(word)
    if (number > last)
      return Result.fail(`the scenario has ${last} steps; give a number from ${done.length + 1} to ${last}`)
    if (number <= done.length) {
      return Result.fail(`step ${number} was already executed; back ${done.length - number} returns to it`)
    }
    return Result.succeed({
      isReached: (branch) => branch.done.length >= number,
      awaited: `step ${number} was not reached`
    })
  }
  if (/^\d{4}-\d\d/.test(word)) {
    const moment = word.replace(" ", "T")
    if (world.now >= moment) return Result.fail(`${word} is in the past; it is ${world.now}`)
    return Result.succeed({ isReached: (branch) => branch.world.now >= moment, awaited: `${word} was not reached` })
  }
  if (ids.includes(word)) return Result.succeed(onLast(({ step }) => step.id === word, `step ${word}`))
  if (Object.hasOwn(refusals, word)) return Result.succeed(onLast((done) => refusalsIn(done).includes(word), word))
  if (states.has(word)) return Result.succeed(onLast((done) => statesIn(done).includes(word), word))
  return Result.fail(unknownTarget(word, ids))
}

const onLast = (matches: (done: Done) => boolean, what: string): Target => ({
  isReached: ({ done }) => {
    const last = done.at(-1)
    return last !== undefined && matches(last)
  },
  awaited: `${what} was not reached`
})

const states: ReadonlySet<string> = new Set(nouns.flatMap((noun) => noun.states))

const unknownTarget = (word: string, ids: ReadonlyArray<string>): string => {
  const near = nearest(word, [...ids, ...Object.keys(refusals), ...states])
  const suggestion = near === undefined ? "" : `; did you mean until ${near}?`
  return `${word} is not a step, id, state, refusal or instant${suggestion}`
}

const refusalsIn = ({ observed }: Done): ReadonlyArray<string> =>
  observed.flatMap((one) => {
    if (one.kind === "answer") return one.refused === undefined ? [] : [one.refused]
    const body = one.kind === "response" ? one.body : undefined
    return isObject(body) && typeof body["error"] === "string" ? [body["error"]] : []
  })

/** The states in answers and changed rows. */
const statesIn = ({ observed, changes }: Done): ReadonlyArray<unknown> => [
  ...observed.flatMap((one) =>
    one.kind === "answer" || one.kind === "response" ? shownIn(one.body).map(({ state }) => state) : []
  ),
  ...changes.flatMap(({ before, after }) => (before?.["state"] === after?.["state"] ? [] : [after?.["state"]]))
]
