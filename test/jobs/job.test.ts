import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { envelopeOn, isJobId, jobStatusOn, type JobInput } from "../../src/jobs/job.ts"
import type { JobRow } from "../../src/jobs/store.ts"
import { projectCommands } from "../../src/projects/command-wire.ts"
import { states, type Project } from "../../src/projects/project.ts"
import { dayOne, projectIn } from "../support/project.ts"
import { digestOfCharacter, uuidOf } from "../support/project-people.ts"
import { rowFor } from "../support/project-row.ts"

const input: JobInput = {
  requestId: "11111111-1111-4111-8111-111111111111",
  projectId: `delivery_${uuidOf(1)}`,
  workflowReference: "workflow 7",
  summary: "The logo.",
  materials: [
    {
      criterionId: "vector",
      summary: "One SVG.",
      references: ["ticket 4"],
      files: [{ name: "logo.svg", reference: "folder/logo.svg", size: 41, sha256: digestOfCharacter("a") }]
    }
  ]
}

const stored = (project: Project) => ({ project, row: rowFor(project, { automationRevision: 3 }) })

describe("envelope of a saved job", () => {
  it.each(states)(
    "The envelope of a job in %s holds the project's preconditions and is a valid submission body.",
    (state) => {
      const project = projectIn(state)
      const envelope = envelopeOn(stored(project), input)
      assert.deepStrictEqual(envelope, {
        expectedEventHash: project.head,
        automationRevision: 3,
        input: {
          requestId: input.requestId,
          agreementDigest: project.agreementDigest,
          previousSubmissionId: project.submission?.submissionId ?? null,
          respondsToReviewId: project.review?.reviewId ?? null,
          summary: input.summary,
          items: input.materials
        }
      })
      const decode = Schema.decodeUnknownSync(projectCommands.submit.agent.payload, { onExcessProperty: "error" })
      if (project.submission === null) assert.deepStrictEqual(decode(envelope), envelope)
    }
  )
})

const job: JobRow = {
  jobId: `job_${uuidOf(1)}`,
  grantId: `grant_${uuidOf(1)}`,
  projectId: input.projectId,
  sequence: 1,
  workflowReference: input.workflowReference,
  requestId: input.requestId,
  envelopeDigest: digestOfCharacter("e"),
  expectedEventHash: digestOfCharacter("f"),
  automationRevision: 0,
  state: "PREPARED",
  preparedAt: dayOne,
  submittedAt: null,
  submissionId: null
}

const submittedAs = (submissionId: string): JobRow => ({
  ...job,
  state: "SUBMITTED",
  submittedAt: dayOne,
  submissionId
})

describe("status of a saved job", () => {
  it.each(states)("A job that was not submitted has no decision in %s.", (state) => {
    const status = jobStatusOn(job, projectIn(state))
    assert.deepStrictEqual(status, { projectState: state, appliesToSavedSubmission: false, decision: null })
  })

  it.each(states)("A submitted job reports its own submission and its decision in %s.", (state) => {
    const project = projectIn(state)
    const status = jobStatusOn(submittedAs(project.submission?.submissionId ?? `submission_${uuidOf(9)}`), project)
    assert.strictEqual(status.appliesToSavedSubmission, project.submission !== null)
    assert.strictEqual(status.decision, project.review)
  })

  it.each(states)("A job whose submission was replaced has no decision in %s.", (state) => {
    const status = jobStatusOn(submittedAs(`submission_${uuidOf(9)}`), projectIn(state))
    assert.deepStrictEqual(status, { projectState: state, appliesToSavedSubmission: false, decision: null })
  })
})

it("A job id has exactly one form.", () => {
  const id = "job_11111111-1111-4111-8111-111111111111"
  assert.isTrue(isJobId(id))
  for (const other of ["", "job_", "job_1", id.toUpperCase(), ` ${id}`, `${id}0`, id.replace("-4", "-1"), `${id}\n`]) {
    assert.isFalse(isJobId(other), other)
  }
})
