/** The texts of a project's history. */
import { h } from "preact"
import type { ProjectEvent } from "../../projects/event.ts"
import { eventList } from "../commands/event-list.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import { linkTo } from "../kit/parts.ts"
import type { ProjectPageModel } from "./read-model.ts"
import { concernLabels, purposeLabels, reviewOutcomeTexts } from "./labels.ts"
import { roleLabels } from "../kit/labels.ts"

/** Renders these events; the list numbers are their sequence numbers. */
export const timeline = (model: ProjectPageModel, events: ReadonlyArray<ProjectEvent>): Element =>
  eventList(events, model.nameOf, (event) => ({
    number: event.sequence,
    party: ` for the ${roleLabels[event.actor.role].toLowerCase()}`,
    text: eventText(event, model),
    reason: reasonOf(event)
  }))

const eventText = (event: ProjectEvent, { nameOf }: ProjectPageModel): Content => {
  switch (event.kind) {
    case "CREATE":
      return event.payload.proposalDigest === undefined
        ? "made the agreement"
        : "accepted the supplier’s proposal, which made the agreement"
    case "INVITATION_ACCEPTED":
      return "accepted the invitation to supply"
    case "RESPOND":
      return responseTexts[event.payload.action]
    case "SIGN":
      return event.payload.signature.method === "NATIVE"
        ? "signed the agreement"
        : "recorded the evidence of the agreement’s signature"
    case "SUBMIT":
      return `delivered, naming ${count(event.payload.items.flatMap(({ files }) => files).length, "file")}`
    case "REVIEW":
      return reviewOutcomeTexts[event.payload.action]
    case "ISSUE":
      return ["had the record issued: ", h("code", null, event.payload.recordId)]
    case "DATE_REVISION":
      return `requested another date for the ${purposeLabels[event.payload.purpose]}`
    case "LIFT_HOLD":
      return `resumed the ${purposeLabels[event.payload.purpose]} under the agreed dates`
    case "CONCERN":
      return `raised a concern about the acceptance: ${concernLabels[event.payload.kind].toLowerCase()}`
    case "RESOLVE_CONCERN":
      return event.payload.resolution === "DISMISSED"
        ? "dismissed the concern"
        : "upheld the concern, which withdrew the acceptance"
    case "WITHDRAW_CONFIRMATION":
      return "withdrew the acceptance"
    case "CHANGE_REPRESENTATIVE":
      return [
        "named ",
        untrusted(nameOf(event.payload.supplierActorId)),
        " as representative, replacing ",
        untrusted(nameOf(event.payload.previousActorId))
      ]
    case "SUPERSEDE":
      return [
        "replaced this agreement by another one: ",
        linkTo(`/workspace/projects/${event.payload.successor.projectId}`, event.payload.successor.projectId)
      ]
  }
}

const responseTexts = {
  ACCEPT: "accepted the terms",
  REQUEST_CHANGES: "requested other terms",
  DECLINE: "declined the terms"
} as const

const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? "" : "s"}`

const reasonOf = (event: ProjectEvent): Content => {
  if (event.kind === "SUBMIT") return untrustedLines(event.payload.summary)
  return "reason" in event.payload ? untrustedLines(event.payload.reason) : null
}
