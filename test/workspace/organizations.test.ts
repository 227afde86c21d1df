/** The pages of an organization: members, invitations and contacts. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { acceptMembership } from "../../src/people/invitations.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { authorityLabels } from "../../src/workspace/kit/labels.ts"
import { uuid } from "../support/parties.ts"
import { formOn, formsOn, problemsOn, readPage, secretOn, submit } from "../support/page-forms.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"

const organizationPath = ({ organizationId }: SignedInPerson, place: string) =>
  `/workspace/organizations/${organizationId}/${place}`

/** Mia joins Dana's organization with these authorities by an invitation from the page. */
const joinByInvitation = Effect.fnUntraced(function* (dana: SignedInPerson, authorities: ReadonlyArray<string>) {
  const mia = yield* signInNewPerson("Mia")
  const form = formOn(yield* readPage(dana, organizationPath(dana, "members")), organizationPath(dana, "invitations"))
  const code = secretOn(yield* submit(dana, form, { authorities, until: "2030-01-31" }))
  const { membershipId } = yield* acceptMembership(mia, code)
  return { mia, code, page: `${organizationPath(dana, "members")}/${membershipId}` }
})

layer(freshTestService, { excludeTestServices: true })("the navigation", (it) => {
  it.effect("Every link of the navigation leads to a page.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { text } = yield* readPage(dana, "/workspace/agents")
      const [navigation] = /<nav.*<\/nav>/s.exec(text) ?? [""]
      const links = [...navigation.matchAll(/href="([^"]*)"/g)].map(([, path]) => path!)
      assert.isAtLeast(links.length, 8)
      for (const path of links) assert.include([200, 303], (yield* readPage(dana, path)).status, path)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("members of an organization", (it) => {
  it.effect("The navigation leads to the members of the organization.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const led = yield* readPage(dana, "/workspace/members")
      assert.deepStrictEqual([led.status, led.headers["location"]], [303, organizationPath(dana, "members")])
      yield* joinByInvitation(dana, []).pipe(
        Effect.flatMap(({ mia }) => readPage(mia, "/workspace/members")),
        Effect.map((choice) => {
          assert.strictEqual(choice.status, 200)
          assert.include(choice.text, organizationPath(dana, "members"))
        })
      )
    })
  )

  it.effect("Members are listed with their authorities and the end of their membership.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { page } = yield* joinByInvitation(dana, ["DELEGATE", "DELIVERY_REVIEW"])
      const list = yield* readPage(dana, organizationPath(dana, "members"))
      assert.include(list.text, page)
      assert.include(list.text, "31 January 2030, 23:59 UTC")
      assert.include(list.text, authorityLabels.DELIVERY_REVIEW)
    })
  )

  it.effect("A resubmitted invitation form shows the same code, which no other page shows.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const list = yield* readPage(dana, organizationPath(dana, "members"))
      const form = formOn(list, organizationPath(dana, "invitations"))
      const first = yield* submit(dana, form, { authorities: "DELEGATE", until: "" })
      assert.strictEqual(first.headers["cache-control"], "no-store")
      const code = secretOn(first)
      assert.strictEqual(secretOn(yield* submit(dana, form, { authorities: "DELEGATE", until: "" })), code)
      const after = yield* readPage(dana, organizationPath(dana, "members"))
      assert.notInclude(after.text, code)
      const open = formsOn(after.text).filter(({ action }) => action.endsWith("/revoke"))
      assert.lengthOf(open, 1)
      assert.strictEqual((yield* submit(dana, open[0]!)).status, 303)
      assert.notInclude((yield* readPage(dana, organizationPath(dana, "members"))).text, "/revoke")
    })
  )

  it.effect.each([
    ["2026-02-30", "The last day is a date such as 2026-11-21."],
    ["tomorrow", "The last day is a date such as 2026-11-21."]
  ])("A membership until %s is refused at its field.", ([until, message]) =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const form = formOn(
        yield* readPage(dana, organizationPath(dana, "members")),
        organizationPath(dana, "invitations")
      )
      const refused = yield* submit(dana, form, { until: until! })
      assert.deepStrictEqual([refused.status, problemsOn(refused)], [400, [["until", message!]]])
    })
  )

  it.effect("A membership until a past day is refused, and the entered values are kept.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const form = formOn(
        yield* readPage(dana, organizationPath(dana, "members")),
        organizationPath(dana, "invitations")
      )
      const refused = yield* submit(dana, form, { authorities: "DELIVERY_REVIEW", until: "2020-01-31" })
      assert.deepStrictEqual(
        [refused.status, problemsOn(refused)],
        [400, [["until", "The last day has already passed."]]]
      )
      assert.include(refused.text, 'value="2020-01-31"')
      assert.match(refused.text, /value="DELIVERY_REVIEW"[^>]* checked/)
    })
  )

  it.effect("The end of the last membership that can invite members is announced before its confirmation.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { mia, page } = yield* joinByInvitation(dana, [])
      const own = `${organizationPath(dana, "members")}/${dana.membershipId}`
      const last = "No member remains who can invite members"
      const again = "the person can be invited again"
      const alone = (yield* readPage(dana, own)).text
      assert.include(alone, last)
      assert.notInclude(alone, again)
      assert.match(alone, /<label for="field-confirmed">[^]*no member remains who can invite members/)
      const others = (yield* readPage(dana, page)).text
      assert.include(others, again)
      assert.notInclude(others, last)
      assert.include((yield* readPage(mia, page)).text, again)
      yield* joinByInvitation(dana, ["MEMBERS_MANAGE"])
      const two = (yield* readPage(dana, own)).text
      assert.include(two, again)
      assert.notInclude(two, last)
    })
  )

  it.effect("A member without authorities reads so on the home page.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { mia } = yield* joinByInvitation(dana, [])
      const { text } = yield* readPage(mia, "/workspace/")
      assert.notInclude(text, "<ul></ul>")
      assert.include(text, "Read only")
    })
  )

  it.effect("A membership is ended after a confirmation, and its person loses access to the organization.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { mia, page } = yield* joinByInvitation(dana, [])
      const form = formOn(yield* readPage(dana, page), `${page}/end`)
      const unsure = yield* submit(dana, form)
      assert.deepStrictEqual(problemsOn(unsure), [["confirmed", "Tick the box to end the membership."]])
      assert.strictEqual((yield* readPage(mia, organizationPath(dana, "members"))).status, 200)
      assert.strictEqual((yield* submit(dana, form, { confirmed: "on" })).status, 303)
      assert.strictEqual((yield* readPage(mia, organizationPath(dana, "members"))).status, 403)
      assert.notInclude((yield* readPage(dana, page)).text, `${page}/end`)
    })
  )

  it.effect("A person who joins again is listed with the newest membership.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const mia = yield* signInNewPerson("Mia")
      const members = organizationPath(dana, "members")
      for (let times = 0; times < 5; times++) {
        const form = formOn(yield* readPage(dana, members), organizationPath(dana, "invitations"))
        const isLast = times === 4
        const authorities = isLast ? ["MEMBERS_MANAGE"] : []
        const code = secretOn(yield* submit(dana, form, { authorities, until: "" }))
        const { membershipId } = yield* acceptMembership(mia, code)
        assert.strictEqual((yield* readPage(mia, members)).text.includes(organizationPath(dana, "invitations")), isLast)
        if (!isLast) yield* endMembership(dana, { membershipId })
      }
    })
  )

  it.effect("A member who leaves is redirected to the home page.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { mia, page } = yield* joinByInvitation(dana, [])
      const left = yield* submit(mia, formOn(yield* readPage(mia, page), `${page}/end`), { confirmed: "on" })
      assert.deepStrictEqual([left.status, left.headers["location"]], [303, "/workspace/"])
    })
  )

  it.effect("A member without the authority can neither invite members nor end memberships.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { mia } = yield* joinByInvitation(dana, ["DELIVERY_REVIEW"])
      const list = yield* readPage(mia, organizationPath(dana, "members"))
      assert.notInclude(list.text, organizationPath(dana, "invitations"))
      const own = `${organizationPath(dana, "members")}/${dana.membershipId}`
      const shown = yield* readPage(mia, own)
      assert.notInclude(shown.text, `${own}/end`)
      const signOut = formOn(shown, "/workspace/sign-out")
      const forged = { ...signOut, action: `${own}/end` }
      assert.strictEqual((yield* submit(mia, forged, { confirmed: "on" })).status, 403)
      const inviting = { ...signOut, action: organizationPath(dana, "invitations") }
      assert.strictEqual((yield* submit(mia, inviting, { requestId: uuid(), until: "" })).status, 403)
    })
  )

  it.effect("The members of an organization are shown only to its members.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      for (const place of ["members", "contacts", `members/${dana.membershipId}`]) {
        assert.strictEqual((yield* readPage(sam, organizationPath(dana, place))).status, 403, place)
      }
      assert.strictEqual(
        (yield* readPage(dana, `${organizationPath(dana, "members")}/${sam.membershipId}`)).status,
        404
      )
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("contacts of an organization", (it) => {
  it.effect("Contacts are added and removed, and a hostile reference is shown as text.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const path = organizationPath(dana, "contacts")
      const reference = `"><script>\u202e`
      const add = formOn(yield* readPage(dana, path), path)
      const added = yield* submit(dana, add, { reference, name: "Sam", personId: dana.personId })
      assert.deepStrictEqual([added.status, added.headers["location"]], [303, path])
      const list = yield* readPage(dana, path)
      assert.notMatch(list.text, /<script>|\u202e<\/bdi>/)
      assert.include(list.text, "‹U+202E›")
      const removed = yield* submit(dana, formOn(list, `${path}/remove`), { reference })
      assert.strictEqual(removed.status, 303)
      assert.include((yield* readPage(dana, path)).text, "This organization has no contact yet.")
    })
  )

  it.effect("An invalid contact is refused at its field.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const path = organizationPath(dana, "contacts")
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
        [["personId", "No person has this personId; correct it."]]
      ])
      assert.strictEqual((yield* submit(dana, add, fine)).status, 303)
      assert.deepStrictEqual(yield* refused({ name: "Other" }), [
        409,
        [["reference", "Another contact has this reference; use another reference."]]
      ])
    })
  )
})
