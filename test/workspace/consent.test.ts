/** A consent without a browser: who may see it and send it, and what it may not say. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { listGrants } from "../../src/access/grants.ts"
import { startConnection } from "../../src/access/connections.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { cookieFrom, hiddenIn, open, post, submit, type Fields } from "../support/forms.ts"
import { inAnotherSession, makeUnnamedProject } from "../support/human-requests.ts"
import { uuid } from "../support/parties.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew, type SignedInPerson } from "../support/sessions.ts"

const connectPath = "/workspace/connect"

/** A person who has typed the code of an agent. */
const begun = Effect.gen(function* () {
  const person = yield* signInAnew("Dana")
  const { userCode } = yield* startConnection({ agentName: "Scout", client: "scout 1.0" }, "203.0.113.7")
  const jar = { session: person.token }
  const entered = yield* submit(connectPath, { code: userCode }, jar)
  const path = entered.headers["location"] ?? ""
  return { person, userCode, jar, path, shown: `${path}?organizationId=${person.organizationId}&role=BUYER` }
})

const fine = ({ organizationId }: Pick<SignedInPerson, "organizationId">, changes: Fields = {}) => ({
  organizationId,
  role: "BUYER",
  preset: "READ_ONLY",
  days: "30",
  codeMatches: "on",
  decision: "APPROVE",
  ...changes
})

