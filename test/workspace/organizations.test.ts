/** The pages of an organization: its members, its invitations, its contacts. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { acceptMembership } from "../../src/people/invitations.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { authorityWords } from "../../src/workspace/words.ts"
import { uuid } from "../support/parties.ts"
import { formOn, formsOn, problemsOn, readPage, secretOn, submit } from "../support/page-forms.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew, type SignedInPerson } from "../support/sessions.ts"

const placeOf = ({ organizationId }: SignedInPerson, place: string) =>
  `/workspace/organizations/${organizationId}/${place}`

/** Mia joins Dana's organization with these authorities, through an invitation of the page. */
const joined = Effect.fnUntraced(function* (dana: SignedInPerson, authorities: ReadonlyArray<string>) {
  const mia = yield* signInAnew("Mia")
  const form = formOn(yield* readPage(dana, placeOf(dana, "members")), placeOf(dana, "invitations"))
  const code = secretOn(yield* submit(dana, form, { authorities, until: "2030-01-31" }))
  const { membershipId } = yield* acceptMembership(mia, code)
  return { mia, code, page: `${placeOf(dana, "members")}/${membershipId}` }
})

layer(freshTestService, { excludeTestServices: true })("the navigation", (it) => {
  it.effect("leads to a page by each of its links", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const { text } = yield* readPage(dana, "/workspace/agents")
      const [navigation] = /<nav.*<\/nav>/s.exec(text) ?? [""]
      const links = [...navigation.matchAll(/href="([^"]*)"/g)].map(([, path]) => path!)
      assert.isAtLeast(links.length, 8)
      for (const path of links) assert.include([200, 303], (yield* readPage(dana, path)).status, path)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("the members of an organization", (it) => {
  it.effect("are reached from the navigation", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const led = yield* readPage(dana, "/workspace/members")
      assert.deepStrictEqual([led.status, led.headers["location"]], [303, placeOf(dana, "members")])
      yield* joined(dana, []).pipe(
        Effect.flatMap(({ mia }) => readPage(mia, "/workspace/members")),
        Effect.map((choice) => {
          assert.strictEqual(choice.status, 200)
          assert.include(choice.text, placeOf(dana, "members"))
        })
      )
    })
  )

  it.effect("are shown with what they may do and until when", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const { page } = yield* joined(dana, ["DELEGATE", "DELIVERY_REVIEW"])
      const list = yield* readPage(dana, placeOf(dana, "members"))
      assert.include(list.text, page)
      assert.include(list.text, "31 January 2030, 23:59 UTC")
      assert.include(list.text, authorityWords.DELIVERY_REVIEW)
    })
  )

  it.effect("are invited by one code however often the form is sent, and the code is shown nowhere else", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const list = yield* readPage(dana, placeOf(dana, "members"))
      const form = formOn(list, placeOf(dana, "invitations"))
      const first = yield* submit(dana, form, { authorities: "DELEGATE", until: "" })
      assert.strictEqual(first.headers["cache-control"], "no-store")
      const code = secretOn(first)
      assert.strictEqual(secretOn(yield* submit(dana, form, { authorities: "DELEGATE", until: "" })), code)
      const after = yield* readPage(dana, placeOf(dana, "members"))
      assert.notInclude(after.text, code)
      const open = formsOn(after.text).filter(({ action }) => action.endsWith("/revoke"))
      assert.lengthOf(open, 1)
      assert.strictEqual((yield* submit(dana, open[0]!)).status, 303)
      assert.notInclude((yield* readPage(dana, placeOf(dana, "members"))).text, "/revoke")
    })
  )

  it.effect.each([
    ["2026-02-30", "The last day is a date such as 2026-11-21."],
    ["tomorrow", "The last day is a date such as 2026-11-21."]
  ])("are not invited until %s", ([until, message]) =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const form = formOn(yield* readPage(dana, placeOf(dana, "members")), placeOf(dana, "invitations"))
      const refused = yield* submit(dana, form, { until: until! })
      assert.deepStrictEqual([refused.status, problemsOn(refused)], [400, [["until", message!]]])
    })
  )

  it.effect("are invited until no day that is over, and what was entered stays", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const form = formOn(yield* readPage(dana, placeOf(dana, "members")), placeOf(dana, "invitations"))
      const refused = yield* submit(dana, form, { authorities: "DELIVERY_REVIEW", until: "2020-01-31" })
      assert.deepStrictEqual([refused.status, problemsOn(refused)], [400, [["until", "The last day is over already."]]])
      assert.include(refused.text, 'value="2020-01-31"')
      assert.match(refused.text, /value="DELIVERY_REVIEW"[^>]* checked/)
    })
  )

  it.effect("are told what it means that the last one who manages members leaves", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const { mia, page } = yield* joined(dana, [])
      const own = `${placeOf(dana, "members")}/${dana.membershipId}`
      const last = "Nobody is left then who can invite members"
      const again = "the person can be invited again"
      const alone = (yield* readPage(dana, own)).text
      assert.include(alone, last)
      assert.notInclude(alone, again)
      assert.match(alone, /<label for="field-confirmed">[^]*nobody is left who can invite members/)
      const others = (yield* readPage(dana, page)).text
      assert.include(others, again)
      assert.notInclude(others, last)
      assert.include((yield* readPage(mia, page)).text, again)
      yield* joined(dana, ["MEMBERS_MANAGE"])
      const two = (yield* readPage(dana, own)).text
      assert.include(two, again)
      assert.notInclude(two, last)
    })
  )

  it.effect("who may only look read so at home", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const { mia } = yield* joined(dana, [])
      const { text } = yield* readPage(mia, "/workspace/")
      assert.notInclude(text, "<ul></ul>")
      assert.include(text, "Look only")
    })
  )

  it.effect("are ended with a ticked box, and cannot come back by what they see", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const { mia, page } = yield* joined(dana, [])
      const form = formOn(yield* readPage(dana, page), `${page}/end`)
      const unsure = yield* submit(dana, form)
      assert.deepStrictEqual(problemsOn(unsure), [["confirmed", "Tick the box to end the membership."]])
      assert.strictEqual((yield* readPage(mia, placeOf(dana, "members"))).status, 200)
      assert.strictEqual((yield* submit(dana, form, { confirmed: "on" })).status, 303)
      assert.strictEqual((yield* readPage(mia, placeOf(dana, "members"))).status, 403)
      assert.notInclude((yield* readPage(dana, page)).text, `${page}/end`)
    })
  )

  it.effect("who come back stand there by their newest membership", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const mia = yield* signInAnew("Mia")
      const members = placeOf(dana, "members")
      for (let times = 0; times < 5; times++) {
        const form = formOn(yield* readPage(dana, members), placeOf(dana, "invitations"))
        const isLast = times === 4
        const authorities = isLast ? ["MEMBERS_MANAGE"] : []
        const code = secretOn(yield* submit(dana, form, { authorities, until: "" }))
        const { membershipId } = yield* acceptMembership(mia, code)
        assert.strictEqual((yield* readPage(mia, members)).text.includes(placeOf(dana, "invitations")), isLast)
        if (!isLast) yield* endMembership(dana, { membershipId })
      }
    })
  )

  it.effect("leave by themselves, and go home", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const { mia, page } = yield* joined(dana, [])
      const left = yield* submit(mia, formOn(yield* readPage(mia, page), `${page}/end`), { confirmed: "on" })
      assert.deepStrictEqual([left.status, left.headers["location"]], [303, "/workspace/"])
    })
  )

  it.effect("neither invite nor end others without the authority", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const { mia } = yield* joined(dana, ["DELIVERY_REVIEW"])
      const list = yield* readPage(mia, placeOf(dana, "members"))
      assert.notInclude(list.text, placeOf(dana, "invitations"))
      const own = `${placeOf(dana, "members")}/${dana.membershipId}`
      const shown = yield* readPage(mia, own)
      assert.notInclude(shown.text, `${own}/end`)
      const signOut = formOn(shown, "/workspace/sign-out")
      const forged = { ...signOut, action: `${own}/end` }
      assert.strictEqual((yield* submit(mia, forged, { confirmed: "on" })).status, 403)
      const inviting = { ...signOut, action: placeOf(dana, "invitations") }
      assert.strictEqual((yield* submit(mia, inviting, { requestId: uuid(), until: "" })).status, 403)
    })
  )

  it.effect("are shown to members alone", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const sam = yield* signInAnew("Sam")
      for (const place of ["members", "contacts", `members/${dana.membershipId}`]) {
        assert.strictEqual((yield* readPage(sam, placeOf(dana, place))).status, 403, place)
      }
      assert.strictEqual((yield* readPage(dana, `${placeOf(dana, "members")}/${sam.membershipId}`)).status, 404)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("the contacts of an organization", (it) => {
  it.effect("are added and removed, and a hostile reference is text", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const path = placeOf(dana, "contacts")
      const reference = `"><script>\u202e`
      const add = formOn(yield* readPage(dana, path), path)
      const added = yield* submit(dana, add, { reference, name: "Sam", personId: dana.personId })
      assert.deepStrictEqual([added.status, added.headers["location"]], [303, path])
      const list = yield* readPage(dana, path)
      assert.notMatch(list.text, /<script|\u202e<\/bdi>/)
      assert.include(list.text, "‹U+202E›")
      const removed = yield* submit(dana, formOn(list, `${path}/remove`), { reference })
      assert.strictEqual(removed.status, 303)
      assert.include((yield* readPage(dana, path)).text, "This organization has no contact yet.")
    })
  )

  it.effect("are refused at the field that is wrong", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      const path = placeOf(dana, "contacts")
      const add = formOn(yield* readPage(dana, path), path)
      const fine = { reference: "sam", name: "Sam", personId: dana.personId }
      const refused = (change: object) =>
        Effect.map(submit(dana, add, { ...fine, ...change }), (answer) => [answer.status, problemsOn(answer)])
      assert.deepStrictEqual(yield* refused({ personId: "Sam" }), [
        400,
        [["personId", "A person’s id looks like person_1b4e28ba-2fa1-4d2b-a3f5-0de1f0a1c2d3."]]
      ])
      assert.deepStrictEqual(yield* refused({ personId: `person_${uuid()}` }), [
        404,
        [["personId", "No person has this id."]]
      ])
      assert.strictEqual((yield* submit(dana, add, fine)).status, 303)
      assert.deepStrictEqual(yield* refused({ name: "Other" }), [
        409,
        [["reference", "Another contact has this reference already."]]
      ])
    })
  )
})
