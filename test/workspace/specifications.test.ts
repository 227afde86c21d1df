/** The pages of public specifications, and the way of one of them into a draft: once, and only as it was read. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { publishSpecification } from "../../src/discovery/publish.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { signIn } from "../../src/people/sessions.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { cookieFrom, hiddenIn, open, post, submit, type Jar } from "../support/forms.ts"
import { join } from "../support/issued.ts"
import { problemsOn } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { uuid } from "../support/parties.ts"
import { freshTestService, siteUrl, type Answer } from "../support/service.ts"
import { identityOf, signInAnew, type SignedInPerson } from "../support/sessions.ts"
import { specificationOf } from "../support/specifications.ts"
import { at } from "../support/time.ts"

const searchPath = "/workspace/specifications"
const draftPath = "/workspace/drafts/from-specification"
const pathOf = (id: string, version = 1) => `${searchPath}/${id}/versions/${version}`

const assertInOrder = ({ text, status }: Answer, wanted = 200) => {
  assert.strictEqual(status, wanted, text)
  assert.deepStrictEqual(faultsOf(text), [])
}

/** The browser of somebody who has chosen a version. */
const chosen = Effect.fnUntraced(function* (id: string, jar: Jar = {}) {
  const answer = yield* submit(pathOf(id), {}, jar)
  assert.strictEqual(answer.status, 303, answer.text)
  return { answer, jar: { ...jar, specification: cookieFrom(answer, "specification") ?? "" } }
})

const choiceOf = ({ organizationId }: SignedInPerson, role = "BUYER") => ({ organizationId, role })

/** What the page sends once organization and side are chosen. */
const startDraft = Effect.fnUntraced(function* (jar: Jar, fields: Readonly<Record<string, string>>) {
  const { text } = yield* open(draftPath, jar)
  return yield* post(
    draftPath,
    { formToken: hiddenIn(text, "formToken"), handoffId: hiddenIn(text, "handoffId"), ...fields },
    jar
  )
})

