/** Joining by invitation: a person accepts exactly the terms that were shown, once. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inviteParticipant } from "../../src/participation/invitations.ts"
import { listItems } from "../../src/participation/items.ts"
import { inviteMember } from "../../src/people/invitations.ts"
import { signIn } from "../../src/people/sessions.ts"
import { readProfile } from "../../src/people/profile.ts"
import { readInvitedAgreement } from "../../src/projects/invited-project.ts"
import { inviteRepresentative } from "../../src/projects/representative.ts"
import { listNewestProjects } from "../../src/projects/newest-projects.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { timeText } from "../../src/workspace/kit/parts.ts"
import { cookieFrom, hiddenIn, openPage, post, submit } from "../support/forms.ts"
import { makeUnnamedProject } from "../support/person-requests.ts"
import { confirmAgreement, creationInput, makeAgent, uuid } from "../support/parties.ts"
import { freshTestService, legalDocument, send } from "../support/service.ts"
import { identityOf, signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"

const joinPath = "/workspace/join"
const hostile = `<b onclick="x">\u202e`

/** An invitation to the workspace of a person with a hostile name. */
const invitationToWorkspace = Effect.gen(function* () {
  const owner = yield* signInNewPerson(hostile)
  const terms = { organizationId: owner.organizationId, authorities: ["DELEGATE"] as const }
  const made = yield* inviteMember(owner, yield* nonIdempotentRequest(owner.personId), terms)
  return { owner, code: "code" in made ? made.code : "", invitationId: made.invitationId }
})

/** The cookies of a person who typed a code. */
const enterCode = Effect.fnUntraced(function* ({ token }: Pick<SignedInPerson, "token">, code: string) {
  const answer = yield* submit(joinPath, { code }, { session: token })
  return { session: token, invitation: cookieFrom(answer, "invitation") ?? "" }
})

const membershipsOf = (person: SignedInPerson) =>
  Effect.map(readProfile(person), ({ memberships }) => memberships.map(({ organizationId }) => organizationId))