layer(freshTestService, { excludeTestServices: true })("a consent", (it) => {
  it.effect("begins with a code that is typed, with the token of this session", () =>
    Effect.gen(function* () {
      const { userCode, jar, path } = yield* begun
      assert.match(path, /^\/workspace\/connections\/connection_[0-9a-f-]{36}$/)
      const prefilled = yield* open(`${connectPath}?code=${userCode}&user_code=${userCode}`, jar)
      assert.notInclude(prefilled.text, userCode)
      assert.strictEqual((yield* post(connectPath, { code: userCode }, jar)).status, 403)
      assert.strictEqual((yield* open(`${connectPath}?code=${userCode}`)).status, 401)
    })
  )

  it.effect("shows the typed code beside the tick that it matches, and where the agent asked from", () =>
    Effect.gen(function* () {
      const person = yield* signInAnew("Dana")
      const { userCode } = yield* startConnection({ agentName: "Scout", client: "scout 1.0" }, "203.0.113.7")
      const session = person.token
      const typed = userCode.toLowerCase().replace("-", " ")
      const entered = yield* submit(connectPath, { code: typed }, { session })
      const path = entered.headers["location"] ?? ""
      const shown = `${path}?organizationId=${person.organizationId}&role=BUYER`
      const kept = cookieFrom(entered, "userCode") ?? ""
      assert.notInclude(kept + path, userCode)
      const asked = /<h2>Is it your agent\?<\/h2>.*$/s
      const beside = asked.exec((yield* open(shown, { session, userCode: kept })).text)?.[0] ?? ""
      assert.include(beside, userCode)
      assert.include(beside, "203.0.113.7")
      assert.match(beside, /<button type="submit" name="decision" value="DENY" class="quiet">/)
      const wrong = yield* submit(path, fine(person, { preset: [] }), { session, userCode: kept }, shown)
      assert.include(asked.exec(wrong.text)?.[0] ?? "", userCode, "after a mistake too")
      const later = yield* startConnection({ agentName: "Other", client: "other" }, undefined)
      const another = yield* submit(connectPath, { code: later.userCode }, { session })
      for (const cookie of [undefined, `${kept}A`, userCode, cookieFrom(another, "userCode") ?? ""]) {
        const { status, text } = yield* open(shown, cookie === undefined ? { session } : { session, userCode: cookie })
        assert.strictEqual(status, 200)
        assert.notInclude(text, userCode)
        assert.notInclude(text, later.userCode)
        assert.include(text, "Type the code again")
      }
      const denied = yield* submit(path, { decision: "DENY" }, { session, userCode: kept }, shown)
      assert.strictEqual(cookieFrom(denied, "userCode"), "")
    })
  )

  it.effect("is for the session that typed the code, and unknown to every other", () =>
    Effect.gen(function* () {
      const { person, path, shown } = yield* begun
      const others = [yield* signInAnew("Eve"), yield* inAnotherSession(person)]
      const unknown = yield* open(`/workspace/connections/connection_${uuid()}`, { session: person.token })
      for (const { token } of others) {
        const jar = { session: token }
        for (const seen of [yield* open(path, jar), yield* open(shown, jar)]) {
          assert.strictEqual(seen.status, 404)
          assert.notInclude(seen.text, "Scout")
          assert.include(seen.text, "No connection waits under this code")
        }
        for (const decision of ["APPROVE", "DENY"]) {
          const sent = yield* submit(path, fine(person, { decision }), jar, "/workspace/account")
          assert.strictEqual(sent.status, 404)
        }
      }
      assert.strictEqual(unknown.status, 404)
      assert.include(unknown.text, "No connection waits under this code")
      for (const nonsense of ["x", "connection_1", "%3Cscript%3E"]) {
        const answer = yield* open(`/workspace/connections/${nonsense}`, { session: person.token })
        assert.strictEqual(answer.status, 404)
      }
      assert.lengthOf(yield* listGrants(person), 0)
    })
  )

  it.effect("is given by a form of this session alone", () =>
    Effect.gen(function* () {
      const { person, jar, path, shown } = yield* begun
      const another = yield* inAnotherSession(person)
      const foreignToken = hiddenIn((yield* open("/workspace/account", { session: another.token })).text, "formToken")
      const ownToken = hiddenIn((yield* open(shown, jar)).text, "formToken")
      const tries = [
        yield* post(path, fine(person), jar),
        yield* post(path, fine(person, { formToken: foreignToken }), jar),
        yield* post(path, fine(person, { formToken: ownToken }), jar, { origin: "https://evil.test" }),
        yield* post(path, fine(person, { formToken: ownToken }), jar, { "sec-fetch-site": "cross-site" })
      ]
      for (const { status } of tries) assert.strictEqual(status, 403)
      assert.lengthOf(yield* listGrants(person), 0)
      assert.strictEqual((yield* post(path, fine(person, { formToken: ownToken }), jar)).headers["location"], path)
      assert.lengthOf(yield* listGrants(person), 1)
    })
  )

  it.effect("chooses nothing by itself", () =>
    Effect.gen(function* () {
      const { jar, path, shown } = yield* begun
      for (const address of [shown, `${shown}&preset=REVIEW&actions=CREATE_PROJECT&days=30&codeMatches=on`]) {
        const { text } = yield* open(address, jar)
        assert.notMatch(text.replaceAll(/<input type="hidden"[^>]*>/g, ""), /\schecked/)
      }
      const first = yield* open(path, jar)
      assert.notMatch(first.text, /name="role"[^>]*checked/)
      const incomplete = yield* open(`${path}?role=OWNER`, jar)
      assert.include(incomplete.text, "Choose the side.")
      assert.include(incomplete.text, "Choose the organization.")
    })
  )

  it.effect("lists what is missing, and keeps what was chosen", () =>
    Effect.gen(function* () {
      const { person, jar, path, shown } = yield* begun
      const cases: ReadonlyArray<readonly [Fields, string]> = [
        [{ codeMatches: "off" }, "Compare the code with the one that your agent shows"],
        [{ preset: "ALL" }, "Choose one: what the agent may do."],
        [{ preset: "SUBMIT" }, "Choose one: what the agent may do."],
        [{ actions: "CONFIRM_COMPLETION", preset: "CHOSEN" }, "Choose again: the actions."],
        [{ actions: "SUBMIT_MATERIALS", preset: "CHOSEN" }, "Choose again: the actions."],
        [{ preset: "CHOSEN" }, "Tick at least one action"],
        [{ projects: `delivery_${uuid()}` }, "Choose again: the projects."],
        [{ days: "0" }, "days"],
        [{ days: "31" }, "days"],
        [{ days: "1e1" }, "days"],
        [{ requirement1Decisions: "ACCEPT" }, "Requirement 1 is needed"]
      ]
      for (const [changes, message] of cases) {
        const answer = yield* submit(path, fine(person, changes), jar, shown)
        assert.strictEqual(answer.status, 400, JSON.stringify(changes))
        const summary = /<section class="problems".*?<\/section>/s.exec(answer.text)?.[0] ?? ""
        assert.include(summary, message)
        assert.include(answer.text, `value="${String(changes["days"] ?? "30")}"`)
      }
      for (const changes of [
        { other: "1" },
        { decision: "YES" },
        { decision: ["APPROVE", "DENY"] },
        { role: "OWNER" }
      ]) {
        assert.strictEqual(
          (yield* submit(path, fine(person, changes), jar, shown)).status,
          400,
          JSON.stringify(changes)
        )
      }
      assert.lengthOf(yield* listGrants(person), 0)
    })
  )

  it.effect("reaches no project of another side or organization", () =>
    Effect.gen(function* () {
      const { person, jar, path, shown } = yield* begun
      const other = yield* signInAnew("Other")
      const theirs = yield* makeUnnamedProject(other)
      const own = yield* makeUnnamedProject(person)
      const { text } = yield* open(shown, jar)
      assert.include(text, own)
      assert.notInclude(text, theirs)
      const asSupplier = yield* open(shown.replace("BUYER", "SUPPLIER"), jar)
      assert.notInclude(asSupplier.text, own)
      assert.strictEqual((yield* submit(path, fine(person, { projects: theirs }), jar, shown)).status, 400)
      const foreign = fine(person, { organizationId: other.organizationId })
      assert.strictEqual((yield* submit(path, foreign, jar, shown)).status, 400)
    })
  )

  it.effect("is denied without any of its fields, once", () =>
    Effect.gen(function* () {
      const { person, jar, path } = yield* begun
      const denied = yield* submit(path, { decision: "DENY" }, jar, path)
      assert.deepStrictEqual([denied.status, denied.headers["location"]], [303, path])
      assert.include((yield* open(path, jar)).text, "The agent got nothing")
      const late = yield* submit(path, fine(person), jar, "/workspace/account")
      assert.deepStrictEqual([late.status, late.headers["location"]], [303, path])
      assert.lengthOf(yield* listGrants(person), 0)
    })
  )

  it.effect("stops whoever guesses codes", () =>
    Effect.gen(function* () {
      const guesser = yield* signInAnew("Guesser")
      const jar = { session: guesser.token }
      const guess = () => submit(connectPath, { code: "BCDF-GHJK" }, jar)
      for (let count = 0; count < limits.attemptsPerPerson; count++) {
        assert.strictEqual((yield* guess()).status, 404)
      }
      const stopped = yield* guess()
      assert.deepStrictEqual([stopped.status, stopped.headers["retry-after"]], [503, "600"])
    })
  )
})
