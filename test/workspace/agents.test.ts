/** The pages of agents: invalid grant forms and idempotent forms. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readOwnGrant } from "../../src/access/grants.ts"
import { endSession } from "../../src/people/sessions.ts"
import { makeUnnamedProject } from "../support/person-requests.ts"
import { uuid } from "../support/parties.ts"
import { formOn, problemsOn, readPage, secretOn, submit, type Values } from "../support/page-forms.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"

const path = "/workspace/agents/new"
const noon = "2026-11-21T12:00:00.000Z" as Instant
const later = "2026-11-21T12:06:00.000Z" as Instant

const newForm = (by: SignedInPerson, role = "BUYER") =>
  Effect.map(readPage(by, `${path}?organizationId=${by.organizationId}&role=${role}`), (page) => formOn(page, path))

const fine: Values = { agentName: "Scout", preset: "CHOSEN", actions: "CREATE_PROJECT", days: "7" }

const me = (token: string) => send("GET", "/api/agents/v1/me", { token })

/** Creates an agent through the page. */
const makeAgentOf = Effect.fnUntraced(function* (by: SignedInPerson, values: Values = {}) {
  const form = yield* newForm(by)
  const answer = yield* submit(by, form, { ...fine, ...values })
  assert.strictEqual(answer.status, 200, answer.text)
  const token = secretOn(answer)
  const grantId = (yield* me(token)).body.id as string
  return { form, answer, token, grantId, page: `/workspace/agents/${grantId}` }
})