layer(freshTestService, { excludeTestServices: true })("public specifications", (it) => {
  it.effect("are searched by anybody, with an address for what was found", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("page-tea", { title: "Tea for two", summary: "Green." }))
      assertInOrder(yield* open(searchPath))
      const found = yield* open(`${searchPath}?q=TEA+two`)
      assertInOrder(found)
      assert.include(found.text, `href="${pathOf("page-tea")}"`)
      assert.include(found.text, `value="TEA two"`)
      const none = yield* open(`${searchPath}?q=coffee`)
      assertInOrder(none)
      assert.include(none.text, "Nothing was found.")
      assert.include((yield* open(`${searchPath}?q=%3F`)).text, "Nothing was found.")
      for (const query of ["?q=", "?q=+", "?q=a&q=b", "?other=x"]) {
        const empty = yield* open(searchPath + query)
        assertInOrder(empty)
        assert.notInclude(empty.text, "was found")
      }
      const dana = yield* signInAnew("Dana")
      const signedIn = yield* open(searchPath, { session: dana.token })
      assert.include(signedIn.text, `<a href="${searchPath}" aria-current="page">Public specifications</a>`)
      assert.include((yield* open("/workspace/")).text, `href="${searchPath}"`)
    })
  )

  it.effect("are searched page after page", () =>
    Effect.gen(function* () {
      for (let index = 10; index < 32; index++) {
        yield* publishSpecification(specificationOf(`many-${index}`, { title: "Umbrella" }))
      }
      const first = yield* open(`${searchPath}?q=umbrella`)
      assertInOrder(first)
      assert.include(first.text, pathOf("many-29"))
      assert.notInclude(first.text, pathOf("many-30"))
      const [, next] = /<a href="([^"]*)">More results<\/a>/.exec(first.text) ?? []
      const second = yield* open(next!.replaceAll("&amp;", "&"))
      assertInOrder(second)
      assert.include(second.text, pathOf("many-31"))
      assert.notInclude(second.text, pathOf("many-29"))
      assert.notInclude(second.text, "More results")
      assertInOrder(yield* open(`${searchPath}?q=umbrella&after=x`), 400)
      const long = yield* open(`${searchPath}?q=${"a".repeat(201)}`)
      assertInOrder(long, 400)
      assert.include(long.text, "has at most 200 characters")
    })
  )

  it.effect("are shown whole, with nothing in them that works", () =>
    Effect.gen(function* () {
      const hostile = `</title><script>alert(1)</script>\u202e<b onclick="x">`
      const content = specificationOf("hostile", {
        title: hostile,
        summary: `${hostile} summary`,
        scope: `First line.\n${hostile} scope`,
        criteria: [{ id: `${hostile} id`, title: `${hostile} criterion`, requirement: `${hostile} requirement` }],
        baselineStatement: `${hostile} baseline`,
        references: [`javascript:${hostile}`]
      })
      const { digest } = yield* publishSpecification(content)
      for (const path of [pathOf("hostile"), `${searchPath}?q=script`]) {
        const shown = yield* open(path)
        assertInOrder(shown)
        assert.notMatch(shown.text, /<script|<b |\u202e|href="javascript/)
        assert.include(shown.text, "‹U+202E›")
      }
      const { text } = yield* open(pathOf("hostile"))
      for (const said of ["summary", "First line.", "scope", " id", "criterion", "requirement", "baseline", digest]) {
        assert.include(text, said)
      }
      assert.include(text, "javascript:&lt;/title")
      assert.include(text, `href="/api/discover/specifications/hostile/versions/1"`)
      for (const path of [pathOf("hostile", 2), pathOf("hostile", 0), pathOf("none"), `${pathOf("hostile")}0`]) {
        assertInOrder(yield* open(path), 404)
      }
      for (const version of ["01", "1.0", "%00", "9".repeat(30)]) {
        assertInOrder(yield* open(`${searchPath}/hostile/versions/${version}`), 404)
      }
    })
  )

  it.effect("say when a newer version is there, and stay as they are", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("renewed", { scope: "The first scope." }))
      assert.notInclude((yield* open(pathOf("renewed"))).text, "newer version")
      yield* publishSpecification(specificationOf("renewed", { scope: "The second scope." }))
      const older = yield* open(pathOf("renewed"))
      assertInOrder(older)
      assert.include(older.text, `A newer version has been published: <a href="${pathOf("renewed", 2)}">version 2</a>`)
      assert.include(older.text, "The first scope.")
      assert.notInclude((yield* open(pathOf("renewed", 2))).text, "newer version")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("a draft from a specification", (it) => {
  it.effect("is started after the sign-in by whoever chose it before", () =>
    Effect.gen(function* () {
      const { digest } = yield* publishSpecification(specificationOf("chosen", { title: "Chosen before" }))
      const { answer, jar } = yield* chosen("chosen")
      const signInFirst = `/workspace/sign-in?returnTo=${encodeURIComponent(draftPath)}`
      assert.strictEqual(answer.headers["location"], signInFirst)
      const set = answer.cookies.find((line) => line.startsWith("__Host-countersign-specification="))!
      assert.match(set, /Max-Age=86400;.*HttpOnly; Secure; SameSite=Lax/)
      assert.notInclude(jar.specification, "chosen")
      assert.strictEqual((yield* open(draftPath, jar)).status, 401)

      const dana = yield* signInAnew("Dana")
      const signedIn = { ...jar, session: dana.token }
      const shown = yield* open(draftPath, signedIn)
      assertInOrder(shown)
      for (const said of ["Chosen before", digest, dana.organizationId]) assert.include(shown.text, said)
      const started = yield* startDraft(signedIn, choiceOf(dana))
      assert.strictEqual(started.status, 303, started.text)
      const location = started.headers["location"]!
      assert.isTrue(location.startsWith(`${siteUrl}/workspace/`), location)
      assert.match(location, /draft_[0-9a-f-]{36}/)
      assert.strictEqual(cookieFrom(started, "specification"), "")
      // The answer was lost, and the browser sends its form once more.
      const again = yield* startDraft(signedIn, choiceOf(dana))
      assert.strictEqual(again.headers["location"], location)
    })
  )

  it.effect("is started once: another choice and another person find it used", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("once"))
      const { jar } = yield* chosen("once")
      const dana = yield* signInAnew("Dana")
      const sam = yield* signInAnew("Sam")
      assert.strictEqual((yield* startDraft({ ...jar, session: dana.token }, choiceOf(dana))).status, 303)
      for (const [person, role] of [
        [dana, "SUPPLIER"],
        [sam, "BUYER"]
      ] as const) {
        const used = yield* startDraft({ ...jar, session: person.token }, choiceOf(person, role))
        assertInOrder(used, 409)
        assert.include(used.text, "was used before")
        assert.include(used.text, `href="${pathOf("once")}"`)
        assert.strictEqual(cookieFrom(used, "specification"), "")
      }
    })
  )

  it.effect("is started within a day of the choice, and no later", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("day"))
      const dana = yield* signInAnew("Dana")
      const start = yield* now
      const { jar } = yield* at(start)(chosen("day"))
      const openAt = (later: number) =>
        Effect.gen(function* () {
          // Nobody stays signed in for a day.
          const session = yield* signIn({ ...dana.identity, authenticatedAt: yield* now }, { isInvited: false })
          return yield* startDraft({ ...jar, session: session.token }, choiceOf(dana))
        }).pipe(at(addMilliseconds(start, later)))
      const ended = yield* openAt(limits.handoffLifetime)
      assertInOrder(ended, 409)
      assert.include(ended.text, "longer than 24 hours ago")
      assert.include(ended.text, `href="${searchPath}"`)
      assert.strictEqual((yield* openAt(limits.handoffLifetime - 1)).status, 303)
    })
  )

  it.effect("is not started from what this site has not sealed for it", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("sealed"))
      const dana = yield* signInAnew("Dana")
      const session = dana.token
      const { jar } = yield* chosen("sealed", { session })
      const { specification } = jar
      const last = specification.at(-1) === "A" ? "B" : "A"
      const forged = [`${specification}A`, specification.slice(1), specification.slice(0, -1) + last, "a.b.c", "x"]
      // Sealed here, for another page.
      const code = cookieFrom(
        yield* submit("/workspace/join", { code: `ddi_${"0".repeat(64)}` }, { session }),
        "invitation"
      )
      for (const one of [...forged, ...(code === undefined ? [] : [code])]) {
        for (const answer of [
          yield* open(draftPath, { session, specification: one }),
          yield* startDraft({ session, specification: one }, choiceOf(dana))
        ]) {
          if (answer.status === 403) continue
          assertInOrder(answer, 409)
          assert.include(answer.text, "No specification waits in this browser")
        }
      }
      const without = yield* open(draftPath, { session })
      assertInOrder(without, 409)
      assert.strictEqual((yield* startDraft(jar, choiceOf(dana))).status, 303)
    })
  )

  it.effect("asks for organization and side, and takes only what its page shows", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("asks"))
      const dana = yield* signInAnew("Dana")
      const sam = yield* signInAnew("Sam")
      const { jar } = yield* chosen("asks", { session: dana.token })
      const without = yield* startDraft(jar, {})
      assertInOrder(without, 400)
      assert.include(without.text, "Choose one: the organization.")
      assert.include(without.text, "Choose one: the side.")
      for (const fields of [choiceOf(sam), choiceOf(dana, "NOBODY")]) {
        assertInOrder(yield* startDraft(jar, fields), 400)
      }
      assertInOrder(yield* startDraft(jar, { ...choiceOf(dana), more: "1" }), 400)
      assertInOrder(yield* startDraft(jar, { ...choiceOf(dana), formToken: "x" }), 403)
      const { text } = yield* open(draftPath, jar)
      const token = hiddenIn(text, "formToken")
      assertInOrder(yield* post(draftPath, { formToken: token, ...choiceOf(dana) }, jar), 400)
      const other = yield* post(draftPath, { formToken: token, handoffId: uuid(), ...choiceOf(dana) }, jar)
      assertInOrder(other, 409)
      assert.include(other.text, "Another specification was chosen in this browser since.")
      const elsewhere = { origin: "https://evil.test", "sec-fetch-site": "cross-site" }
      const handoffId = hiddenIn(text, "handoffId")
      const crossSite = yield* post(draftPath, { formToken: token, handoffId, ...choiceOf(dana) }, jar, elsewhere)
      assertInOrder(crossSite, 403)
      // Nothing of this used it up.
      assert.strictEqual((yield* startDraft(jar, choiceOf(dana, "SUPPLIER"))).status, 303)
    })
  )

  it.effect("is for members who prepare drafts or finish them", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("members"))
      const session = yield* signIn(yield* identityOf("Newcomer"), { isInvited: true })
      const { jar } = yield* chosen("members", { session: session.token })
      const shown = yield* open(draftPath, jar)
      assertInOrder(shown)
      assert.include(shown.text, "You cannot start a draft")
      assert.include(shown.text, `come back to <a href="${draftPath}">this page</a>`)
      const dana = yield* signInAnew("Dana")
      const left = yield* chosen("members", { session: dana.token })
      const { text } = yield* open(draftPath, left.jar)
      yield* endMembership(dana, dana)
      const fields = {
        formToken: hiddenIn(text, "formToken"),
        handoffId: hiddenIn(text, "handoffId"),
        ...choiceOf(dana)
      }
      assertInOrder(yield* post(draftPath, fields, left.jar), 403)
    })
  )

  it.effect("is offered on the sides that a membership takes, and says where another one does not", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("sides"))
      const { organizationId } = yield* signInAnew("Dana")
      const { token, personId } = yield* signIn(yield* identityOf("Newcomer"), { isInvited: true })
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      yield* createMembership({ personId, organizationId, authorities: ["PROPOSAL_MANAGE"], validUntil })
      const { jar } = yield* chosen("sides", { session: token })
      const { text } = yield* open(draftPath, jar)
      assert.notInclude(text, 'value="BUYER"')
      assert.match(text, /name="role"[^>]*value="SUPPLIER"[^>]*checked/)
      assertInOrder(yield* startDraft(jar, { organizationId, role: "BUYER" }), 400)
      // With another organization, both sides are there, and not for both.
      const lee = yield* join({ organizationId }, "Lee", ["PROPOSAL_MANAGE"])
      const both = yield* chosen("sides", { session: lee.token })
      const refused = yield* startDraft(both.jar, { organizationId, role: "BUYER" })
      assertInOrder(refused, 403)
      assert.deepStrictEqual(problemsOn(refused), [
        ["role", "For this organization you may not start a draft on this side."]
      ])
      assert.strictEqual((yield* startDraft(both.jar, { organizationId, role: "SUPPLIER" })).status, 303)
    })
  )

  it.effect("waits for nobody in a browser whose person signed out", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("left"))
      const dana = yield* signInAnew("Dana")
      const { jar } = yield* chosen("left", { session: dana.token })
      const out = yield* submit("/workspace/sign-out", {}, jar, "/workspace/account")
      assert.strictEqual(out.status, 200)
      assert.strictEqual(cookieFrom(out, "specification"), "")
    })
  )

  it.effect("is chosen by a form of this site and of this session", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("form"))
      const path = pathOf("form")
      const dana = yield* signInAnew("Dana")
      const jar = { session: dana.token }
      const refused = [
        yield* post(path, {}, jar),
        yield* post(path, { formToken: "x" }, jar),
        yield* post(path, {}, {}, { origin: "https://evil.test" }),
        yield* post(path, {}, {}, { "sec-fetch-site": "cross-site" })
      ]
      for (const answer of refused) {
        assertInOrder(answer, 403)
        assert.isUndefined(cookieFrom(answer, "specification"))
      }
      assertInOrder(yield* post(path, { more: "1" }), 400)
      assertInOrder(yield* post(pathOf("nothing"), {}), 404)
      assertInOrder(yield* post(path, { more: "x".repeat(400_001) }), 413)
      assert.strictEqual((yield* chosen("form", jar)).answer.headers["location"], draftPath)
    })
  )
})
