/** Malformed forms are answered with a page and never with an internal error. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { acceptParticipation, inviteParticipant } from "../../src/participation/invitations.ts"
import { createAssistant } from "../../src/participation/items.ts"
import { addContact } from "../../src/people/contacts.ts"
import { inviteMember } from "../../src/people/invitations.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { makeUnnamedProject } from "../support/person-requests.ts"
import { makeAgent, uuid } from "../support/parties.ts"
import { encode, formsOn, postRaw, readPage, type PageForm } from "../support/page-forms.ts"
import { pauseAs } from "../support/people.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

const allowed = [200, 303, 400, 401, 403, 404, 409, 413, 503]

/** Dana with an agent, an invitation, a contact, two projects and a task for herself, so that every form is shown. */
const fixture = Effect.gen(function* () {
  const dana = yield* signInNewPerson("Dana")
  const sam = yield* signInNewPerson("Sam")
  const projectId = yield* makeUnnamedProject(dana)
  const { grantId } = yield* makeAgent(dana, "BUYER", ["REVIEW_DELIVERY"], [projectId])
  const task = { projectId, title: "Look", instructions: "Look at it.", dueAt: null }
  const { code } = yield* inviteParticipant(dana, yield* nonIdempotentRequest(dana.personId), task)
  const { itemId } = yield* acceptParticipation(dana, code)
  const { organizationId } = dana
  yield* createAssistant(dana, yield* nonIdempotentRequest(dana.personId), itemId)
  yield* inviteMember(dana, yield* nonIdempotentRequest(dana.personId), { organizationId, authorities: [] })
  yield* addContact(dana, { organizationId, reference: "sam", name: "Sam", personId: sam.personId })
  const paused = yield* makeUnnamedProject(dana)
  yield* pauseAs({ personId: dana.personId, projectId: paused, reason: "Wait." })
  const place = `/workspace/organizations/${organizationId}`
  const pages = [
    `/workspace/agents/${grantId}`,
    `/workspace/agents/new?organizationId=${organizationId}&role=BUYER`,
    `${place}/members`,
    `${place}/members/${dana.membershipId}`,
    `${place}/contacts`,
    `/workspace/projects/${projectId}`,
    `/workspace/projects/${paused}`,
    `/workspace/projects/${projectId}/tasks/${itemId}`,
    `/workspace/tasks/${itemId}`
  ]
  const shown = yield* Effect.forEach(pages, (page) => readPage(dana, page))
  const forms = shown.flatMap(({ text }) => formsOn(text)).filter(({ action }) => action !== "/workspace/sign-out")
  // Forms that end a resource come last.
  const rank = ({ action }: PageForm) =>
    ["/done", "/withdraw", "/revoke", "/end"].findIndex((end) => action.endsWith(end))
  const ordered = forms.toSorted((a, b) => rank(a) - rank(b))
  return {
    dana,
    sam,
    pages,
    forms: ordered,
    foreign: [dana.personId, sam.personId, sam.organizationId, sam.membershipId, projectId, grantId]
  }
})

/** Valid values. */
const validValues: Readonly<Record<string, string>> = {
  confirmed: "on",
  days: "7",
  agentName: "Scout",
  preset: "CHOSEN",
  actions: "CREATE_PROJECT",
  until: "2030-01-31",
  reference: "dana",
  name: "Dana",
  reason: "Wait.",
  title: "Photos",
  instructions: "Ten photos.",
  due: "2030-01-31"
}

/** URL-encoded values; some are never sent by a browser. */
const hostile = [
  "", "+", "on", "0", "31", "-1", "1e9", "9".repeat(400), "SUPPLIER", "READ_ONLY", "CONFIRM_COMPLETION", "ACCEPT",
  "9999-12-31", "2026-02-30", "0000-01-01", "%00", "%ED%A0%80", "%FF", "%", "%0D%0A", "%E2%80%AE", "%F0%9F%98%80",
  "a".repeat(201), "a".repeat(4_001), "%3Cscript%3E", "[]", "{}"
] // prettier-ignore

