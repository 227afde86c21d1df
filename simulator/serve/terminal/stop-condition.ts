/** The stop condition of `until`: a step, an instant, a state or a refusal. */
import { Result } from "effect"
import { refusals } from "../../../src/vocabulary/refusal-rules.ts"
import { resources } from "../../coverage/resources.ts"
import { resourceStatesIn } from "../../coverage/tracked-states.ts"
import { isObject } from "../../vocabulary/json.ts"
import { nearest } from "../../../src/vocabulary/suggest.ts"
import type { Branch, ExecutedStep } from "./walk.ts"

export interface StopCondition {
  /** True once the condition holds. */
  readonly isReached: (branch: Branch) => boolean
  /** The unmet condition, for the message at the end of the steps. */
  readonly unmetMessage: string
}

/** Failures name the command to type instead. */
export const parseStopCondition = (word: string, branch: Branch): Result.Result<StopCondition, string> => {
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
      unmetMessage: `step ${number} was not reached`
    })
  }
  if (/^\d{4}-\d\d/.test(word)) {
    const moment = word.replace(" ", "T")
    if (world.now >= moment) return Result.fail(`${word} is in the past; it is ${world.now}`)
    return Result.succeed({
      isReached: (branch) => branch.world.now >= moment,
      unmetMessage: `${word} was not reached`
    })
  }
  if (ids.includes(word)) return Result.succeed(onLast(({ step }) => step.id === word, `step ${word}`))
  if (Object.hasOwn(refusals, word)) return Result.succeed(onLast((done) => refusalsIn(done).includes(word), word))
  if (states.has(word)) return Result.succeed(onLast((done) => statesIn(done).includes(word), word))
  return Result.fail(unknownTarget(word, ids))
}

const onLast = (matches: (done: ExecutedStep) => boolean, what: string): StopCondition => ({
  isReached: ({ done }) => {
    const last = done.at(-1)
    return last !== undefined && matches(last)
  },
  unmetMessage: `${what} was not reached`
})

const states: ReadonlySet<string> = new Set(resources.flatMap((noun) => noun.states))

const unknownTarget = (word: string, ids: ReadonlyArray<string>): string => {
  const near = nearest(word, [...ids, ...Object.keys(refusals), ...states])
  const suggestion = near === undefined ? "" : `; did you mean until ${near}?`
  return `${word} is not a step, id, state, refusal or instant${suggestion}`
}

const refusalsIn = ({ observed }: ExecutedStep): ReadonlyArray<string> =>
  observed.flatMap((one) => {
    if (one.kind === "answer") return one.refused === undefined ? [] : [one.refused]
    const body = one.kind === "response" ? one.body : undefined
    return isObject(body) && typeof body["error"] === "string" ? [body["error"]] : []
  })

/** The states in answers and changed rows. */
const statesIn = ({ observed, changes }: ExecutedStep): ReadonlyArray<unknown> => [
  ...observed.flatMap((one) =>
    one.kind === "answer" || one.kind === "response" ? resourceStatesIn(one.body).map(({ state }) => state) : []
  ),
  ...changes.flatMap(({ before, after }) => (before?.["state"] === after?.["state"] ? [] : [after?.["state"]]))
]
