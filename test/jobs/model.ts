/** What saved jobs on one project come to, as a person would reckon it: no store, no digests, counters alone. */
import fc from "fast-check"

export const situations = ["FITS", "HEAD_MOVED", "REVISION_CHANGED", "APPLIES", "REPLACED"] as const
export type Situation = (typeof situations)[number]

export const happenings = [
  "PREPARE",
  "PREPARE_AGAIN",
  "SUBMIT",
  "SUBMIT_AND_LOSE_THE_ANSWER",
  "SUBMIT_DIRECTLY",
  "REVIEW",
  "PAUSE",
  "RESUME",
  "RENEW"
] as const
export type HappeningName = (typeof happenings)[number]

export interface Step {
  readonly name: HappeningName
  /** Which of the jobs, counted around. */
  readonly pick: number
  readonly review: "REQUEST_CHANGES" | "REQUEST_EVIDENCE"
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  name: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom("PREPARE", "REVIEW") },
    { weight: 1, arbitrary: fc.constantFrom("SUBMIT", "SUBMIT_AND_LOSE_THE_ANSWER", "PREPARE_AGAIN") },
    { weight: 2, arbitrary: fc.constantFrom(...happenings) }
  ),
  pick: fc.nat(100),
  review: fc.constantFrom("REQUEST_CHANGES", "REQUEST_EVIDENCE")
})

export const anyLife = fc.array(anyStep, { minLength: 16, maxLength: 28 })

export interface ModelJob {
  readonly head: number
  readonly revision: number
  /** The number of its submission among all of the project; null until there is one. */
  readonly submission: number | null
}

export interface Model {
  readonly state: "LOCKED" | "SUBMITTED" | "CHANGES_REQUESTED" | "AWAITING_EVIDENCE"
  readonly head: number
  readonly revision: number
  readonly isPaused: boolean
  readonly submissions: number
  readonly reviewed: string | null
  readonly jobs: ReadonlyArray<ModelJob>
}

export const locked: Model = {
  state: "LOCKED",
  head: 0,
  revision: 0,
  isPaused: false,
  submissions: 0,
  reviewed: null,
  jobs: []
}

export const situationOf = (job: ModelJob, { head, revision, submissions }: Model): Situation => {
  if (job.submission !== null) return job.submission === submissions ? "APPLIES" : "REPLACED"
  if (job.revision !== revision) return "REVISION_CHANGED"
  return job.head === head ? "FITS" : "HEAD_MOVED"
}

export interface Expected {
  readonly answer:
    | "DONE"
    | "AGAIN"
    | "AGENT_PAUSED"
    | "AGENT_CHANGED_REFRESH_REQUIRED"
    | "STALE_EVENT_HEAD"
    | "STATE_CONFLICT"
  readonly model: Model
}

/** What is answered, and how it stands after. A step that picks a job while there is none does nothing. */
export const expect = (model: Model, { name, pick, review }: Step): Expected | undefined => {
  const { jobs, isPaused } = model
  const index = jobs.length === 0 ? -1 : pick % jobs.length
  const refused = (answer: Expected["answer"]): Expected => ({ answer, model })
  switch (name) {
    case "PREPARE":
      if (isPaused) return refused("AGENT_PAUSED")
      return model.state === "SUBMITTED" ? refused("STATE_CONFLICT") : { answer: "DONE", model: withJob(model) }
    case "PREPARE_AGAIN":
      return index < 0 ? undefined : refused("AGAIN")
    case "SUBMIT":
    case "SUBMIT_AND_LOSE_THE_ANSWER":
      return index < 0 ? undefined : submitJob(model, index)
    case "SUBMIT_DIRECTLY":
      if (isPaused) return refused("AGENT_PAUSED")
      return model.state === "SUBMITTED" ? refused("STATE_CONFLICT") : { answer: "DONE", model: submitted(model) }
    case "REVIEW":
      if (isPaused) return refused("AGENT_PAUSED")
      return model.state === "SUBMITTED"
        ? { answer: "DONE", model: reviewedAs(model, review) }
        : refused("STATE_CONFLICT")
    case "PAUSE":
    case "RESUME":
      return isPaused === (name === "PAUSE")
        ? refused("STATE_CONFLICT")
        : { answer: "DONE", model: { ...model, isPaused: !isPaused, revision: model.revision + 1 } }
    case "RENEW":
      return { answer: "DONE", model }
  }
}

const withJob = (model: Model): Model => ({
  ...model,
  jobs: [...model.jobs, { head: model.head, revision: model.revision, submission: null }]
})

const submitJob = (model: Model, index: number): Expected => {
  const job = model.jobs[index]!
  if (job.submission !== null) return { answer: "AGAIN", model }
  if (model.isPaused) return { answer: "AGENT_PAUSED", model }
  if (job.revision !== model.revision) return { answer: "AGENT_CHANGED_REFRESH_REQUIRED", model }
  if (job.head !== model.head) return { answer: "STALE_EVENT_HEAD", model }
  const after = submitted(model)
  return {
    answer: "DONE",
    model: { ...after, jobs: after.jobs.with(index, { ...job, submission: after.submissions }) }
  }
}

const submitted = (model: Model): Model => ({
  ...model,
  state: "SUBMITTED",
  head: model.head + 1,
  submissions: model.submissions + 1,
  reviewed: null
})

const reviewedAs = (model: Model, review: Step["review"]): Model => ({
  ...model,
  state: review === "REQUEST_CHANGES" ? "CHANGES_REQUESTED" : "AWAITING_EVIDENCE",
  head: model.head + 1,
  reviewed: review
})
