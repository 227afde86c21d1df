/** Confirmations before a binding act: its exact effect, the legal documents and the subject. */
import { digestOf } from "../canonical/digest.ts"
import type { LegalDocument } from "./terms.ts"
import type { Project } from "./project.ts"

export const confirmationOperations = ["AGREEMENT", "RESPOND", "ACCEPTANCE", "ISSUANCE"] as const
export type ConfirmationOperation = (typeof confirmationOperations)[number]

/** The sentence that the digest covers; it is part of the protocol and never rephrased. */
const effects: { readonly [O in ConfirmationOperation]: string } = {
  AGREEMENT:
    "Creates a buyer agreement with these exact terms and names its supplier. It is sent, not a private draft.",
  RESPOND: "Answers these exact terms for the supplier. An acceptance locks them for both sides.",
  ACCEPTANCE:
    "Accepts this exact submission as complete: every criterion is met, and each listed original was opened where the agreement says and has the listed digest.",
  ISSUANCE: "Issues the result record of this acceptance and consumes one existing result credit."
}

type Subject = null | { readonly [member: string]: string }

export interface Confirmation {
  readonly operation: ConfirmationOperation
  readonly effect: string
  readonly documents: ReadonlyArray<LegalDocument>
  readonly digest: string
}

/** The confirmation of one operation on one subject, with the digest that a command must carry. */
export const confirmationOf = (
  operation: ConfirmationOperation,
  documents: ReadonlyArray<LegalDocument>,
  subject: Subject
): Confirmation => {
  const effect = effects[operation]
  return { operation, effect, documents, digest: digestOf({ operation, effect, documents, subject }) }
}

export const confirmAgreement = (documents: ReadonlyArray<LegalDocument>) =>
  confirmationOf("AGREEMENT", documents, null)

const documentsOf = (project: Project) => project.agreement.terms.legalContext.documents

export const confirmRespond = (project: Project) =>
  confirmationOf("RESPOND", documentsOf(project), { agreementDigest: project.agreementDigest })

export const confirmAcceptance = (
  project: Project,
  submission: { readonly submissionId: string; readonly digest: string }
) =>
  confirmationOf("ACCEPTANCE", documentsOf(project), {
    agreementDigest: project.agreementDigest,
    submissionId: submission.submissionId,
    submissionDigest: submission.digest
  })

export const confirmIssuance = (project: Project, confirmation: { readonly confirmationId: string }) =>
  confirmationOf("ISSUANCE", documentsOf(project), {
    agreementDigest: project.agreementDigest,
    confirmationId: confirmation.confirmationId
  })

/** The confirmations that the project's state allows now (2.4). */
export const openConfirmations = (project: Project) => ({
  ...(project.state === "AWAITING_SUPPLIER" ? { respond: confirmRespond(project) } : {}),
  ...(project.state === "SUBMITTED" && project.submission !== null
    ? { acceptance: confirmAcceptance(project, project.submission) }
    : {}),
  ...(project.state === "BUYER_CONFIRMED" && project.confirmation !== null && project.recordId === null
    ? { issuance: confirmIssuance(project, project.confirmation) }
    : {})
})
