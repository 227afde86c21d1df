/**
 * A small result: people only, one criterion, one file, five events from the creation to the issuance. It verifies, and
 * a case that needs no agents and no second submission is made from it, so that the corpus stays small.
 */
import { type Step, stepAt } from "../life.ts"
import { type Forgery, makeSample, type Sample } from "../sample.ts"
import { digest, type Members } from "../signing.ts"

/** The brief result with this forgery; the places of its events are `briefPlaces`. */
export const briefSample = (forgery: Forgery = {}): Sample => makeSample(oneAfterAnother(brief, forgery))

export const briefPlaces = { CREATE: 0, RESPOND: 1, SUBMIT: 2, REVIEW: 3, ISSUE: 4 } as const

/** Steps directly before one of the brief result's events. */
export const beforeInBrief = (place: keyof typeof briefPlaces, ...steps: ReadonlyArray<Step>): Forgery => ({
  history: (events, agents) => {
    const index = briefPlaces[place]
    const time = events[index - 1]!["occurredAt"]
    events.splice(index, 0, ...steps.map((step) => stepAt(time, events[0]!, agents, step)))
  }
})

/** Forgeries in this order: each hook meets what the one before it left, and the first signature counts. */
export const oneAfterAnother = (...forgeries: ReadonlyArray<Forgery>): Forgery => {
  const joined: { [hook: string]: unknown } = {}
  for (const [hook, next] of forgeries.flatMap((forgery) => Object.entries(forgery))) {
    const earlier = joined[hook]
    joined[hook] = typeof earlier === "function" ? join(hook, earlier as Hook, next as Hook) : next
  }
  return joined
}

type Hook = (value: unknown, ...rest: ReadonlyArray<unknown>) => unknown

const join =
  (hook: string, earlier: Hook, next: Hook): Hook =>
  (value, ...rest) => {
    const left = earlier(value, ...rest)
    if (hook.startsWith("sign")) return left ?? next(value, ...rest)
    if (hook === "later") return [left, next(value, ...rest)].flat()
    return next(left ?? value, ...rest) ?? left
  }

/** After a change to what was submitted, the review speaks of it again: its digest and the files it checked. */
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
    const kept = [create, respond, submit, review]
    for (const event of kept) event["actor"] = { ...event["actor"], execution: null }
    return kept
  },
  // The sample adds the issuance itself, by the buyer's agent.
  event: (event) => {
    if (event["kind"] === "ISSUE") event["actor"] = { ...event["actor"], execution: null }
  }
}
