/**
 * A small result that verifies: no agents, one criterion, one file, five events from the creation to the issuance. Cases
 * without agents and without a second submission are derived from it, so that the corpus stays small.
 */
import { type Step, stepAt } from "../sample-steps.ts"
import { type Forgery, makeSample, type Sample } from "../sample.ts"
import { digest, type Members } from "../signing.ts"

/** The brief result with this forgery; the indexes of its events are `briefPlaces`. */
export const briefSample = (forgery: Forgery = {}): Sample => makeSample(chainForgeries(brief, forgery))

export const briefPlaces = { CREATE: 0, RESPOND: 1, SUBMIT: 2, REVIEW: 3, ISSUE: 4 } as const

/** Steps directly before one of the brief result's events. */
export const beforeInBrief = (place: keyof typeof briefPlaces, ...steps: ReadonlyArray<Step>): Forgery => ({
  history: (events, agents) => {
    const index = briefPlaces[place]
    const time = events[index - 1]!["occurredAt"]
    events.splice(index, 0, ...steps.map((step) => stepAt(time, events[0]!, agents, step)))
  }
})

/** Composes forgeries in this order: each hook gets the result of the one before it, and the first signature counts. */
export const chainForgeries = (...forgeries: ReadonlyArray<Forgery>): Forgery => {
  const composed: { [hook: string]: unknown } = {}
  for (const [hook, next] of forgeries.flatMap((forgery) => Object.entries(forgery))) {
    const earlier = composed[hook]
    composed[hook] = typeof earlier === "function" ? join(hook, earlier as Hook, next as Hook) : next
  }
  return composed
}

type Hook = (value: unknown, ...rest: ReadonlyArray<unknown>) => unknown

const join =
  (hook: string, earlier: Hook, next: Hook): Hook =>
  (value, ...rest) => {
    const result = earlier(value, ...rest)
    if (hook.startsWith("sign")) return result ?? next(value, ...rest)
    if (hook === "later") return [result, next(value, ...rest)].flat()
    return next(result ?? value, ...rest) ?? result
  }

/** Updates the review after an edit of the submission: its digest, decisions and checked files. */
export const reviewAgain = (events: ReadonlyArray<Members>): void => {
  const submission = events.findLast((event) => event["kind"] === "SUBMIT")!["payload"]
  const review = events.findLast((event) => event["kind"] === "REVIEW")!["payload"]
  review.submissionId = submission.submissionId
  review.submissionDigest = digest(submission)
  review.decisions = submission.items.map(({ criterionId }: Members) => ({ criterionId, decision: "MET" }))
  review.checkedFiles = submission.items.flatMap(({ criterionId, files }: Members) =>
    files.map(({ name, sha256 }: Members) => ({ criterionId, name, sha256 }))
  )
}

const brief: Forgery = {
  agreement: ({ terms }) => {
    terms.criteria = [{ id: "c1", title: "Text", requirement: "A text" }]
  },
  history: (events) => {
    const [create, respond, , , submit, review] = events as [Members, Members, Members, Members, Members, Members]
    const { payload } = submit
    payload.previousSubmissionId = null
    payload.respondsToReviewId = null
    payload.items = payload.items.slice(0, 1)
    reviewAgain([submit, review])
    const history = [create, respond, submit, review]
    for (const event of history) event["actor"] = { ...event["actor"], execution: null }
    return history
  },
  // The sample adds the issuance by the buyer's agent; here a person issues.
  event: (event) => {
    if (event["kind"] === "ISSUE") event["actor"] = { ...event["actor"], execution: null }
  }
}
