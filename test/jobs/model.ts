/** A model of the saved jobs on one project that consists of counters: no store and no digests. */
import fc from "fast-check"

export const jobStatuses = ["CURRENT", "HEAD_MOVED", "REVISION_CHANGED", "APPLIES", "REPLACED"] as const
export type JobStatus = (typeof jobStatuses)[number]

export const operationNames = [
  "PREPARE",
  "RETRY_PREPARE",
  "SUBMIT",
  "SUBMIT_WITH_LOST_RESPONSE",
  "SUBMIT_DIRECTLY",
  "REVIEW",
  "PAUSE",
  "RESUME",
  "RENEW"
] as const
export type OperationName = (typeof operationNames)[number]

export interface Step {
  readonly name: OperationName
  /** The index of the job, modulo the number of jobs. */
  readonly pick: number
  readonly review: "REQUEST_CHANGES" | "REQUEST_EVIDENCE"
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  name: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom("PREPARE", "REVIEW") },
    { weight: 1, arbitrary: fc.constantFrom("SUBMIT", "SUBMIT_WITH_LOST_RESPONSE", "RETRY_PREPARE") },
    { weight: 2, arbitrary: fc.constantFrom(...operationNames) }
  ),
  pick: fc.nat(100),
  review: fc.constantFrom("REQUEST_CHANGES", "REQUEST_EVIDENCE")
})

export const arbitraryInterleaving = fc.array(anyStep, { minLength: 16, maxLength: 28 })

export interface ModelJob {
  readonly head: number
  readonly revision: number
  /** The number of its submission in the project; null while it is not submitted. */
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

export const jobStatusOf = (job: ModelJob, { head, revision, submissions }: Model): JobStatus => {
  if (job.submission !== null) return job.submission === submissions ? "APPLIES" : "REPLACED"
  if (job.revision !== revision) return "REVISION_CHANGED"
  return job.head === head ? "CURRENT" : "HEAD_MOVED"
}

export interface ExpectedOutcome {
  readonly answer:
    | "DONE"
    | "REPLAYED"
    | "AGENT_PAUSED"
    | "AGENT_CHANGED_REFRESH_REQUIRED"
    | "STALE_EVENT_HEAD"
    | "STATE_CONFLICT"
  readonly model: Model
}

/** The outcome and the model after a step; undefined for a step on a job while there is none. */
export const expectedOutcome = (model: Model, { name, pick, review }: Step): ExpectedOutcome | undefined => {
  const { jobs, isPaused } = model
  const index = jobs.length === 0 ? -1 : pick % jobs.length
  const refused = (answer: ExpectedOutcome["answer"]): ExpectedOutcome => ({ answer, model })
  switch (name) {
    case "PREPARE":
      if (isPaused) return refused("AGENT_PAUSED")
      return model.state === "SUBMITTED" ? refused("STATE_CONFLICT") : { answer: "DONE", model: withJob(model) }
    case "RETRY_PREPARE":
      return index < 0 ? undefined : refused("REPLAYED")
    case "SUBMIT":
    case "SUBMIT_WITH_LOST_RESPONSE":
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

const submitJob = (model: Model, index: number): ExpectedOutcome => {
  const job = model.jobs[index]!
  if (job.submission !== null) return { answer: "REPLAYED", model }
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
