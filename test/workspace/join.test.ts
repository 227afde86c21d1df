/** Joining by invitation: what was shown is what is accepted, by the person to whom it was shown, once. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inviteParticipant } from "../../src/participation/invitations.ts"
import { listItems } from "../../src/participation/items.ts"
import { inviteMember } from "../../src/people/invitations.ts"
import { signIn } from "../../src/people/sessions.ts"
import { readStanding } from "../../src/people/standing.ts"
import { readOfferedAgreement } from "../../src/projects/offered.ts"
import { inviteRepresentative } from "../../src/projects/representative.ts"
import { listProjects } from "../../src/projects/sides.ts"
import { unrepeated } from "../../src/replay/replay.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { timeText } from "../../src/workspace/parts.ts"
import { cookieFrom, hiddenIn, open, post, submit } from "../support/forms.ts"
import { makeUnnamedProject } from "../support/human-requests.ts"
import { confirmAgreement, creation, makeAgent, uuid } from "../support/parties.ts"
import { freshTestService, legalDocument, send } from "../support/service.ts"
import { identityOf, signInAnew, type SignedInPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"

const joinPath = "/workspace/join"
const hostile = `<b onclick="x">\u202e`

/** A membership in the workspace of somebody with a hostile name. */
const invited = Effect.gen(function* () {
  const owner = yield* signInAnew(hostile)
  const terms = { organizationId: owner.organizationId, authorities: ["DELEGATE"] as const }
  const made = yield* inviteMember(owner, yield* unrepeated(owner.personId), terms)
  return { owner, code: "code" in made ? made.code : "", invitationId: made.invitationId }
})

/** The browser of a person who has typed a code. */
const entered = Effect.fnUntraced(function* ({ token }: Pick<SignedInPerson, "token">, code: string) {
  const answer = yield* submit(joinPath, { code }, { session: token })
  return { session: token, invitation: cookieFrom(answer, "invitation") ?? "" }
})

const membershipsOf = (person: SignedInPerson) =>
  Effect.map(readStanding(person), ({ memberships }) => memberships.map(({ organizationId }) => organizationId))

