/** Publishes a version: its recipient can read and answer it from then on. */
import { h } from "preact"
import { paragraph, section } from "../kit/parts.ts"
import { recipientOf } from "./identity.ts"
import { proposalCommand } from "./subject.ts"
import { proposalTermsFacts } from "./terms.ts"

export const publishPages = proposalCommand({
  acts: ["PUBLISH_PROPOSAL"],
  operation: "publishProposalAsPerson",
  acknowledgement: {
    did: "You published this version.",
    next: "The recipient can read and answer it now: give them the URL below."
  },
  fields: () => ({}),
  show: ({ model }) => {
    const { version, publishedVersion } = model.view.proposal
    return {
      before: [
        section(
          "To whom",
          paragraph("It is published to ", recipientOf(model), " only."),
          "Only this person can read this version at the URL of the proposal and answer it, in person or by an agent. No message is sent: give them the URL yourself.",
          publishedVersion === null
            ? null
            : `Version ${publishedVersion} can no longer be answered. If it was published to another person, that person loses access to the proposal.`
        ),
        section(
          "What is published",
          paragraph(
            `Version ${version}, with the digest `,
            h("code", null, model.view.proposal.digest),
            ": all of this."
          ),
          proposalTermsFacts(model)
        )
      ],
      fields: null,
      submitLabel: `Publish version ${version}`
    }
  },
  command: ({ model, requestId }) => ({
    kind: "PUBLISH",
    input: { requestId, expectedVersion: model.view.proposal.version }
  })
})
