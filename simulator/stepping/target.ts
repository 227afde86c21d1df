/** Where a walk is to stop: after a step, or as soon as something shows. */
import { Result } from "effect"
import { refusals } from "../../src/vocabulary/refusal-rules.ts"
import { nouns } from "../coverage/nouns.ts"
import { shownIn } from "../coverage/shown-states.ts"
import { isObject } from "../script/json.ts"
import { nearest } from "../../src/vocabulary/suggest.ts"
import type { Branch, Done } from "./walk.ts"

export interface Target {
  /** True once the walk is there. */
  readonly isReached: (branch: Branch) => boolean
  /** What never came, where the steps end before that. */
  readonly awaited: string
}

/** Failures say what to type instead. */
export const targetOf = (word: string, branch: Branch): Result.Result<Target, string> => {
  const { done, future, world } = branch
  const ids = future.flatMap(({ step }) => (step.id === undefined ? [] : [step.id]))
  const last = done.length + future.length
  if (/^\d+$/.test(word)) {
    const number = Number(word)
    if (number > last)
      return Result.fail(`there are ${last} steps; type until with one of ${done.length + 1} to ${last}`)
    if (number <= done.length) {
      return Result.fail(`step ${number} is done; back ${done.length - number} goes to where it was the last`)
    }
    return Result.succeed({ isReached: (branch) => branch.done.length >= number, awaited: `step ${number}` })
  }
  if (/^\d{4}-\d\d/.test(word)) {
    const moment = word.replace(" ", "T")
    if (world.now >= moment) return Result.fail(`${word} has passed; it is ${world.now}`)
    return Result.succeed({ isReached: (branch) => branch.world.now >= moment, awaited: `${word} never came` })
  }
  if (ids.includes(word)) return Result.succeed(onLast(({ step }) => step.id === word, `step ${word}`))
  if (Object.hasOwn(refusals, word)) return Result.succeed(onLast((done) => refusedIn(done).includes(word), word))
  if (states.has(word)) return Result.succeed(onLast((done) => statesIn(done).includes(word), word))
  return Result.fail(unknownTarget(word, ids))
}

const onLast = (isMeant: (done: Done) => boolean, what: string): Target => ({
  isReached: ({ done }) => {
    const last = done.at(-1)
    return last !== undefined && isMeant(last)
  },
  awaited: `${what} never came`
})

const states: ReadonlySet<string> = new Set(nouns.flatMap((noun) => noun.states))

const unknownTarget = (word: string, ids: ReadonlyArray<string>): string => {
  const near = nearest(word, [...ids, ...Object.keys(refusals), ...states])
  const meant = near === undefined ? "" : `; did you mean until ${near}?`
  return `${word} is no step, id, state, refusal or moment${meant}`
}

const refusedIn = ({ observed }: Done): ReadonlyArray<string> =>
  observed.flatMap((seen) => {
    if (seen.kind === "answer") return seen.refused === undefined ? [] : [seen.refused]
    const body = seen.kind === "response" ? seen.body : undefined
    return isObject(body) && typeof body["error"] === "string" ? [body["error"]] : []
  })

/** What an answer shows, or a row came to be. */
const statesIn = ({ observed, changes }: Done): ReadonlyArray<unknown> => [
  ...observed.flatMap((seen) =>
    seen.kind === "answer" || seen.kind === "response" ? shownIn(seen.body).map(({ state }) => state) : []
  ),
  ...changes.flatMap(({ before, after }) => (before?.["state"] === after?.["state"] ? [] : [after?.["state"]]))
]
