/** A request for every act that a view can list, by agents and by people, with input that fits the view. */
import type { Act } from "../../../src/projects/moves.ts"
import { concernKinds } from "../../../src/projects/event.ts"
import { addMilliseconds, type Instant } from "../../../src/vocabulary/instant.ts"
import { asJson, isObject, type Json, type JsonObject, valueAt } from "../../vocabulary/json.ts"

/** One request for an act. */
export interface SampleAction {
  readonly act: Act
  /** The decision, if the act offers several. */
  readonly decision: string | null
  /** Undefined if only people may do it. */
  readonly byAgent: string | undefined
  readonly byPerson: string
  readonly input: (view: JsonObject, now: Instant) => JsonObject
}

const reason = { reason: "Tried." }

const move = (
  act: Act,
  [byPerson, byAgent]: readonly [byPerson: string, byAgent?: string],
  input: SampleAction["input"] = () => reason,
  decision: string | null = null
): SampleAction => ({ act, decision, byAgent, byPerson, input })

const answers = ["ACCEPT", "REQUEST_CHANGES", "DECLINE"] as const

export const sampleProjectActions: ReadonlyArray<SampleAction> = [
  ...answers.map((action) =>
    move("RESPOND_TERMS", ["respondAsPerson", "respond"], () => ({ action, ...reason }), action)
  ),
  move("SIGN_AGREEMENT", ["signAgreement"]),
  move("SUBMIT_MATERIALS", ["submitAsPerson", "submit"], (view) => delivery(view)),
  ...(["REQUEST_CHANGES", "REQUEST_EVIDENCE", "REJECT"] as const).map((action) =>
    move("REVIEW_DELIVERY", ["reviewAsPerson", "review"], (view) => review(view, action), action)
  ),
  move("CONFIRM_COMPLETION", ["reviewAsPerson", "review"], (view) => review(view, "ACCEPT"), "ACCEPT"),
  move("ISSUE_RESULT_RECORD", ["issueRecordAsPerson", "issueRecord"]),
  move("REQUEST_DATE_CHANGE", ["requestDateChange", "dateRevision"], (view) => ({
    purpose: valueAt(view, "project.state") === "SUBMITTED" ? "REVIEW" : "DELIVERY",
    ...reason
  })),
  move("LIFT_HOLD", ["liftHold"]),
  move("RAISE_CONCERN", ["raiseConcern", "concern"], () => ({ kind: concernKinds[0], ...reason })),
  move("DISMISS_CONCERN", ["resolveConcern"], () => ({ resolution: "DISMISSED", ...reason })),
  move("UPHOLD_CONCERN", ["resolveConcern"], () => ({ resolution: "UPHELD", ...reason })),
  move("WITHDRAW_CONFIRMATION", ["withdrawConfirmation"]),
  move("REVISE_AGREEMENT", ["reviseProject"], (view, now) => ({ terms: futureDates(view, now), ...reason }))
]

export const sampleProposalActions: ReadonlyArray<SampleAction> = [
  move("UPDATE_PROPOSAL", ["updateAsPerson", "updateProposal"], () => ({ terms: { scope: "Another scope." } })),
  move("PUBLISH_PROPOSAL", ["publishAsPerson", "publishProposal"], () => ({})),
  ...answers.map((action) =>
    move("RESPOND_PROPOSAL", ["answerProposal", "respondProposal"], () => ({ action, ...reason }), action)
  ),
  move("WITHDRAW_PROPOSAL", ["withdrawAsPerson", "withdrawProposal"], () => ({}))
]

/** The terms of an agreement with every date in the future. */
export const futureDates = (view: JsonObject, now: Instant): JsonObject => {
  const inDays = (count: number) => addMilliseconds(now, count * 86_400_000)
  const signing = valueAt(view, "project.agreement.signing")
  return {
    deadline: inDays(30),
    reviewDeadline: inDays(40),
    ...(valueAt(view, "project.agreement.retainUntil") === undefined ? {} : { retainUntil: inDays(400) }),
    ...(isObject(signing)
      ? { signing: asJson({ ...signing, agreementSignBy: inDays(20), acceptanceSignBy: inDays(50) }) }
      : {})
  }
}

const criterionIds = (view: JsonObject): ReadonlyArray<Json> => {
  const criteria = valueAt(view, "project.agreement.criteria")
  return Array.isArray(criteria) ? criteria.map((one: Json) => valueAt(one, "id") ?? null) : []
}

const delivery = (view: JsonObject): JsonObject => {
  const hasFiles = valueAt(view, "project.agreement.materialPolicy") === "FILE_DIGESTS"
  const file = { name: "chart.pdf", reference: "folder", size: 1, sha256: "6".repeat(64) }
  return {
    summary: "Tried.",
    items: criterionIds(view).map((criterionId) => ({
      criterionId,
      summary: "Tried.",
      references: hasFiles ? [] : ["folder"],
      files: hasFiles ? [file] : []
    }))
  }
}

const review = (view: JsonObject, action: string): JsonObject => ({
  action,
  ...reason,
  decisions: criterionIds(view).map((criterionId) => ({
    criterionId,
    decision: action === "ACCEPT" ? "MET" : action === "REQUEST_EVIDENCE" ? "EVIDENCE_NEEDED" : "NOT_MET"
  })),
  ...(action === "ACCEPT" ? {} : { nextAction: "Name the pages." })
})
