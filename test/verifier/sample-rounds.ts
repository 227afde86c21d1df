/** A long history: submissions for which changes were requested, before the one that was accepted. */
import type { Forgery } from "./sample.ts"
import { digest, type Members, uuid } from "./signing.ts"

/** For a result of one submission; every round adds two events. */
export const manyRounds = (count: number): Forgery => ({
  history: (events) => {
    const [create, respond, submit, review] = events as [Members, Members, Members, Members]
    const rounds: Array<Members> = []
    for (let round = 0; round < count; round++) {
      const submission = {
        ...submit["payload"],
        ...linksAfter(rounds),
        submissionId: `submission_${uuid(500 + round)}`
      }
      const { checkedFiles: _, confirmationId: __, confirmationDigest: ___, ...decided } = review["payload"]
      const changes = {
        ...decided,
        reviewId: `review_${uuid(600 + round)}`,
        submissionId: submission.submissionId,
        submissionDigest: digest(submission),
        action: "REQUEST_CHANGES",
        nextAction: "Mend the text"
      }
      const requestId = uuid(700 + round)
      rounds.push(
        { ...submit, requestId, payload: submission },
        { ...submit, ...by(review), requestId, payload: changes }
      )
    }
    const accepted = { ...submit["payload"], ...linksAfter(rounds) }
    const accepting = { ...review["payload"], submissionDigest: digest(accepted) }
    return [create, respond, ...rounds, { ...submit, payload: accepted }, { ...review, payload: accepting }]
  }
})

const by = ({ kind, actor }: Members): Members => ({ kind, actor })

/** What a submission names of the round before it. */
const linksAfter = (rounds: ReadonlyArray<Members>): Members => ({
  previousSubmissionId: rounds.at(-2)?.["payload"].submissionId ?? null,
  respondsToReviewId: rounds.at(-1)?.["payload"].reviewId ?? null
})
