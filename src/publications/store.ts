/** The tables of publications and of their subjects. */
import type { Role } from "../access/actions.ts"
import { instant, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { PublicationState } from "./publication.ts"

/** The public id of a supplier's organization, made with its first publication; two first ones may race. */
export const ProviderSubjects = table("provider_subjects", {
  columns: { organizationId: text(), subjectId: text(), createdAt: instant },
  key: ["organizationId"],
  guard: "append-only",
  unique: { bySubject: ["subjectId"] },
  raced: true
})

/** Signed summaries are stored and never signed again. */
export const Publications = table("publications", {
  columns: {
    publicationId: text(),
    projectId: text(),
    buyerOrganizationId: text(),
    subjectId: text(),
    recordId: text(),
    state: text<PublicationState>(),
    /** The digest of the summary's payload. */
    digest: text(),
    /** The summary as compact JWS. */
    summary: text(),
    completionTime: instant,
    proposedBy: text(),
    proposedAt: instant,
    approvedBy: nullable(text()),
    approvedAt: nullable(instant),
    withdrawnBy: nullable(text()),
    withdrawnSide: nullable(text<Role>()),
    withdrawnAt: nullable(instant),
    withdrawnReason: nullable(text())
  },
  key: ["publicationId"],
  guard: { lock: "project", by: "projectId" },
  ordered: {
    byProject: ["projectId", "proposedAt", "publicationId"],
    bySubject: ["subjectId", "state", "completionTime", "publicationId"],
    byBuyer: ["buyerOrganizationId", "state", "proposedAt", "publicationId"]
  }
})

export type SubjectRow = RowOf<typeof ProviderSubjects>
export type PublicationRow = RowOf<typeof Publications>