layer(freshTestService, { excludeTestServices: true })("grants created by a form", (it) => {
  it.effect("A grant has exactly the chosen values, and its token appears only in the response.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const projectId = yield* makeUnnamedProject(dana)
      const { answer, token, grantId, page } = yield* makeAgentOf(dana, {
        projects: projectId,
        actions: ["CREATE_PROJECT", "REVIEW_DELIVERY"],
        days: "3",
        requirement1: " Keep it blue. ",
        requirement1Decisions: ["ACCEPT", "ISSUE"]
      })
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      const { grant, projectIds } = yield* readOwnGrant(dana, grantId)
      assert.deepStrictEqual(projectIds, [projectId])
      assert.deepStrictEqual(grant.actions, ["CREATE_PROJECT", "REVIEW_DELIVERY"])
      assert.deepStrictEqual(grant.subjectRequirements, [
        { id: "requirement-1", statement: "Keep it blue.", humanDecisions: ["ACCEPT", "ISSUE"] }
      ])
      const lifetime = Date.parse(grant.expiresAt) - Date.parse(grant.createdAt)
      assert.isAtMost(Math.abs(lifetime - 3 * 86_400_000), 60_000)
      for (const shown of [yield* readPage(dana, page), yield* readPage(dana, "/workspace/agents")]) {
        assert.strictEqual(shown.status, 200)
        assert.include(shown.text, "Scout")
        assert.notInclude(shown.text, token)
      }
    })
  )

  it.effect.each([
    ["no name", { agentName: " " }, "agentName", "The name is needed."],
    ["an invisible name", { agentName: "\u200b \u2800" }, "agentName", "The name needs a visible character."],
    ["a long name", { agentName: "a".repeat(201) }, "agentName", "The name has at most 200 characters."],
    ["no choice", { preset: [] }, "preset", "Choose one: what the agent may do."],
    ["a preset of the other side", { preset: "SUBMIT" }, "preset", "Choose one: what the agent may do."],
    [
      "the choice of single actions and none ticked",
      { actions: [] },
      "preset",
      "Tick at least one action, or choose read only."
    ],
    [
      "an action beside a preset",
      { preset: "REVIEW" },
      "preset",
      "Single actions are ticked too: choose single actions, or untick them."
    ],
    [
      "a guarded action among the ordinary ones",
      { actions: "CONFIRM_COMPLETION" },
      "actions",
      "Choose again: the actions."
    ],
    ["an action of the other side", { actions: "SUBMIT_MATERIALS" }, "actions", "Choose again: the actions."],
    [
      "a final decision of a read-only agent",
      { preset: "READ_ONLY", actions: [], consentToConfirm: "on" },
      "preset",
      "A read-only agent takes no decisions: choose again, or untick the consents."
    ],
    ["an unknown project", { projects: `delivery_${uuid()}` }, "projects", "Choose again: the projects."],
    ["zero days", { days: "0" }, "days", "The days: a whole number from 1 to 30."],
    ["too many days", { days: "31" }, "days", "The days: a whole number from 1 to 30."],
    ["half a day", { days: "1.5" }, "days", "The days: a whole number from 1 to 30."],
    [
      "reserved decisions without a requirement",
      { requirement2Decisions: "ACCEPT" },
      "requirement2",
      "Requirement 2 is needed, because it reserves decisions for people."
    ],
    [
      "an unknown decision",
      { requirement1: "A", requirement1Decisions: "PAY" },
      "requirement1Decisions",
      "Choose again: the decisions."
    ]
  ] satisfies ReadonlyArray<readonly [string, Values, string, string]>)(
    "A grant form with %s is refused with a problem at its field.",
    ([, change, field, message]) =>
      Effect.gen(function* () {
        const dana = yield* signInNewPerson("Dana")
        const form = yield* newForm(dana)
        const refused = yield* submit(dana, form, { ...fine, ...change })
        assert.strictEqual(refused.status, 400)
        assert.deepStrictEqual(problemsOn(refused), [[field, message]])
        // The form keeps its requestId, so that the corrected form is the same request.
        assert.strictEqual(formOn(refused, path).hidden["requestId"], form.hidden["requestId"])
        assert.strictEqual((yield* submit(dana, formOn(refused, path), fine)).status, 200)
      })
  )

  it.effect("A grant form with an unknown field or an invalid hidden field is refused.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const form = yield* newForm(dana)
      for (const change of [{ other: "1" }, { requestId: "1" }, { role: "OWNER" }, { organizationId: dana.personId }]) {
        const refused = yield* submit(dana, form, { ...fine, ...change })
        assert.strictEqual(refused.status, 400, JSON.stringify(change))
      }
      const sam = yield* signInNewPerson("Sam")
      const foreign = yield* submit(dana, form, { ...fine, organizationId: sam.organizationId })
      assert.strictEqual(foreign.status, 403)
    })
  )

  it.effect("A resubmitted grant form shows the same token until the token is used.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const form = yield* newForm(dana)
      const first = secretOn(yield* submit(dana, form, fine))
      assert.strictEqual(secretOn(yield* submit(dana, form, fine)), first)
      assert.strictEqual((yield* submit(dana, form, { ...fine, days: "8" })).status, 409)
      const list = yield* readPage(dana, "/workspace/agents")
      assert.lengthOf(list.text.match(/<tr /g) ?? [], 2)
      assert.strictEqual((yield* me(first)).status, 200)
      const spent = yield* submit(dana, form, fine)
      assert.strictEqual(spent.status, 409)
      assert.notInclude(spent.text, first)
    })
  )

  it.effect("A final decision is granted only with its own consent and a recent sign-in.", () =>
    Effect.gen(function* () {
      const dana = yield* at(noon)(signInNewPerson("Dana"))
      const form = yield* at(noon)(newForm(dana))
      const guarded = { ...fine, consentToConfirm: "on" }
      const tooLate = yield* at(later)(submit(dana, form, guarded))
      assert.strictEqual(tooLate.status, 401)
      const back = encodeURIComponent(`${path}?organizationId=${dana.organizationId}&role=BUYER`)
      assert.include(tooLate.text.replaceAll("&amp;", "&"), `/workspace/sign-in?returnTo=${back}&freshly=on`)
      const shown = yield* at(later)(readPage(dana, `${path}?organizationId=${dana.organizationId}&role=BUYER`))
      assert.notInclude(shown.text, "consentToConfirm")
      const made = yield* at(noon)(submit(dana, form, guarded))
      const granted = yield* at(noon)(me(secretOn(made)))
      assert.deepStrictEqual(granted.body.actions, ["CREATE_PROJECT", "CONFIRM_COMPLETION"])
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("the page of an agent", (it) => {
  it.effect("A resubmitted renewal form renews once, and the earlier token is refused.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { token, page } = yield* makeAgentOf(dana)
      const before = yield* readPage(dana, page)
      const form = formOn(before, `${page}/renew`)
      const renewed = secretOn(yield* submit(dana, form, { days: "30" }))
      assert.notStrictEqual(renewed, token)
      assert.strictEqual((yield* me(token)).status, 401)
      assert.strictEqual(secretOn(yield* submit(dana, form, { days: "30" })), renewed)
      assert.strictEqual((yield* me(renewed)).status, 200)
      assert.strictEqual((yield* submit(dana, form, { days: "30" })).status, 409)
      const stale = yield* submit(dana, form, { days: "30", requestId: uuid() })
      assert.strictEqual(stale.status, 409)
      assert.include(stale.text, "renewed since")
      const wrong = yield* submit(dana, form, { days: "31", requestId: uuid() })
      assert.deepStrictEqual(
        [wrong.status, problemsOn(wrong)],
        [400, [["days", "The days: a whole number from 1 to 30."]]]
      )
    })
  )

  it.effect("A corrected renewal form keeps its expected generation and cannot undo another renewal.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { page } = yield* makeAgentOf(dana)
      const form = formOn(yield* readPage(dana, page), `${page}/renew`)
      const inOtherTab = formOn(yield* readPage(dana, page), `${page}/renew`)
      const renewed = secretOn(yield* submit(dana, inOtherTab, { days: "30" }))
      const mistaken = yield* submit(dana, form, { days: "31" })
      const mended = formOn(mistaken, `${page}/renew`)
      assert.strictEqual(mended.hidden["expectedGeneration"], "1")
      assert.strictEqual((yield* submit(dana, mended, { days: "30" })).status, 409)
      assert.strictEqual((yield* me(renewed)).status, 200)
    })
  )

  it.effect("An error on an agent's page links to no field when its forms are gone.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { page } = yield* makeAgentOf(dana)
      const shown = yield* readPage(dana, page)
      assert.strictEqual((yield* submit(dana, formOn(shown, `${page}/revoke`), { confirmed: "on" })).status, 303)
      for (const late of [
        yield* submit(dana, formOn(shown, `${page}/renew`), { days: "31" }),
        yield* submit(dana, formOn(shown, `${page}/revoke`))
      ]) {
        assert.include(late.text, "It was revoked")
        assert.deepStrictEqual(problemsOn(late), [])
      }
    })
  )

  it.effect("A revocation requires a ticked box and is idempotent.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { token, page } = yield* makeAgentOf(dana)
      const form = formOn(yield* readPage(dana, page), `${page}/revoke`)
      const unsure = yield* submit(dana, form)
      assert.deepStrictEqual(
        [unsure.status, problemsOn(unsure)],
        [400, [["confirmed", "Tick the box to revoke the agent."]]]
      )
      assert.strictEqual((yield* me(token)).status, 200)
      for (const _ of [1, 2]) {
        const revoked = yield* submit(dana, form, { confirmed: "on" })
        assert.deepStrictEqual([revoked.status, revoked.headers["location"]], [303, page])
      }
      assert.strictEqual((yield* me(token)).status, 401)
      const after = yield* readPage(dana, page)
      assert.include(after.text, "revoked")
      assert.notInclude(after.text, `${page}/renew`)
    })
  )

  it.effect("An agent can be read, renewed and revoked only by its own person.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { token, page, answer } = yield* makeAgentOf(dana)
      const sam = yield* signInNewPerson("Sam")
      const own = yield* makeAgentOf(sam)
      const forms = yield* readPage(sam, own.page)
      assert.include(answer.text, "Scout")
      assert.strictEqual((yield* readPage(sam, page)).status, 404)
      const renewal = { ...formOn(forms, `${own.page}/renew`), action: `${page}/renew` }
      assert.strictEqual((yield* submit(sam, renewal, { days: "3" })).status, 404)
      const malformed = { days: "3", unknown: "on" }
      assert.strictEqual((yield* submit(sam, renewal, malformed)).status, 404)
      const revocation = { ...formOn(forms, `${own.page}/revoke`), action: `${page}/revoke` }
      assert.strictEqual((yield* submit(sam, revocation, { confirmed: "on" })).status, 404)
      assert.strictEqual((yield* me(token)).status, 200)
    })
  )

  it.effect("A form of an ended session has no effect.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { token, page } = yield* makeAgentOf(dana)
      const shown = yield* readPage(dana, page)
      yield* endSession(dana)
      assert.strictEqual((yield* readPage(dana, page)).status, 401)
      const sent = yield* submit(dana, formOn(shown, `${page}/revoke`), { confirmed: "on" })
      assert.strictEqual(sent.status, 401)
      assert.strictEqual((yield* me(token)).status, 200)
    })
  )

  it.effect("A hostile agent name is shown as text on the agent's page and in the list.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { page } = yield* makeAgentOf(dana, { agentName: `<script>alert(1)</script>\u202e` })
      for (const shown of [yield* readPage(dana, page), yield* readPage(dana, "/workspace/agents")]) {
        assert.include(shown.text, "&lt;script>alert(1)&lt;/script>‹U+202E›")
        assert.notMatch(shown.text, /<script>|\u202e/)
      }
    })
  )
})