layer(freshTestService, { excludeTestServices: true })("invitations", (it) => {
  it.effect("An invitation shows its terms and is accepted only by a form of the same session.", () =>
    Effect.gen(function* () {
      const { owner, code, invitationId } = yield* invitationToWorkspace
      const guest = yield* signInNewPerson("Guest")
      const jar = yield* enterCode(guest, code)
      const shown = yield* openPage(joinPath, jar)
      assert.strictEqual(shown.status, 200)
      assert.include(shown.text, "&lt;b onclick=&quot;x&quot;>‹U+202E›")
      assert.notInclude(shown.text + jar.invitation, code)
      assert.include((yield* openPage("/workspace/", jar)).text, "You entered the code of an invitation.")
      const accept = { invitationId, requestId: hiddenIn(shown.text, "requestId") }
      const other = yield* signInNewPerson("Other")
      const otherToken = hiddenIn((yield* openPage("/workspace/account", { session: other.token })).text, "formToken")
      assert.strictEqual((yield* post(`${joinPath}/accept`, accept, jar)).status, 403)
      assert.strictEqual((yield* post(`${joinPath}/accept`, { ...accept, formToken: otherToken }, jar)).status, 403)
      assert.strictEqual((yield* post(`${joinPath}/accept`, accept, { invitation: jar.invitation })).status, 401)
      assert.notInclude(yield* membershipsOf(guest), owner.organizationId)
      const accepted = yield* submit(`${joinPath}/accept`, accept, jar, joinPath)
      assert.strictEqual(accepted.status, 200)
      assert.strictEqual(cookieFrom(accepted, "invitation"), "")
      assert.include(yield* membershipsOf(guest), owner.organizationId)
      // The used code is unknown to another person.
      const late = yield* openPage(joinPath, { ...jar, session: other.token })
      assert.strictEqual(late.status, 404)
      assert.include(late.text, "The invitation code is invalid, expired, used or revoked")
    })
  )

  it.effect("An acceptance of an invitation other than the one shown is refused with 409.", () =>
    Effect.gen(function* () {
      const first = yield* invitationToWorkspace
      const second = yield* invitationToWorkspace
      const guest = yield* signInNewPerson("Guest")
      const jar = yield* enterCode(guest, first.code)
      const accept = { invitationId: second.invitationId, requestId: uuid() }
      const refused = yield* submit(`${joinPath}/accept`, accept, jar, joinPath)
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "Nothing was accepted")
      assert.lengthOf(yield* membershipsOf(guest), 1)
    })
  )

  it.effect("An entered code is kept for ten minutes, and only in a cookie that this site sealed.", () =>
    Effect.gen(function* () {
      const { code } = yield* invitationToWorkspace
      const guest = yield* signInNewPerson("Guest")
      const jar = yield* enterCode(guest, code)
      assert.include((yield* openPage(joinPath, jar)).text, "Join on these terms")
      const late = addMilliseconds(yield* now, limits.sealedCookieLifetime)
      const asks = (answer: { readonly text: string }) => assert.include(answer.text, "Code of the invitation")
      asks(yield* openPage(joinPath, jar).pipe(at(late)))
      for (const invitation of [`${jar.invitation}A`, jar.invitation.slice(1), code, "a.b.c"]) {
        asks(yield* openPage(joinPath, { ...jar, invitation }))
        const accept = { invitationId: `invitation_${uuid()}`, requestId: uuid() }
        const refused = yield* submit(`${joinPath}/accept`, accept, { ...jar, invitation }, joinPath)
        assert.strictEqual(refused.status, 409)
      }
      const left = yield* submit(`${joinPath}/leave`, {}, jar, joinPath)
      assert.deepStrictEqual([left.status, cookieFrom(left, "invitation")], [303, ""])
    })
  )

  it.effect("Entering a code requires the form token of the session, where there is a session.", () =>
    Effect.gen(function* () {
      const { code } = yield* invitationToWorkspace
      const guest = yield* signInNewPerson("Guest")
      assert.strictEqual((yield* post(joinPath, { code }, { session: guest.token })).status, 403)
      assert.strictEqual((yield* post(joinPath, { code }, {}, { origin: "https://evil.test" })).status, 403)
      for (const path of [`${joinPath}?code=${code}`, `${joinPath}/${code}`]) {
        const { text } = yield* openPage(path, { session: guest.token })
        assert.notInclude(text.replaceAll(encodeURIComponent(path), ""), "Join on these terms")
      }
    })
  )

  it.effect("An invitation to supply names the agreement and is accepted for an organization of the person.", () =>
    Effect.gen(function* () {
      const buyer = yield* signInNewPerson("Buyer")
      const projectId = yield* makeUnnamedProject(buyer)
      const made = yield* inviteRepresentative(buyer, yield* nonIdempotentRequest(buyer.personId), { projectId })
      const supplier = yield* signInNewPerson("Supplier")
      const jar = yield* enterCode(supplier, "code" in made ? made.code : "")
      const shown = yield* openPage(joinPath, jar)
      assert.match(shown.text, /<code class="secret">[0-9a-f]{64}<\/code>/)
      const accept = { invitationId: made.invitationId, requestId: hiddenIn(shown.text, "requestId") }
      const without = yield* submit(`${joinPath}/accept`, accept, jar, joinPath)
      assert.strictEqual(without.status, 400)
      assert.include(without.text, "Choose one: the organization.")
      const foreign = { ...accept, organizationId: buyer.organizationId }
      assert.strictEqual((yield* submit(`${joinPath}/accept`, foreign, jar, joinPath)).status, 400)
      assert.lengthOf(yield* listNewestProjects(supplier), 0)
      const chosen = { ...accept, organizationId: supplier.organizationId }
      const accepted = yield* submit(`${joinPath}/accept`, chosen, jar, joinPath)
      assert.strictEqual(accepted.status, 200)
      const again = yield* submit(`${joinPath}/accept`, chosen, jar, joinPath)
      assert.strictEqual(again.status, 200, "sent twice it has its effect once")
      const [own, ...more] = yield* listNewestProjects(supplier)
      assert.deepStrictEqual([own?.projectId, own?.role, more.length], [projectId, "SUPPLIER", 0])
    })
  )

  it.effect("An invitation to supply shows the whole agreement as text before its acceptance.", () =>
    Effect.gen(function* () {
      const buyer = yield* signInNewPerson("Buyer")
      const { token } = yield* makeAgent(buyer, "BUYER", ["CREATE_PROJECT"])
      const criterion = { id: "vector", title: `Vector ${hostile}`, requirement: "An SVG.\nOf one layer." }
      const changes = { supplierActorId: undefined, scope: `One logo.\n${hostile}`, criteria: [criterion] }
      const body = creationInput(buyer, yield* confirmAgreement, yield* now, changes)
      const view = yield* send("POST", "/api/agents/v1/projects", { token, body })
      const projectId = view.body.project.taskId as string
      const made = yield* inviteRepresentative(buyer, yield* nonIdempotentRequest(buyer.personId), { projectId })
      const code = "code" in made ? made.code : ""
      const supplier = yield* signInNewPerson("Supplier")
      const jar = yield* enterCode(supplier, code)
      const { text } = yield* openPage(joinPath, jar)
      for (const expected of [
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
        assert.include(text, expected)
      }
      assert.notMatch(text, /<b onclick|\u202e|you, or an agent/)
      const { agreement } = yield* readInvitedAgreement(supplier, code)
      assert.strictEqual(agreement.terms.scope, body.scope)
      const { code: membership } = yield* invitationToWorkspace
      // A task's helper cannot read its agreement.
      const task = { projectId, title: "Measure", instructions: "Twice.", dueAt: null }
      const helped = yield* inviteParticipant(buyer, yield* nonIdempotentRequest(buyer.personId), task)
      for (const other of ["code" in helped ? helped.code : "", membership, `ddi_${"0".repeat(64)}`]) {
        const refused = yield* Effect.flip(readInvitedAgreement(supplier, other))
        assert.strictEqual(refused.code, "INVITATION_UNKNOWN")
      }
    })
  )

  it.effect("An invitation to supply leads a person without an organization to a new workspace and back.", () =>
    Effect.gen(function* () {
      const buyer = yield* signInNewPerson("Buyer")
      const projectId = yield* makeUnnamedProject(buyer)
      const made = yield* inviteRepresentative(buyer, yield* nonIdempotentRequest(buyer.personId), { projectId })
      const session = yield* signIn(yield* identityOf("Newcomer"), { isInvited: true })
      const jar = yield* enterCode(session, "code" in made ? made.code : "")
      const { text } = yield* openPage(joinPath, jar)
      assert.include(text, "You need an organization first")
      assert.notInclude(text, "Become the supplier")
      const workspace = yield* submit("/workspace/account", {}, jar, joinPath)
      assert.deepStrictEqual([workspace.status, workspace.headers["location"]], [303, joinPath])
      assert.include((yield* openPage(joinPath, jar)).text, "Become the supplier")
    })
  )

  it.effect("An invitation to a task shows its instructions as text, and its acceptance creates the item.", () =>
    Effect.gen(function* () {
      const buyer = yield* signInNewPerson("Buyer")
      const projectId = yield* makeUnnamedProject(buyer)
      const task = { projectId, title: "Measure", instructions: `Line one\n${hostile}`, dueAt: null }
      const made = yield* inviteParticipant(buyer, yield* nonIdempotentRequest(buyer.personId), task)
      const helper = yield* signInNewPerson("Helper")
      const jar = yield* enterCode(helper, "code" in made ? made.code : "")
      const shown = yield* openPage(joinPath, jar)
      assert.include(shown.text, "Line one</bdi><br/>")
      assert.notInclude(shown.text, "<b onclick")
      const accept = { invitationId: made.invitationId, requestId: hiddenIn(shown.text, "requestId") }
      assert.strictEqual((yield* submit(`${joinPath}/accept`, accept, jar, joinPath)).status, 200)
      assert.deepStrictEqual(
        (yield* listItems(helper)).items.map(({ title }) => title),
        ["Measure"]
      )
      const home = yield* openPage("/workspace/", { session: helper.token })
      assert.include(home.text, "Measure")
    })
  )
})
