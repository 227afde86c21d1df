/** Consents over HTTP: their visibility, their form and the limits of their choices. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { listGrants } from "../../src/access/grants.ts"
import { startConnection } from "../../src/access/connections.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { cookieFrom, hiddenIn, openPage, post, submit, type Fields } from "../support/forms.ts"
import { inAnotherSession, makeUnnamedProject } from "../support/person-requests.ts"
import { uuid } from "../support/parties.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"

const connectPath = "/workspace/connect"

/** A person who typed an agent's user code. */
const connectionAtConsent = Effect.gen(function* () {
  const person = yield* signInNewPerson("Dana")
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

layer(freshTestService, { excludeTestServices: true })("consents", (it) => {
  it.effect("A consent begins with a typed code and requires the form token of the session.", () =>
    Effect.gen(function* () {
      const { userCode, jar, path } = yield* connectionAtConsent
      assert.match(path, /^\/workspace\/connections\/connection_[0-9a-f-]{36}$/)
      const prefilled = yield* openPage(`${connectPath}?code=${userCode}&user_code=${userCode}`, jar)
      assert.notInclude(prefilled.text, userCode)
      assert.strictEqual((yield* post(connectPath, { code: userCode }, jar)).status, 403)
      assert.strictEqual((yield* openPage(`${connectPath}?code=${userCode}`)).status, 401)
    })
  )

  it.effect("The consent page shows the typed code beside its confirmation and the network address of the agent.", () =>
    Effect.gen(function* () {
      const person = yield* signInNewPerson("Dana")
      const { userCode } = yield* startConnection({ agentName: "Scout", client: "scout 1.0" }, "203.0.113.7")
      const session = person.token
      const typed = userCode.toLowerCase().replace("-", " ")
      const entered = yield* submit(connectPath, { code: typed }, { session })
      const path = entered.headers["location"] ?? ""
      const shown = `${path}?organizationId=${person.organizationId}&role=BUYER`
      const kept = cookieFrom(entered, "userCode") ?? ""
      assert.notInclude(kept + path, userCode)
      const asked = /<h2>Is it your agent\?<\/h2>.*$/s
      const beside = asked.exec((yield* openPage(shown, { session, userCode: kept })).text)?.[0] ?? ""
      assert.include(beside, userCode)
      assert.include(beside, "203.0.113.7")
      assert.match(beside, /<button type="submit" name="decision" value="DENY" class="quiet">/)
      const wrong = yield* submit(path, fine(person, { preset: [] }), { session, userCode: kept }, shown)
      assert.include(asked.exec(wrong.text)?.[0] ?? "", userCode, "after a mistake too")
      const later = yield* startConnection({ agentName: "Other", client: "other" }, undefined)
      const another = yield* submit(connectPath, { code: later.userCode }, { session })
      for (const cookie of [undefined, `${kept}A`, userCode, cookieFrom(another, "userCode") ?? ""]) {
        const { status, text } = yield* openPage(
          shown,
          cookie === undefined ? { session } : { session, userCode: cookie }
        )
        assert.strictEqual(status, 200)
        assert.notInclude(text, userCode)
        assert.notInclude(text, later.userCode)
        assert.include(text, "Type the code again")
      }
      const denied = yield* submit(path, { decision: "DENY" }, { session, userCode: kept }, shown)
      assert.strictEqual(cookieFrom(denied, "userCode"), "")
    })
  )

  it.effect("A consent is visible only in the session in which the code was typed.", () =>
    Effect.gen(function* () {
      const { person, path, shown } = yield* connectionAtConsent
      const others = [yield* signInNewPerson("Eve"), yield* inAnotherSession(person)]
      const unknown = yield* openPage(`/workspace/connections/connection_${uuid()}`, { session: person.token })
      for (const { token } of others) {
        const jar = { session: token }
        for (const seen of [yield* openPage(path, jar), yield* openPage(shown, jar)]) {
          assert.strictEqual(seen.status, 404)
          assert.notInclude(seen.text, "Scout")
          assert.include(seen.text, "The code is invalid or expired, or its connection belongs to another session")
        }
        for (const decision of ["APPROVE", "DENY"]) {
          const sent = yield* submit(path, fine(person, { decision }), jar, "/workspace/account")
          assert.strictEqual(sent.status, 404)
        }
      }
      assert.strictEqual(unknown.status, 404)
      assert.include(unknown.text, "The code is invalid or expired, or its connection belongs to another session")
      for (const nonsense of ["x", "connection_1", "%3Cscript%3E"]) {
        const answer = yield* openPage(`/workspace/connections/${nonsense}`, { session: person.token })
        assert.strictEqual(answer.status, 404)
      }
      assert.lengthOf((yield* listGrants(person)).items, 0)
    })
  )

  it.effect("A consent is approved only by a form of the same session.", () =>
    Effect.gen(function* () {
      const { person, jar, path, shown } = yield* connectionAtConsent
      const another = yield* inAnotherSession(person)
      const foreignToken = hiddenIn(
        (yield* openPage("/workspace/account", { session: another.token })).text,
        "formToken"
      )
      const ownToken = hiddenIn((yield* openPage(shown, jar)).text, "formToken")
      const tries = [
        yield* post(path, fine(person), jar),
        yield* post(path, fine(person, { formToken: foreignToken }), jar),
        yield* post(path, fine(person, { formToken: ownToken }), jar, { origin: "https://evil.test" }),
        yield* post(path, fine(person, { formToken: ownToken }), jar, { "sec-fetch-site": "cross-site" })
      ]
      for (const { status } of tries) assert.strictEqual(status, 403)
      assert.lengthOf((yield* listGrants(person)).items, 0)
      assert.strictEqual((yield* post(path, fine(person, { formToken: ownToken }), jar)).headers["location"], path)
      assert.lengthOf((yield* listGrants(person)).items, 1)
    })
  )

  it.effect("No choice of a consent is preselected.", () =>
    Effect.gen(function* () {
      const { jar, path, shown } = yield* connectionAtConsent
      for (const address of [shown, `${shown}&preset=REVIEW&actions=CREATE_PROJECT&days=30&codeMatches=on`]) {
        const { text } = yield* openPage(address, jar)
        assert.notMatch(text.replaceAll(/<input type="hidden"[^>]*>/g, ""), /\schecked/)
      }
      const first = yield* openPage(path, jar)
      assert.notMatch(first.text, /name="role"[^>]*checked/)
      const incomplete = yield* openPage(`${path}?role=OWNER`, jar)
      assert.include(incomplete.text, "Choose the role.")
      assert.include(incomplete.text, "Choose the organization.")
    })
  )

  it.effect("An incomplete consent lists the missing fields and keeps the chosen values.", () =>
    Effect.gen(function* () {
      const { person, jar, path, shown } = yield* connectionAtConsent
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
      assert.lengthOf((yield* listGrants(person)).items, 0)
    })
  )

  it.effect("A consent cannot grant a project of another role or organization.", () =>
    Effect.gen(function* () {
      const { person, jar, path, shown } = yield* connectionAtConsent
      const other = yield* signInNewPerson("Other")
      const theirs = yield* makeUnnamedProject(other)
      const own = yield* makeUnnamedProject(person)
      const { text } = yield* openPage(shown, jar)
      assert.include(text, own)
      assert.notInclude(text, theirs)
      const asSupplier = yield* openPage(shown.replace("BUYER", "SUPPLIER"), jar)
      assert.notInclude(asSupplier.text, own)
      assert.strictEqual((yield* submit(path, fine(person, { projects: theirs }), jar, shown)).status, 400)
      const foreign = fine(person, { organizationId: other.organizationId })
      assert.strictEqual((yield* submit(path, foreign, jar, shown)).status, 400)
    })
  )

  it.effect("A consent is denied without any other field, once.", () =>
    Effect.gen(function* () {
      const { person, jar, path } = yield* connectionAtConsent
      const denied = yield* submit(path, { decision: "DENY" }, jar, path)
      assert.deepStrictEqual([denied.status, denied.headers["location"]], [303, path])
      assert.include((yield* openPage(path, jar)).text, "The agent got no access")
      const late = yield* submit(path, fine(person), jar, "/workspace/account")
      assert.deepStrictEqual([late.status, late.headers["location"]], [303, path])
      assert.lengthOf((yield* listGrants(person)).items, 0)
    })
  )

  it.effect("Guessing user codes is rate-limited.", () =>
    Effect.gen(function* () {
      const guesser = yield* signInNewPerson("Guesser")
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