/** The form with valid values and changed, duplicated, missing and added fields. */
const bodyOf = ({ hidden, names }: PageForm, known: ReadonlyArray<string>) => {
  const [personId = ""] = known
  const fine = { ...validValues, personId }
  const value = fc.oneof(
    fc.constantFrom(...hostile, ...known),
    fc.string({ maxLength: 30 }).map((text) => encodeURIComponent(text.replace(/[\ud800-\udfff]/g, "")))
  )
  const field = (name: string, own: string) =>
    fc.oneof(
      { weight: 12, arbitrary: fc.constant([`${name}=${encodeURIComponent(own)}`]) },
      { weight: 2, arbitrary: value.map((one) => [`${name}=${one}`]) },
      { weight: 1, arbitrary: value.map((one) => [`${name}=${encodeURIComponent(own)}`, `${name}=${one}`]) },
      { weight: 1, arbitrary: fc.constant([]) }
    )
  const optional = (name: string) =>
    fc.oneof(
      { weight: 12, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: value.map((one) => [`${name}=${one}`]) }
    )
  const { formToken = "", requestId, ...rest } = hidden
  const added = fc.constantFrom([], [], [], [], [], ["other=1"], ["__proto__=1"], ["formToken=a"])
  const ids =
    requestId === undefined ? [] : [fc.boolean().map((isAgain) => [`requestId=${isAgain ? requestId : uuid()}`])]
  const fields = [
    ...Object.entries(rest),
    ...names.map((name) => [name, fine[name as keyof typeof fine]] as const)
  ].flatMap(([name, own]) => (own === undefined ? [optional(name)] : [field(name, own)]))
  return fc
    .tuple(...ids, ...fields, added)
    .map((parts) => [`formToken=${encodeURIComponent(formToken)}`, ...parts.flat()].join("&"))
}

layer(freshTestService, { excludeTestServices: true })("hostile forms of the workspace", (it) => {
  it.effect(
    "Malformed and duplicated fields are answered with a page.",
    () =>
      Effect.gen(function* () {
        const { dana, forms, foreign } = yield* fixture
        assert.lengthOf(new Set(forms.map(({ action }) => action.replace(/_[0-9a-f-]{36}/g, ""))), 16)
        const seen = new Map<number, number>()
        for (const form of forms) {
          for (const raw of fc.sample(bodyOf(form, foreign), 40)) {
            const { status, text } = yield* postRaw(dana, form.action, raw)
            assert.include(allowed, status, `${form.action} ${raw}\n${text}`)
            seen.set(status, (seen.get(status) ?? 0) + 1)
          }
        }
        for (const status of [200, 303, 400, 409])
          assert.isTrue(seen.has(status), `nothing was answered with ${status}`)
      }),
    120_000
  )

  it.effect("A body that is too large, is no form, or contradicts its address is answered with a page.", () =>
    Effect.gen(function* () {
      const { dana, forms, foreign } = yield* fixture
      for (const { action, hidden } of forms) {
        const large = yield* postRaw(dana, action, encode({ ...hidden, reason: "a".repeat(limits.signedInFormBytes) }))
        assert.strictEqual(large.status, 413, action)
        const json = yield* postRaw(dana, action, "{}", { "content-type": "application/json" })
        assert.strictEqual(json.status, 400, action)
        const cut = yield* postRaw(dana, action, encode(hidden), { "content-type": "multipart/form-data; boundary=a" })
        assert.strictEqual(cut.status, 400, action)
        for (const id of [...foreign, `grant_${uuid()}`, "x", "%00", "%ED%A0%80", "..%2F..", "a".repeat(5_000)]) {
          const address = action.replace(/[a-z]+_[0-9a-f-]{36}/, id)
          const { status, text } = yield* postRaw(dana, address, encode(hidden))
          assert.include(allowed, status, `${address}\n${text}`)
        }
      }
    })
  )

  it.effect("A page with forms is refused to other persons and answered with a page at forged addresses.", () =>
    Effect.gen(function* () {
      const { dana, sam, pages, foreign } = yield* fixture
      for (const page of pages) {
        assert.include([403, 404], (yield* readPage(sam, page)).status, page)
        for (const id of [...foreign, "x", "%00", "%ED%A0%80", "a".repeat(5_000)]) {
          const { status, text } = yield* readPage(dana, page.replace(/[a-z]+_[0-9a-f-]{36}/, id))
          assert.include(allowed, status, text)
        }
      }
    })
  )
})
