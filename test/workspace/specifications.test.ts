/** The pages of public specifications, and the draft that is started from a selected version. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { publishSpecification } from "../../src/discovery/publish.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { signIn } from "../../src/people/sessions.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { cookieFrom, hiddenIn, openPage, post, submit, type CookieJar } from "../support/forms.ts"
import { joinOrganization } from "../support/issued-records.ts"
import { problemsOn } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { uuid } from "../support/parties.ts"
import { freshTestService, siteUrl, type Answer } from "../support/service.ts"
import { identityOf, signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { specificationOf } from "../support/specifications.ts"
import { at } from "../support/time.ts"

const searchPath = "/workspace/specifications"
const draftPath = "/workspace/drafts/from-specification"
const pathOf = (id: string, version = 1) => `${searchPath}/${id}/versions/${version}`

const assertAccessible = ({ text, status }: Answer, wanted = 200) => {
  assert.strictEqual(status, wanted, text)
  assert.deepStrictEqual(accessibilityFaults(text), [])
}

/** The cookies of a visitor who selected a version. */
const selectVersion = Effect.fnUntraced(function* (id: string, jar: CookieJar = {}) {
  const answer = yield* submit(pathOf(id), {}, jar)
  assert.strictEqual(answer.status, 303, answer.text)
  return { answer, jar: { ...jar, specification: cookieFrom(answer, "specification") ?? "" } }
})

const choiceOf = ({ organizationId }: SignedInPerson, role = "BUYER") => ({ organizationId, role })

/** Submits the form with an organization and a role. */
const startDraft = Effect.fnUntraced(function* (jar: CookieJar, fields: Readonly<Record<string, string>>) {
  const { text } = yield* openPage(draftPath, jar)
  return yield* post(
    draftPath,
    { formToken: hiddenIn(text, "formToken"), handoffId: hiddenIn(text, "handoffId"), ...fields },
    jar
  )
})

