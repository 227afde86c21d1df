/** A buyer's agent after an accepted delivery: it has the result record issued, once, and waits until it is. */
import type { Countersign, Decision } from "../../clients/typescript/client.ts"
import type { ProjectView } from "../../clients/typescript/person.ts"

export const issueRecord = async (client: Countersign, projectId: string): Promise<void> => {
  let hasTold = false
  for (;;) {
    const { project } = await client.readProject(projectId)
    const { continuation, fundingUrl, status } = project.recordIssuance
    if (status === "ISSUED") return
    if (status === "STOPPED")
      return client.options.person.tell("The record was stopped. Please decide how to continue.")
    if (status === "NOT_REQUESTED" && project.confirmation !== null) {
      await client.commandOrWait(projectId, "issue-record", issuanceOf)
      continue
    }
    // The service issues it once there is a credit; another request would be refused.
    if (continuation === "WAITING_COVERAGE" && !hasTold) {
      hasTold = true
      await client.options.person.tell("The record waits for a result credit.", fundingUrl)
    }
    await client.waitForNews(900)
  }
}

const issuanceOf = ({ project }: ProjectView): Decision<"issue-record"> | undefined =>
  project.recordIssuance.status !== "NOT_REQUESTED" || project.confirmation === null
    ? undefined
    : {
        agreementDigest: project.agreement.digest,
        expectedEventHash: project.headEventHash,
        confirmationId: project.confirmation.id,
        maxCredits: 1,
        reason: "The record of the accepted delivery.",
        ...(project.confirmations.issuance && { confirmationDigest: project.confirmations.issuance.digest })
      }
