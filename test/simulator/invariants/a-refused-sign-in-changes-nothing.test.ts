import { assert, describe, it } from "@effect/vitest"
import { Sessions } from "../../../src/people/store.ts"
import { aRefusedSignInChangesNothing } from "../../../simulator/invariants/a-refused-sign-in-changes-nothing.ts"
import { MadeUp, put } from "../support/made-up.ts"

const session = put(Sessions, { sessionId: "session_1", personId: "person_dana" })

const signingIn = () =>
  new MadeUp(aRefusedSignInChangesNothing)
    .person("dana", "person_dana")
    .observes({ kind: "act", actor: "dana", operation: "signIn", on: undefined, input: {} })

const answered = (seen: MadeUp, refused: string | undefined) =>
  seen.observes({ kind: "answer", actor: "dana", refused, body: {} }).broken

describe("a refused sign-in changes nothing", () => {
  it.each(["SIGN_IN_FAILED", "TEMPORARILY_UNAVAILABLE"])("is broken by a session that changed, with %s", (refused) => {
    assert.include(answered(signingIn().commits("dana", session), refused), "was not let in")
    assert.isUndefined(answered(signingIn(), refused))
  })

  it("lets in whoever is let in, and minds nobody else", () => {
    assert.isUndefined(answered(signingIn().commits("dana", session), undefined))
    assert.isUndefined(answered(signingIn().commits("sam", session), "SIGN_IN_FAILED"))
  })

  it("leaves out what the person asks for in another window", () => {
    const beside = signingIn().asks("dana", "POST", "/api/workspace/session/sign-out").commits("dana", session)
    assert.isUndefined(answered(beside, "SIGN_IN_FAILED"))
  })
})