layer(freshTestService, { excludeTestServices: true })("an invitation", (it) => {
  it.effect("shows its terms, and is accepted by a form of this session", () =>
    Effect.gen(function* () {
      const { owner, code, invitationId } = yield* invited
      const guest = yield* signInAnew("Guest")
      const jar = yield* entered(guest, code)
      const shown = yield* open(joinPath, jar)
      assert.strictEqual(shown.status, 200)
      assert.include(shown.text, "&lt;b onclick=&quot;x&quot;>‹U+202E›")
      assert.notInclude(shown.text + jar.invitation, code)
      assert.include((yield* open("/workspace/", jar)).text, "You entered the code of an invitation.")
      const accept = { invitationId, requestId: hiddenIn(shown.text, "requestId") }
      const other = yield* signInAnew("Other")
      const otherToken = hiddenIn((yield* open("/workspace/account", { session: other.token })).text, "formToken")
      assert.strictEqual((yield* post(`${joinPath}/accept`, accept, jar)).status, 403)
      assert.strictEqual((yield* post(`${joinPath}/accept`, { ...accept, formToken: otherToken }, jar)).status, 403)
      assert.strictEqual((yield* post(`${joinPath}/accept`, accept, { invitation: jar.invitation })).status, 401)
      assert.notInclude(yield* membershipsOf(guest), owner.organizationId)
      const accepted = yield* submit(`${joinPath}/accept`, accept, jar, joinPath)
      assert.strictEqual(accepted.status, 200)
      assert.strictEqual(cookieFrom(accepted, "invitation"), "")
      assert.include(yield* membershipsOf(guest), owner.organizationId)
      // Somebody else finds it used.
      const late = yield* open(joinPath, { ...jar, session: other.token })
      assert.strictEqual(late.status, 404)
      assert.include(late.text, "No invitation waits under this code")
    })
  )

  it.effect("is not another one than was shown", () =>
    Effect.gen(function* () {
      const first = yield* invited
      const second = yield* invited
      const guest = yield* signInAnew("Guest")
      const jar = yield* entered(guest, first.code)
      const accept = { invitationId: second.invitationId, requestId: uuid() }
      const refused = yield* submit(`${joinPath}/accept`, accept, jar, joinPath)
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "Nothing was accepted")
      assert.lengthOf(yield* membershipsOf(guest), 1)
    })
  )

  it.effect("is kept for ten minutes, in a cookie that nobody else made", () =>
    Effect.gen(function* () {
      const { code } = yield* invited
      const guest = yield* signInAnew("Guest")
      const jar = yield* entered(guest, code)
      assert.include((yield* open(joinPath, jar)).text, "Join on these terms")
      const late = addMilliseconds(yield* now, limits.sealedCookieLifetime)
      const asks = (answer: { readonly text: string }) => assert.include(answer.text, "Code of the invitation")
      asks(yield* open(joinPath, jar).pipe(at(late)))
      for (const invitation of [`${jar.invitation}A`, jar.invitation.slice(1), code, "a.b.c"]) {
        asks(yield* open(joinPath, { ...jar, invitation }))
        const accept = { invitationId: `invitation_${uuid()}`, requestId: uuid() }
        const refused = yield* submit(`${joinPath}/accept`, accept, { ...jar, invitation }, joinPath)
        assert.strictEqual(refused.status, 409)
      }
      const left = yield* submit(`${joinPath}/leave`, {}, jar, joinPath)
      assert.deepStrictEqual([left.status, cookieFrom(left, "invitation")], [303, ""])
    })
  )

  it.effect("is asked for with the token of the session, where there is one", () =>
    Effect.gen(function* () {
      const { code } = yield* invited
      const guest = yield* signInAnew("Guest")
      assert.strictEqual((yield* post(joinPath, { code }, { session: guest.token })).status, 403)
      assert.strictEqual((yield* post(joinPath, { code }, {}, { origin: "https://evil.test" })).status, 403)
      for (const path of [`${joinPath}?code=${code}`, `${joinPath}/${code}`]) {
        const { text } = yield* open(path, { session: guest.token })
        assert.notInclude(text.replaceAll(encodeURIComponent(path), ""), "Join on these terms")
      }
    })
  )

  it.effect("to supply names the agreement, and is accepted for one of one's own organizations", () =>
    Effect.gen(function* () {
      const buyer = yield* signInAnew("Buyer")
      const projectId = yield* makeUnnamedProject(buyer)
      const made = yield* inviteRepresentative(buyer, yield* unrepeated(buyer.personId), { projectId })
      const supplier = yield* signInAnew("Supplier")
      const jar = yield* entered(supplier, "code" in made ? made.code : "")
      const shown = yield* open(joinPath, jar)
      assert.match(shown.text, /<code class="secret">[0-9a-f]{64}<\/code>/)
      const accept = { invitationId: made.invitationId, requestId: hiddenIn(shown.text, "requestId") }
      const without = yield* submit(`${joinPath}/accept`, accept, jar, joinPath)
      assert.strictEqual(without.status, 400)
      assert.include(without.text, "Choose one: the organization.")
      const foreign = { ...accept, organizationId: buyer.organizationId }
      assert.strictEqual((yield* submit(`${joinPath}/accept`, foreign, jar, joinPath)).status, 400)
      assert.lengthOf(yield* listProjects(supplier), 0)
      const chosen = { ...accept, organizationId: supplier.organizationId }
      const accepted = yield* submit(`${joinPath}/accept`, chosen, jar, joinPath)
      assert.strictEqual(accepted.status, 200)
      const again = yield* submit(`${joinPath}/accept`, chosen, jar, joinPath)
      assert.strictEqual(again.status, 200, "sent twice it has its effect once")
      const [own, ...more] = yield* listProjects(supplier)
      assert.deepStrictEqual([own?.projectId, own?.role, more.length], [projectId, "SUPPLIER", 0])
    })
  )

  it.effect("to supply shows the whole agreement as text before it binds anybody", () =>
    Effect.gen(function* () {
      const buyer = yield* signInAnew("Buyer")
      const { token } = yield* makeAgent(buyer, "BUYER", ["CREATE_PROJECT"])
      const criterion = { id: "vector", title: `Vector ${hostile}`, requirement: "An SVG.\nOf one layer." }
      const changes = { supplierActorId: undefined, scope: `One logo.\n${hostile}`, criteria: [criterion] }
      const body = creation(buyer, yield* confirmAgreement, yield* now, changes)
      const view = yield* send("POST", "/api/agents/v1/projects", { token, body })
      const projectId = view.body.project.taskId as string
      const made = yield* inviteRepresentative(buyer, yield* unrepeated(buyer.personId), { projectId })
      const code = "code" in made ? made.code : ""
      const supplier = yield* signInAnew("Supplier")
      const jar = yield* entered(supplier, code)
      const { text } = yield* open(joinPath, jar)
      for (const said of [
        projectId,
        "One logo.",
        "Vector &lt;b",
        "An SVG.",
        "Of one layer.",
        "Sam Studio",
        "Dana Ltd",
        "This agreement.",
        "Folder",
        legalDocument.digest,
        timeText(body.deadline),
        timeText(body.reviewDeadline)
      ]) {
        assert.include(text, said)
      }
      assert.notMatch(text, /<b onclick|\u202e|you, or an agent/)
      const { agreement } = yield* readOfferedAgreement(supplier, code)
      assert.strictEqual(agreement.terms.scope, body.scope)
      const { code: membership } = yield* invited
      // Whoever only helps with a task learns nothing of the agreement it belongs to.
      const task = { projectId, title: "Measure", instructions: "Twice.", dueAt: null }
      const helped = yield* inviteParticipant(buyer, yield* unrepeated(buyer.personId), task)
      for (const other of ["code" in helped ? helped.code : "", membership, `ddi_${"0".repeat(64)}`]) {
        const refused = yield* Effect.flip(readOfferedAgreement(supplier, other))
        assert.strictEqual(refused.code, "INVITATION_UNKNOWN")
      }
    })
  )

  it.effect("to supply leads who has no organization to a workspace of their own, and back", () =>
    Effect.gen(function* () {
      const buyer = yield* signInAnew("Buyer")
      const projectId = yield* makeUnnamedProject(buyer)
      const made = yield* inviteRepresentative(buyer, yield* unrepeated(buyer.personId), { projectId })
      const session = yield* signIn(yield* identityOf("Newcomer"), { isInvited: true })
      const jar = yield* entered(session, "code" in made ? made.code : "")
      const { text } = yield* open(joinPath, jar)
      assert.include(text, "You need an organization first")
      assert.notInclude(text, "Become the supplier")
      const workspace = yield* submit("/workspace/account", {}, jar, joinPath)
      assert.deepStrictEqual([workspace.status, workspace.headers["location"]], [303, joinPath])
      assert.include((yield* open(joinPath, jar)).text, "Become the supplier")
    })
  )

  it.effect("to a task shows its instructions as text, and makes the item", () =>
    Effect.gen(function* () {
      const buyer = yield* signInAnew("Buyer")
      const projectId = yield* makeUnnamedProject(buyer)
      const task = { projectId, title: "Measure", instructions: `Line one\n${hostile}`, dueAt: null }
      const made = yield* inviteParticipant(buyer, yield* unrepeated(buyer.personId), task)
      const helper = yield* signInAnew("Helper")
      const jar = yield* entered(helper, "code" in made ? made.code : "")
      const shown = yield* open(joinPath, jar)
      assert.include(shown.text, "Line one</bdi><br/>")
      assert.notInclude(shown.text, "<b onclick")
      const accept = { invitationId: made.invitationId, requestId: hiddenIn(shown.text, "requestId") }
      assert.strictEqual((yield* submit(`${joinPath}/accept`, accept, jar, joinPath)).status, 200)
      assert.deepStrictEqual(
        (yield* listItems(helper)).map(({ title }) => title),
        ["Measure"]
      )
      const home = yield* open("/workspace/", { session: helper.token })
      assert.include(home.text, "Measure")
    })
  )
})
