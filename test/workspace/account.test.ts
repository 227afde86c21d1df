/** The account of a person at its page: a workspace is made once, and removed with everything under it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { signIn } from "../../src/people/sessions.ts"
import { readStanding } from "../../src/people/standing.ts"
import { longAgo } from "../../src/ports/sign-in.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
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

  it.effect("says who else loses what with the workspace", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const jar = { session: dana.token }
      assert.notInclude((yield* open(accountPath, jar)).text, "lose their membership")
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const join = Effect.fnUntraced(function* (name: string) {
        const { personId } = yield* signInAnew(name)
        const { organizationId } = dana
        return yield* createMembership({ personId, organizationId, authorities: ["DELEGATE"], validUntil })
      })
      yield* join("Mia")
      assert.include((yield* open(accountPath, jar)).text, "the one other member loses their membership")
      yield* join("Max")
      yield* endMembership(dana, yield* join("Moe"))
      assert.include((yield* open(accountPath, jar)).text, "the 2 other members lose their membership")
      const removed = yield* submit(`${accountPath}/remove`, { word: "remove" }, jar, accountPath)
      assert.include(removed.text, "The 2 other members have lost their membership")
    })
  )

  it.effect("is made anew by whose own membership is over", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const jar = { session: dana.token }
      yield* endMembership(dana, dana)
      const { text } = yield* open(accountPath, jar)
      assert.notInclude(text, "Remove the workspace")
      assert.include(text, "Make a workspace of your own")
      yield* submit(accountPath, {}, jar)
      assert.include((yield* open(accountPath, jar)).text, "Remove the workspace")
    })
  )

  it.effect("ends the person's other sessions, and no other", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const sam = yield* signInAnew("Sam")
      const elsewhere = yield* inAnotherSession(dana)
      const done = yield* submit(`${accountPath}/end-others`, {}, { session: dana.token }, accountPath)
      assert.strictEqual(done.status, 200)
      assert.include(done.text, "Your other sessions have ended")
      const statusOf = (session: string) => Effect.map(open(accountPath, { session }), ({ status }) => status)
      assert.deepStrictEqual(
        yield* Effect.forEach([dana, elsewhere, sam], ({ token }) => statusOf(token)),
        [200, 401, 200]
      )
    })
  )

  it.effect("tells no time of a sign-in that the provider did not tell", () =>
    Effect.gen(function* () {
      const identity = { ...(yield* identityOf("Una")), authenticatedAt: longAgo }
      const { token } = yield* signIn(identity, { isInvited: false })
      const { text } = yield* open(accountPath, { session: token })
      assert.include(text, "not told by the provider")
      assert.notInclude(text, "1970")
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
