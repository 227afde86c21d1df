/** The history of a proposal, newest first, with actor, party and reason. */
import { h } from "preact"
import type { ProposalEvent } from "../../proposals/event.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import { linkTo, paragraph, time } from "../kit/parts.ts"
import { personOf } from "../projects/identity.ts"
import type { ProposalPageModel } from "./read-model.ts"
import { answerOutcomeTexts } from "./labels.ts"

/** Renders these events; the list numbers are their positions in the history visible to the viewer. */
export const proposalTimeline = (model: ProposalPageModel, events: ReadonlyArray<ProposalEvent>): Element =>
  h(
    "ol",
    { reversed: true },
    events
      .toReversed()
      .map((event) =>
        h(
          "li",
          { value: model.events.indexOf(event) + 1 },
          paragraph(time(event.occurredAt), ": ", actorText(event, model), " ", eventText(event, model), "."),
          event.kind === "RESPOND" ? untrustedLines(event.payload.reason) : null
        )
      )
  )

const actorText = ({ actor }: ProposalEvent, { nameOf }: ProposalPageModel): Content => [
  actor.execution === null ? null : "an agent of ",
  untrusted(nameOf(actor.id)),
  actor.role === "SUPPLIER" ? " for the author" : " as the recipient"
]

const eventText = (event: ProposalEvent, { nameOf }: ProposalPageModel): Content => {
  switch (event.kind) {
    case "CREATE":
      return "wrote the proposal"
    case "UPDATE":
      return `wrote version ${event.payload.version}`
    case "PUBLISH":
      return [`published version ${event.payload.version} to `, personOf(event.payload.recipientActorId, nameOf)]
    case "WITHDRAW":
      return "withdrew the proposal"
    case "RESPOND": {
      const { action, version, agreement } = event.payload
      return [
        `${answerOutcomeTexts[action]} in version ${version}`,
        agreement === undefined
          ? null
          : ["; it became ", linkTo(`/workspace/projects/${agreement.projectId}`, agreement.projectId)]
      ]
    }
  }
}
