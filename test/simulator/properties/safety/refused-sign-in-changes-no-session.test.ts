import { assert, describe, it } from "@effect/vitest"
import { Sessions } from "../../../../src/people/store.ts"
import { refusedSignInChangesNoSession } from "../../../../simulator/properties/safety/refused-sign-in-changes-no-session.ts"
import { SyntheticRun, put } from "../../support/synthetic-run.ts"

const session = put(Sessions, { sessionId: "session_1", personId: "person_dana" })

const signingIn = () =>
  new SyntheticRun(refusedSignInChangesNoSession)
    .person("dana", "person_dana")
    .observes({ kind: "act", actor: "dana", operation: "signIn", on: undefined, input: {} })

const afterAnswer = (seen: SyntheticRun, refused: string | undefined) =>
  seen.observes({ kind: "answer", actor: "dana", refused, body: {} }).violation

describe("refused sign-in changes no session", () => {
  it.each(["SIGN_IN_FAILED", "TEMPORARILY_UNAVAILABLE"])(
    "A session that changes during a sign-in refused with %s is a violation",
    (refused) => {
      assert.include(afterAnswer(signingIn().commits("dana", session), refused), "was refused with")
      assert.isUndefined(afterAnswer(signingIn(), refused))
    }
  )

  it("A successful sign-in may create a session, and other people's sessions may change", () => {
    assert.isUndefined(afterAnswer(signingIn().commits("dana", session), undefined))
    assert.isUndefined(afterAnswer(signingIn().commits("sam", session), "SIGN_IN_FAILED"))
  })

  it("A concurrent request of the same person may change the session during a refused sign-in", () => {
    const beside = signingIn().asks("dana", "POST", "/api/workspace/session/sign-out").commits("dana", session)
    assert.isUndefined(afterAnswer(beside, "SIGN_IN_FAILED"))
  })
})
