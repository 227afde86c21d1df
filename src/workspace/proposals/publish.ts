/** Publishes a version: its recipient can read and answer it from then on. */
import { Effect, Result, Schema } from "effect"
import { h } from "preact"
import { decodeForm } from "../kit/form.ts"
import { paragraph, section } from "../kit/parts.ts"
import { proposalCommandPage } from "./command-page.ts"
import { recipientOf } from "./identity.ts"
import { proposalTermsFacts } from "./terms.ts"

export const publishPages = proposalCommandPage({
  act: "PUBLISH_PROPOSAL",
  operation: "publishProposalAsPerson",
  show: ({ model }) => {
    const { version, publishedVersion } = model.view.proposal
    return Effect.succeed({
      before: [
        section(
          "To whom",
          paragraph("It is published to ", recipientOf(model), " only."),
          paragraph(
            "Only this person can read this version at the URL of the proposal and answer it, in person or by an agent. No message is sent: give them the URL yourself."
          ),
          publishedVersion === null
            ? null
            : paragraph(
                `Version ${publishedVersion} can no longer be answered. If it was published to another person, that person loses access to the proposal.`
              )
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
    })
  },
  read: ({ model, requestId }, form) =>
    Effect.map(
      decodeForm(NoFields, form),
      Result.map(() => ({
        command: { kind: "PUBLISH" as const, input: { requestId, expectedVersion: model.view.proposal.version } }
      }))
    )
})

const NoFields = Schema.Struct({})
