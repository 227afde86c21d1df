/** The account of a person at its page: a workspace is made once, and removed with everything under it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { signIn } from "../../src/people/sessions.ts"
import { readStanding } from "../../src/people/standing.ts"
import { open, post, submit } from "../support/forms.ts"
import { inAnotherSession } from "../support/human-requests.ts"
import { makeAgent } from "../support/parties.ts"
import { freshTestService, send } from "../support/service.ts"
import { identityOf, signInAnew } from "../support/sessions.ts"

const accountPath = "/workspace/account"

layer(freshTestService, { excludeTestServices: true })("an account", (it) => {
  it.effect("is made by a form of this session, once", () =>
    Effect.gen(function* () {
      const session = yield* signIn(yield* identityOf("Newcomer"), { isInvited: true })
      const jar = { session: session.token }
      assert.include((yield* open("/workspace/", jar)).text, "You are in no organization")
      assert.strictEqual((yield* post(accountPath, {}, jar)).status, 403)
      const { text } = yield* open(accountPath, jar)
      assert.notInclude(text, "Remove the workspace")
      for (const answer of [yield* submit(accountPath, {}, jar), yield* submit(accountPath, {}, jar)]) {
        assert.deepStrictEqual([answer.status, answer.headers["location"]], [303, accountPath])
      }
      assert.lengthOf((yield* readStanding(session)).memberships, 1)
    })
  )

  it.effect("is removed once the word is typed, and with it agents and sessions", () =>
    Effect.gen(function* () {
      const person = yield* signInAnew("Dana")
      const elsewhere = yield* inAnotherSession(person)
      const { token } = yield* makeAgent(person, "BUYER", ["CREATE_PROJECT"])
      const jar = { session: person.token }
      const remove = `${accountPath}/remove`
      assert.strictEqual((yield* post(remove, { word: "remove" }, jar)).status, 403)
      for (const word of ["", "yes", "remove it"]) {
        const refused = yield* submit(remove, { word }, jar, accountPath)
        assert.strictEqual(refused.status, 400)
        assert.include(refused.text, "Type the word “remove”")
      }
      const me = () => Effect.map(send("GET", "/api/agents/v1/me", { token }), ({ status }) => status)
      assert.strictEqual(yield* me(), 200)
      assert.strictEqual((yield* submit(remove, { word: "Remove" }, jar, accountPath)).status, 200)
      assert.strictEqual(yield* me(), 401)
      for (const session of [person.token, elsewhere.token]) {
        assert.strictEqual((yield* open(accountPath, { session })).status, 401)
      }
    })
  )
})
