/** The texts of a proposal's history. */
import type { ProposalEvent } from "../../proposals/event.ts"
import { actorText, historyList } from "../commands/event-list.ts"
import { untrustedLines, type Content, type Element } from "../kit/html.ts"
import { linkTo } from "../kit/parts.ts"
import { personOf } from "../projects/identity.ts"
import type { ProposalPageModel } from "./read-model.ts"
import { answerLabels } from "./labels.ts"

/** These events, oldest first as they are given, newest first as they are shown. */
export const proposalTimeline = (model: ProposalPageModel, events: ReadonlyArray<ProposalEvent>): Element =>
  historyList(
    events.toReversed().map((event) => ({
      at: event.occurredAt,
      actor: [
        actorText(event, model.nameOf),
        event.actor.role === "SUPPLIER" ? " for the author" : " as the recipient"
      ],
      text: eventText(event, model),
      reason: event.kind === "RESPOND" ? untrustedLines(event.payload.reason) : null
    }))
  )

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
        `${answerLabels[action].outcome} in version ${version}`,
        agreement === undefined
          ? null
          : ["; it became ", linkTo(`/workspace/projects/${agreement.projectId}`, agreement.projectId)]
      ]
    }
  }
}
