/** Requests another date, which holds delivery or review, and lifts that hold. */
import { Layer } from "effect"
import type { State } from "../../projects/project.ts"
import { liftHold } from "../../projects/commands/lift-hold.ts"
import { canMove } from "../../projects/moves.ts"
import type { Element } from "../kit/html.ts"
import { facts, time } from "../kit/parts.ts"
import { reasonField, readByOtherParty } from "../commands/fields.ts"
import { warnings } from "./delivery.ts"
import { purposeLabels } from "./labels.ts"
import type { ProjectPageModel } from "./read-model.ts"
import { projectCommand } from "./subject.ts"

const agreedDates = ({ project: { agreement } }: ProjectPageModel): Element =>
  facts([
    ["Delivered until", time(agreement.terms.deadline)],
    ["Reviewed until", time(agreement.terms.reviewDeadline)]
  ])

/** The purpose of the request follows from the state. */
const purposeIn = (state: State) => (canMove(state, "HOLD_REVIEW") ? "REVIEW" : "DELIVERY")

const request = projectCommand({
  acts: ["REQUEST_DATE_CHANGE"],
  operation: "requestDateChange",
  acknowledgement: {
    did: "You requested another date.",
    next: "Delivery and review are on hold until people revise the terms or lift the request."
  },
  fields: () => ({
    reason: reasonField("State the date that you need, and why. The other party reads it, and it stays in the history.")
  }),
  show: ({ model }, { reason }) => ({
    before: [
      `This holds the ${purposeLabels[purposeIn(model.project.state)]} for people and agents of both parties until the terms are revised with other dates or a person lifts it. The agreed dates remain in force.`,
      agreedDates(model)
    ],
    fields: reason
  }),
  command: ({ requestId, expectedHead: expectedEventHash, model: { project } }, { reason }) => ({
    kind: "DATE_REVISION",
    input: {
      requestId,
      expectedEventHash,
      agreementDigest: project.agreementDigest,
      purpose: purposeIn(project.state),
      reason
    }
  })
})

const lift = projectCommand({
  acts: [liftHold.kind],
  operation: "liftHold",
  acknowledgement: {
    did: "You lifted the request for another date.",
    next: "The work continues under the agreed dates."
  },
  fields: () => ({ reason: reasonField(readByOtherParty) }),
  show: ({ model }, { reason }) => ({ before: [warnings(model), agreedDates(model)], fields: reason }),
  command: ({ requestId, model: { project } }, { reason }) => ({
    kind: liftHold.kind,
    input: { requestId, agreementDigest: project.agreementDigest, reason }
  })
})

export const datePages = Layer.mergeAll(request, lift)
