/** The tables of saved jobs: one submission each, stored until an agent sends it. */
import { instant, integer, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { CanonicalText } from "../canonical/jcs.ts"
import type { SubmissionEnvelope } from "../projects/prepare-submission.ts"

export const Jobs = table("jobs", {
  columns: {
    jobId: text(),
    /** The grant lineage that prepared it: a renewal keeps it, a new grant does not see it. */
    grantId: text(),
    projectId: text(),
    /** Counts the jobs of the grant from 1. */
    sequence: integer,
    workflowReference: text(),
    /** The request id of its submission. */
    requestId: text(),
    envelopeDigest: text(),
    expectedEventHash: text(),
    automationRevision: integer,
    state: text<"PREPARED" | "SUBMITTED">(),
    preparedAt: instant,
    submittedAt: nullable(instant),
    submissionId: nullable(text())
  },
  key: ["jobId"],
  guard: { lock: "project", by: "projectId" },
  ordered: { byProject: ["grantId", "projectId", "sequence", "jobId"] }
})

/** Separate from the jobs: an envelope can be as large as a body, and listing jobs reads none. */
export const JobEnvelopes = table("job_envelopes", {
  columns: {
    jobId: text(),
    /** Canonical: hashed bytes stay text. */
    envelope: text<CanonicalText<SubmissionEnvelope>>()
  },
  key: ["jobId"],
  guard: "append-only"
})

export type JobRow = RowOf<typeof Jobs>
