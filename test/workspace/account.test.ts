/** The account page: creation and removal of the workspace. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { signIn } from "../../src/people/sessions.ts"
import { readProfile } from "../../src/people/profile.ts"
import { unknownSignInTime } from "../../src/ports/sign-in.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { openPage, post, submit } from "../support/forms.ts"
import { inAnotherSession } from "../support/person-requests.ts"
import { makeAgent } from "../support/parties.ts"
import { freshTestService, send } from "../support/service.ts"
import { identityOf, signInNewPerson } from "../support/sessions.ts"

const accountPath = "/workspace/account"

layer(freshTestService, { excludeTestServices: true })("accounts", (it) => {
  it.effect("A person without an organization makes a workspace by a form of their own session, once.", () =>
    Effect.gen(function* () {
      const session = yield* signIn(yield* identityOf("Newcomer"), { isInvited: true })
      const jar = { session: session.token }
      assert.include((yield* openPage("/workspace/", jar)).text, "You are in no organization")
      assert.strictEqual((yield* post(accountPath, {}, jar)).status, 403)
      const { text } = yield* openPage(accountPath, jar)
      assert.notInclude(text, "Remove the workspace")
      for (const answer of [yield* submit(accountPath, {}, jar), yield* submit(accountPath, {}, jar)]) {
        assert.deepStrictEqual([answer.status, answer.headers["location"]], [303, accountPath])
      }
      assert.lengthOf((yield* readProfile(session)).memberships, 1)
    })
  )

  it.effect("The account page states how many other members lose their membership when the workspace is removed.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const jar = { session: dana.token }
      assert.notInclude((yield* openPage(accountPath, jar)).text, "lose their membership")
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const join = Effect.fnUntraced(function* (name: string) {
        const { personId } = yield* signInNewPerson(name)
        const { organizationId } = dana
        return yield* createMembership({ personId, organizationId, authorities: ["DELEGATE"], validUntil })
      })
      yield* join("Mia")
      assert.include((yield* openPage(accountPath, jar)).text, "the one other member loses their membership")
      yield* join("Max")
      yield* endMembership(dana, yield* join("Moe"))
      assert.include((yield* openPage(accountPath, jar)).text, "the 2 other members lose their membership")
      const removed = yield* submit(`${accountPath}/remove`, { word: "remove" }, jar, accountPath)
      assert.include(removed.text, "The 2 other members have lost their membership")
    })
  )

  it.effect("A person whose own membership has ended can make a new workspace.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const jar = { session: dana.token }
      yield* endMembership(dana, dana)
      const { text } = yield* openPage(accountPath, jar)
      assert.notInclude(text, "Remove the workspace")
      assert.include(text, "Create your own workspace")
      yield* submit(accountPath, {}, jar)
      assert.include((yield* openPage(accountPath, jar)).text, "Remove the workspace")
    })
  )

  it.effect("A person ends all their other sessions, and no session of another person.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const elsewhere = yield* inAnotherSession(dana)
      const done = yield* submit(`${accountPath}/end-others`, {}, { session: dana.token }, accountPath)
      assert.strictEqual(done.status, 200)
      assert.include(done.text, "Your other sessions have ended")
      const statusOf = (session: string) => Effect.map(openPage(accountPath, { session }), ({ status }) => status)
      assert.deepStrictEqual(
        yield* Effect.forEach([dana, elsewhere, sam], ({ token }) => statusOf(token)),
        [200, 401, 200]
      )
    })
  )

  it.effect("The account page shows no sign-in time that the provider did not report.", () =>
    Effect.gen(function* () {
      const identity = { ...(yield* identityOf("Una")), authenticatedAt: unknownSignInTime }
      const { token } = yield* signIn(identity, { isInvited: false })
      const { text } = yield* openPage(accountPath, { session: token })
      assert.include(text, "not reported by the provider")
      assert.notInclude(text, "1970")
    })
  )

  it.effect("A workspace is removed after the confirmation word is typed; its agents and sessions end.", () =>
    Effect.gen(function* () {
      const person = yield* signInNewPerson("Dana")
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
        assert.strictEqual((yield* openPage(accountPath, { session })).status, 401)
      }
    })
  )
})
