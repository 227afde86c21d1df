/** The history of the sample, from the creation to the acceptance of a second submission. */
import type { Agents } from "./sample-authority.ts"
import { ids, salt } from "./sample-ids.ts"
import { at, digest, type Members, uuid } from "./signing.ts"

const file = (name: string, seed: number): Members => ({
  name,
  reference: `https://files.example/${name}`,
  size: 10 + seed,
  sha256: salt(seed)
})

const makeSubmission = (
  number: number,
  agreementDigest: string,
  previous: string | null,
  respondsTo: string | null
): Members => ({
  submissionId: `submission_${uuid(20 + number)}`,
  agreementDigest,
  previousSubmissionId: previous,
  respondsToReviewId: respondsTo,
  summary: "Everything is there",
  items: [
    { criterionId: "c1", summary: "The text", references: [], files: [file(`text-${number}.md`, number)] },
    {
      criterionId: "c2",
      summary: "The table",
      references: ["https://a.example"],
      files: [file("a.csv", 9), file("b.csv", 8)]
    }
  ]
})

const makeReview = (number: number, agreementDigest: string, submission: Members, action: string): Members => ({
  reviewId: `review_${uuid(30 + number)}`,
  agreementDigest,
  submissionId: submission["submissionId"],
  submissionDigest: digest(submission),
  action,
  reason: "Looked at everything",
  nextAction: action === "ACCEPT" ? "" : "Mend the text",
  decisions: [
    { criterionId: "c1", decision: action === "ACCEPT" ? "MET" : "NOT_MET", note: "as agreed" },
    { criterionId: "c2", decision: "MET" }
  ],
  ...(action === "ACCEPT"
    ? {
        checkedFiles: submission["items"].flatMap((item: Members) =>
          item["files"].map((one: Members) => ({
            criterionId: item["criterionId"],
            name: one["name"],
            sha256: one["sha256"]
          }))
        ),
        confirmationId: ids.confirmation,
        confirmationDigest: salt(77)
      }
    : {})
})

/** The events without `sequence` and `previous`, which are set when the chain is built. */
export const makeHistory = (agreementDigest: string, agents: Agents): Array<Members> => {
  const first = makeSubmission(1, agreementDigest, null, null)
  const changesRequested = makeReview(1, agreementDigest, first, "REQUEST_CHANGES")
  const second = makeSubmission(2, agreementDigest, first["submissionId"], changesRequested["reviewId"])
  const accepted = makeReview(2, agreementDigest, second, "ACCEPT")
  const kinds: Array<[kind: string, payload: Members]> = [
    ["CREATE", { agreementDigest, confirmationDigest: salt(70) }],
    [
      "RESPOND",
      {
        agreementDigest,
        action: "ACCEPT",
        actorRole: "Owner",
        authorityAttested: true,
        reason: "Agreed",
        confirmationDigest: salt(71)
      }
    ],
    ["SUBMIT", first],
    ["REVIEW", changesRequested],
    ["SUBMIT", second],
    ["REVIEW", accepted]
  ]
  return kinds.map(([kind, payload], index) => eventOf(kind, payload, index, agents))
}

export const eventOf = (kind: string, payload: Members, index: number, agents: Agents): Members => {
  const side = kind === "RESPOND" || kind === "SUBMIT" ? "supplier" : "buyer"
  return {
    schema: "service.project-event/v1",
    projectId: ids.project,
    kind,
    requestId: uuid(50 + index),
    // A person makes the accepting review, so that the sample has both kinds of actor.
    actor: payload["action"] === "ACCEPT" && kind === "REVIEW" ? { ...agents[side], execution: null } : agents[side],
    payload,
    occurredAt: at(10 + index),
    issuedAt: at(10 + index)
  }
}