layer(freshTestService, { excludeTestServices: true })("public specifications", (it) => {
  it.effect("Public specifications are searched without a session, and every result has its own address.", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("page-tea", { title: "Tea for two", summary: "Green." }))
      assertAccessible(yield* openPage(searchPath))
      const found = yield* openPage(`${searchPath}?q=TEA+two`)
      assertAccessible(found)
      assert.include(found.text, `href="${pathOf("page-tea")}"`)
      assert.include(found.text, `value="TEA two"`)
      const none = yield* openPage(`${searchPath}?q=coffee`)
      assertAccessible(none)
      assert.include(none.text, "No results.")
      assert.include((yield* openPage(`${searchPath}?q=%3F`)).text, "No results.")
      for (const query of ["?q=", "?q=+", "?q=a&q=b", "?other=x"]) {
        const empty = yield* openPage(searchPath + query)
        assertAccessible(empty)
        assert.notInclude(empty.text, "Results")
      }
      const dana = yield* signInNewPerson("Dana")
      const signedIn = yield* openPage(searchPath, { session: dana.token })
      assert.include(signedIn.text, `<a href="${searchPath}" aria-current="page">Public specifications</a>`)
      assert.include((yield* openPage("/workspace/")).text, `href="${searchPath}"`)
    })
  )

  it.effect("The search results are paged.", () =>
    Effect.gen(function* () {
      for (let index = 10; index < 32; index++) {
        yield* publishSpecification(specificationOf(`many-${index}`, { title: "Umbrella" }))
      }
      const first = yield* openPage(`${searchPath}?q=umbrella`)
      assertAccessible(first)
      assert.include(first.text, pathOf("many-29"))
      assert.notInclude(first.text, pathOf("many-30"))
      const [, next] = /<a href="([^"]*)">More results<\/a>/.exec(first.text) ?? []
      const second = yield* openPage(next!.replaceAll("&amp;", "&"))
      assertAccessible(second)
      assert.include(second.text, pathOf("many-31"))
      assert.notInclude(second.text, pathOf("many-29"))
      assert.notInclude(second.text, "More results")
      assertAccessible(yield* openPage(`${searchPath}?q=umbrella&after=x`), 400)
      const long = yield* openPage(`${searchPath}?q=${"a".repeat(201)}`)
      assertAccessible(long, 400)
      assert.include(long.text, "has at most 200 characters")
    })
  )

  it.effect("A specification is shown in full as inert text.", () =>
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
        const shown = yield* openPage(path)
        assertAccessible(shown)
        assert.notMatch(shown.text, /<script>|<b |\u202e|href="javascript/)
        assert.include(shown.text, "‹U+202E›")
      }
      const { text } = yield* openPage(pathOf("hostile"))
      for (const expected of [
        "summary",
        "First line.",
        "scope",
        " id",
        "criterion",
        "requirement",
        "baseline",
        digest
      ]) {
        assert.include(text, expected)
      }
      assert.include(text, "javascript:&lt;/title")
      assert.include(text, `href="/api/discover/specifications/hostile/versions/1"`)
      for (const path of [pathOf("hostile", 2), pathOf("hostile", 0), pathOf("none"), `${pathOf("hostile")}0`]) {
        assertAccessible(yield* openPage(path), 404)
      }
      for (const version of ["01", "1.0", "%00", "9".repeat(30)]) {
        assertAccessible(yield* openPage(`${searchPath}/hostile/versions/${version}`), 404)
      }
    })
  )

  it.effect("A version of a specification links to a newer version and does not change.", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("renewed", { scope: "The first scope." }))
      assert.notInclude((yield* openPage(pathOf("renewed"))).text, "newer version")
      yield* publishSpecification(specificationOf("renewed", { scope: "The second scope." }))
      const older = yield* openPage(pathOf("renewed"))
      assertAccessible(older)
      assert.include(older.text, `A newer version has been published: <a href="${pathOf("renewed", 2)}">version 2</a>`)
      assert.include(older.text, "The first scope.")
      assert.notInclude((yield* openPage(pathOf("renewed", 2))).text, "newer version")
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("drafts from a specification", (it) => {
  it.effect("A specification selected before the sign-in is started as a draft after it.", () =>
    Effect.gen(function* () {
      const { digest } = yield* publishSpecification(specificationOf("chosen", { title: "Chosen before" }))
      const { answer, jar } = yield* selectVersion("chosen")
      const signInFirst = `/workspace/sign-in?returnTo=${encodeURIComponent(draftPath)}`
      assert.strictEqual(answer.headers["location"], signInFirst)
      const set = answer.cookies.find((line) => line.startsWith("__Host-countersign-specification="))!
      assert.match(set, /Max-Age=86400;.*HttpOnly; Secure; SameSite=Lax/)
      assert.notInclude(jar.specification, "chosen")
      assert.strictEqual((yield* openPage(draftPath, jar)).status, 401)

      const dana = yield* signInNewPerson("Dana")
      const signedIn = { ...jar, session: dana.token }
      const shown = yield* openPage(draftPath, signedIn)
      assertAccessible(shown)
      for (const expected of ["Chosen before", digest, dana.organizationId]) assert.include(shown.text, expected)
      const started = yield* startDraft(signedIn, choiceOf(dana))
      assert.strictEqual(started.status, 303, started.text)
      const location = started.headers["location"]!
      assert.isTrue(location.startsWith(`${siteUrl}/workspace/`), location)
      assert.match(location, /draft_[0-9a-f-]{36}/)
      assert.strictEqual(cookieFrom(started, "specification"), "")
      // A replay after a lost response.
      const again = yield* startDraft(signedIn, choiceOf(dana))
      assert.strictEqual(again.headers["location"], location)
    })
  )

  it.effect("A selection starts one draft; another choice and another person are refused with 409.", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("once"))
      const { jar } = yield* selectVersion("once")
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      assert.strictEqual((yield* startDraft({ ...jar, session: dana.token }, choiceOf(dana))).status, 303)
      for (const [person, role] of [
        [dana, "SUPPLIER"],
        [sam, "BUYER"]
      ] as const) {
        const used = yield* startDraft({ ...jar, session: person.token }, choiceOf(person, role))
        assertAccessible(used, 409)
        assert.include(used.text, "The hand-off of the specification was used")
        assert.include(used.text, `href="${pathOf("once")}"`)
        assert.strictEqual(cookieFrom(used, "specification"), "")
      }
    })
  )

  it.effect("A selection expires exactly 24 hours later.", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("day"))
      const dana = yield* signInNewPerson("Dana")
      const start = yield* now
      const { jar } = yield* at(start)(selectVersion("day"))
      const openAt = (later: number) =>
        Effect.gen(function* () {
          // The earlier session has expired after a day.
          const session = yield* signIn({ ...dana.identity, authenticatedAt: yield* now }, { isInvited: false })
          return yield* startDraft({ ...jar, session: session.token }, choiceOf(dana))
        }).pipe(at(addMilliseconds(start, later)))
      const ended = yield* openAt(limits.handoffLifetime)
      assertAccessible(ended, 409)
      assert.include(ended.text, "more than 24 hours ago")
      assert.include(ended.text, `href="${searchPath}"`)
      assert.strictEqual((yield* openAt(limits.handoffLifetime - 1)).status, 303)
    })
  )

  it.effect("A draft is started only from a selection that this site has sealed for this purpose.", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("sealed"))
      const dana = yield* signInNewPerson("Dana")
      const session = dana.token
      const { jar } = yield* selectVersion("sealed", { session })
      const { specification } = jar
      const last = specification.at(-1) === "A" ? "B" : "A"
      const forged = [`${specification}A`, specification.slice(1), specification.slice(0, -1) + last, "a.b.c", "x"]
      // A cookie sealed by this site for another purpose.
      const code = cookieFrom(
        yield* submit("/workspace/join", { code: `ddi_${"0".repeat(64)}` }, { session }),
        "invitation"
      )
      for (const one of [...forged, ...(code === undefined ? [] : [code])]) {
        for (const answer of [
          yield* openPage(draftPath, { session, specification: one }),
          yield* startDraft({ session, specification: one }, choiceOf(dana))
        ]) {
          if (answer.status === 403) continue
          assertAccessible(answer, 409)
          assert.include(answer.text, "This browser has no selected specification")
        }
      }
      const without = yield* openPage(draftPath, { session })
      assertAccessible(without, 409)
      assert.strictEqual((yield* startDraft(jar, choiceOf(dana))).status, 303)
    })
  )

  it.effect("Starting a draft requires an organization and a role, and accepts only the fields of its page.", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("asks"))
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const { jar } = yield* selectVersion("asks", { session: dana.token })
      const without = yield* startDraft(jar, {})
      assertAccessible(without, 400)
      assert.include(without.text, "Choose one: the organization.")
      assert.include(without.text, "Choose one: the role.")
      for (const fields of [choiceOf(sam), choiceOf(dana, "NOBODY")]) {
        assertAccessible(yield* startDraft(jar, fields), 400)
      }
      assertAccessible(yield* startDraft(jar, { ...choiceOf(dana), more: "1" }), 400)
      assertAccessible(yield* startDraft(jar, { ...choiceOf(dana), formToken: "x" }), 403)
      const { text } = yield* openPage(draftPath, jar)
      const token = hiddenIn(text, "formToken")
      assertAccessible(yield* post(draftPath, { formToken: token, ...choiceOf(dana) }, jar), 400)
      const other = yield* post(draftPath, { formToken: token, handoffId: uuid(), ...choiceOf(dana) }, jar)
      assertAccessible(other, 409)
      assert.include(other.text, "Another specification has been selected in this browser since.")
      const elsewhere = { origin: "https://evil.test", "sec-fetch-site": "cross-site" }
      const handoffId = hiddenIn(text, "handoffId")
      const crossSite = yield* post(draftPath, { formToken: token, handoffId, ...choiceOf(dana) }, jar, elsewhere)
      assertAccessible(crossSite, 403)
      // The refused requests did not consume the selection.
      assert.strictEqual((yield* startDraft(jar, choiceOf(dana, "SUPPLIER"))).status, 303)
    })
  )

  it.effect("A draft can be started only by members who prepare or commit drafts.", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("members"))
      const session = yield* signIn(yield* identityOf("Newcomer"), { isInvited: true })
      const { jar } = yield* selectVersion("members", { session: session.token })
      const shown = yield* openPage(draftPath, jar)
      assertAccessible(shown)
      assert.include(shown.text, "You cannot start a draft")
      assert.include(shown.text, `return to <a href="${draftPath}">this page</a>`)
      const dana = yield* signInNewPerson("Dana")
      const left = yield* selectVersion("members", { session: dana.token })
      const { text } = yield* openPage(draftPath, left.jar)
      yield* endMembership(dana, dana)
      const fields = {
        formToken: hiddenIn(text, "formToken"),
        handoffId: hiddenIn(text, "handoffId"),
        ...choiceOf(dana)
      }
      assertAccessible(yield* post(draftPath, fields, left.jar), 403)
    })
  )

  it.effect("A draft is offered in the roles that a membership permits; another is refused at its field.", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("sides"))
      const { organizationId } = yield* signInNewPerson("Dana")
      const { token, personId } = yield* signIn(yield* identityOf("Newcomer"), { isInvited: true })
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      yield* createMembership({ personId, organizationId, authorities: ["PROPOSAL_MANAGE"], validUntil })
      const { jar } = yield* selectVersion("sides", { session: token })
      const { text } = yield* openPage(draftPath, jar)
      assert.notInclude(text, 'value="BUYER"')
      assert.match(text, /name="role"[^>]*value="SUPPLIER"[^>]*checked/)
      assertAccessible(yield* startDraft(jar, { organizationId, role: "BUYER" }), 400)
      // With a second organization, both roles are offered, but not for each organization.
      const lee = yield* joinOrganization({ organizationId }, "Lee", ["PROPOSAL_MANAGE"])
      const both = yield* selectVersion("sides", { session: lee.token })
      const refused = yield* startDraft(both.jar, { organizationId, role: "BUYER" })
      assertAccessible(refused, 403)
      assert.deepStrictEqual(problemsOn(refused), [
        ["role", "You may not start a draft in this role for this organization."]
      ])
      assert.strictEqual((yield* startDraft(both.jar, { organizationId, role: "SUPPLIER" })).status, 303)
    })
  )

  it.effect("A sign-out clears the selected specification.", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("left"))
      const dana = yield* signInNewPerson("Dana")
      const { jar } = yield* selectVersion("left", { session: dana.token })
      const out = yield* submit("/workspace/sign-out", {}, jar, "/workspace/account")
      assert.strictEqual(out.status, 200)
      assert.strictEqual(cookieFrom(out, "specification"), "")
    })
  )

  it.effect("A specification is selected only by a form of this site and of this session.", () =>
    Effect.gen(function* () {
      yield* publishSpecification(specificationOf("form"))
      const path = pathOf("form")
      const dana = yield* signInNewPerson("Dana")
      const jar = { session: dana.token }
      const refused = [
        yield* post(path, {}, jar),
        yield* post(path, { formToken: "x" }, jar),
        yield* post(path, {}, {}, { origin: "https://evil.test" }),
        yield* post(path, {}, {}, { "sec-fetch-site": "cross-site" })
      ]
      for (const answer of refused) {
        assertAccessible(answer, 403)
        assert.isUndefined(cookieFrom(answer, "specification"))
      }
      assertAccessible(yield* post(path, { more: "1" }), 400)
      assertAccessible(yield* post(pathOf("nothing"), {}), 404)
      assertAccessible(yield* post(path, { more: "x".repeat(400_001) }), 413)
      assert.strictEqual((yield* selectVersion("form", jar)).answer.headers["location"], draftPath)
    })
  )
})
