/** The author publishes a version: the person under the author's own reference can read it and answer it from then on. */
import { Effect, Result, Schema } from "effect"
import { h } from "preact"
import { decodeForm } from "../form.ts"
import { paragraph, section } from "../parts.ts"
import { proposalActPages } from "../proposal-act.ts"
import { recipientOf } from "../proposal-identity.ts"
import { proposedTerms } from "../proposal-terms.ts"

export const publishPages = proposalActPages({
  act: "PUBLISH_PROPOSAL",
  operation: "publishProposalAsPerson",
  show: ({ seen }) => {
    const { version, publishedVersion } = seen.view.proposal
    return Effect.succeed({
      before: [
        section(
          "To whom",
          paragraph("It goes to ", recipientOf(seen), ", and to nobody else."),
          paragraph(
            "This person alone reads this version at the address of the proposal and can answer it, or lets an agent do so. Nobody is written to: give them the address yourself."
          ),
          publishedVersion === null
            ? null
            : paragraph(
                `Version ${publishedVersion} can be answered no more. Where it was published to another person, that person is shown nothing of the proposal from then on.`
              )
        ),
        section(
          "What is published",
          paragraph(
            `Version ${version}, with the digest `,
            h("code", null, seen.view.proposal.digest),
            ": all of this."
          ),
          proposedTerms(seen)
        )
      ],
      fields: null,
      submitLabel: `Publish version ${version}`
    })
  },
  read: ({ seen, requestId }, form) =>
    Effect.map(
      decodeForm(Nothing, form),
      Result.map(() => ({
        command: { kind: "PUBLISH" as const, input: { requestId, expectedVersion: seen.view.proposal.version } }
      }))
    )
})

const Nothing = Schema.Struct({})
