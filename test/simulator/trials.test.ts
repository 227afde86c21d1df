/** The trials of a lesson: every shipped lesson can be read in each, and differs from the others in names and order. */
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { readLessons } from "../../simulator/examination/lesson.ts"
import { lessonOfTrial } from "../../simulator/examination/trial.ts"

const lessons = Result.getOrThrow(readLessons(["scenarios/lessons"]))
const trialOf = (index: number, number: number, seed = 1) => lessonOfTrial(lessons[index]!, { number, seed })

describe("trials of a lesson", () => {
  it.each(lessons.map(({ name }, index) => [name, index] as const))("%s can be read in every trial.", (_, index) => {
    for (const number of [2, 3, 4, 5]) assert.isTrue(Result.isSuccess(trialOf(index, number)))
  })

  it("The first trial is the lesson as it is written, and equal trials are equal.", () => {
    assert.strictEqual(Result.getOrThrow(trialOf(0, 1)), lessons[0])
    assert.deepEqual(Result.getOrThrow(trialOf(0, 3)), Result.getOrThrow(trialOf(0, 3)))
  })

  it("Other trials and other seeds have other names, seeds and orders of criteria.", () => {
    const trials = [2, 3, 4, 5].flatMap((number) => [1, 2].map((seed) => Result.getOrThrow(trialOf(0, number, seed))))
    const different = (values: ReadonlyArray<unknown>) => new Set(values.map((value) => JSON.stringify(value))).size
    assert.strictEqual(different(trials.map(({ scenario }) => scenario.seed)), trials.length)
    assert.isAtLeast(different(trials.map(({ form }) => form.agent)), 3)
    assert.isAtLeast(different(trials.map(({ scenario }) => scenario.given)), 6)
    const orders = trials.map(({ scenario }) => JSON.stringify(scenario.steps).indexOf("A PDF of the whole"))
    const others = trials.map(({ scenario }) => JSON.stringify(scenario.steps).indexOf("Every depth"))
    assert.strictEqual(different(orders.map((at, index) => at < others[index]!)), 2)
  })
})
