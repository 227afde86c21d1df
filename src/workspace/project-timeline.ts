/** What happened on a project: who did what and when, newest first, with the reason that was given. */
import { h } from "preact"
import type { ProjectEvent } from "../projects/event.ts"
import { untrusted, untrustedLines, type Content, type Element } from "./html.ts"
import { linkTo, paragraph, time } from "./parts.ts"
import type { SeenProject } from "./project-seen.ts"
import { concernWords, purposeWords, reviewedWords } from "./project-words.ts"
import { roleWords } from "./words.ts"

/** These events of the project; the numbers are their places in its history. */
export const timeline = (seen: SeenProject, events: ReadonlyArray<ProjectEvent>): Element =>
  h(
    "ol",
    { reversed: true },
    events
      .toReversed()
      .map((event) =>
        h(
          "li",
          { value: event.sequence },
          paragraph(time(event.occurredAt), ": ", whoOf(event, seen), " ", whatOf(event, seen), "."),
          reasonOf(event)
        )
      )
  )

/** The name is the one that the person has here; the side and the agent are ours to say. */
const whoOf = ({ actor }: ProjectEvent, { nameOf }: SeenProject): Content => [
  actor.execution === null ? null : "an agent of ",
  untrusted(nameOf(actor.id)),
  ` for the ${roleWords[actor.role].toLowerCase()}`
]

const whatOf = (event: ProjectEvent, { nameOf }: SeenProject): Content => {
  switch (event.kind) {
    case "CREATE":
      return event.payload.proposalDigest === undefined
        ? "made the agreement"
        : "accepted the supplier’s proposal, which made the agreement"
    case "INVITATION_ACCEPTED":
      return "accepted the invitation to supply"
    case "RESPOND":
      return responded[event.payload.action]
    case "SIGN":
      return event.payload.signature.method === "NATIVE"
        ? "signed the agreement"
        : "recorded where the agreement was signed"
    case "SUBMIT":
      return `delivered, naming ${count(event.payload.items.flatMap(({ files }) => files).length, "file")}`
    case "REVIEW":
      return reviewedWords[event.payload.action]
    case "ISSUE":
      return ["had the record issued: ", h("code", null, event.payload.recordId)]
    case "DATE_REVISION":
      return `asked for another date for the ${purposeWords[event.payload.purpose]}`
    case "LIFT_HOLD":
      return `let the ${purposeWords[event.payload.purpose]} go on under the agreed dates`
    case "CONCERN":
      return `raised a concern about the acceptance: ${concernWords[event.payload.kind].toLowerCase()}`
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
        " as representative in the place of ",
        untrusted(nameOf(event.payload.previousActorId))
      ]
    case "SUPERSEDE":
      return [
        "put another agreement in the place of this one: ",
        linkTo(`/workspace/projects/${event.payload.successor.projectId}`, event.payload.successor.projectId)
      ]
  }
}

const responded = {
  ACCEPT: "accepted the terms",
  REQUEST_CHANGES: "asked for other terms",
  DECLINE: "declined the terms"
} as const

const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? "" : "s"}`

const reasonOf = (event: ProjectEvent): Content => {
  if (event.kind === "SUBMIT") return untrustedLines(event.payload.summary)
  return "reason" in event.payload ? untrustedLines(event.payload.reason) : null
}
